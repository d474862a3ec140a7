"""The values of parameters, by name: one name has one meaning on all surfaces."""

from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

from plumbline._checks import one_of, open_fraction, real_number, shorten, whole_number
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.requests.signature import PublicParameter

Parse: TypeAlias = Callable[[str, Any], Any]

LONGEST_TEXT = 10_000  # characters that a browser may send; bounds what a hostile question costs
MOST_NAMES = 10_000  # of a list that a browser may send, likewise
MOST_BINS = 1000  # that a browser may ask for, likewise
MOST_WHOLE = 10_000  # of a whole number without a row of its own, likewise
LEAST_DRAWS, MOST_DRAWS = 39, 9999  # fewer have no central 95 % range; more keep a page waiting


def text(argument: str, value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise ParameterError(
            argument=argument,
            rule=f"a text of at most {LONGEST_TEXT:,} characters",
            arrived=shorten(value),
            code="out-of-range",
        )
    return value


def rules_text(argument: str, value: Any) -> Any:
    """Return rules of a gate that were typed; unlike a file's they name no other file."""
    from plumbline.gate.rules import RulesText

    return RulesText(text(argument, value))


def flag(argument: str, value: Any) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise ParameterError(
            argument=argument, rule="true or false", arrived=shorten(value), code="wrong-kind"
        )
    return value


def formula(argument: str, value: Any) -> str:
    """Return a text; the reader of formulas limits its length."""
    if not isinstance(value, str):
        raise ParameterError(
            argument=argument, rule="a text", arrived=shorten(value), code="wrong-kind"
        )
    return value


def name_list(argument: str, value: Any) -> list[str]:
    """Return a list of texts."""
    sound = isinstance(value, list) and len(value) <= MOST_NAMES
    if not sound or not all(isinstance(item, str) for item in value):
        raise ParameterError(
            argument=argument, rule="a list of texts", arrived=shorten(value), code="wrong-kind"
        )
    return list(value)


def names(argument: str, value: Any) -> list[str]:
    """Return names that stand between commas, or a list of them."""
    if not isinstance(value, str):
        return [text(argument, name) for name in name_list(argument, value)]
    listed = [name.strip() for name in text(argument, value).split(",") if name.strip()]
    if not listed:
        raise ParameterError(
            f"`{argument}` must list names, like A,B, got {shorten(value)}", code="wrong-kind"
        )
    return listed


def averages(argument: str, value: Any) -> list[str]:
    """Return averages over classes: "all" is every one of them, "none" is none."""
    given = names(argument, value)
    return {"none": [], "all": ["micro", "macro", "weighted"]}.get(given[0], given)


def named_texts(argument: str, value: Any) -> dict[str, str]:
    """Return an object of texts."""
    sound = isinstance(value, Mapping) and len(value) <= MOST_NAMES
    if not sound or not all(isinstance(item, str) for pair in value.items() for item in pair):
        raise ParameterError(
            f"`{argument}` must be an object of texts, got {shorten(value)}", code="wrong-kind"
        )
    return dict(value)


def any_number(argument: str, value: Any) -> float:
    """Return a number, which may be infinite if written as "inf" or "-inf"."""
    if isinstance(value, str) and value in ("inf", "-inf"):
        return float(value)
    if not isinstance(value, (int, float)):
        raise ParameterError(
            argument=argument, rule="a number", arrived=shorten(value), code="wrong-kind"
        )
    return number(argument, value)


def named_numbers(argument: str, value: Any) -> dict[str, float]:
    """Return an object of numbers; null counts as absent."""
    if not isinstance(value, Mapping) or len(value) > MOST_NAMES:
        raise ParameterError(
            argument=argument,
            rule=f"an object of at most {MOST_NAMES:,} numbers",
            arrived=shorten(value),
            code="wrong-kind",
        )
    return {name: any_number(name, one) for name, one in value.items() if one is not None}


def number(argument: str, value: Any) -> float:
    """Return a number."""
    result = real_number(value)
    if isinstance(value, bool) or result != result:
        raise ParameterError(
            argument=argument, rule="a number", arrived=shorten(value), code="wrong-kind"
        )
    return result


@dataclass(frozen=True, slots=True)
class Within:
    """Reads a number within bounds; None is no bound.

    >>> Within(39, 9999, whole=True)("resamples", 199)
    199
    """

    least: float
    most: float | None = None
    whole: bool = False

    def __call__(self, argument: str, value: Any) -> float:
        """Return the number, or raise ParameterError."""
        if self.whole:
            try:
                read = int(value) if isinstance(value, str) else value
            except ValueError:
                read = value
            most = None if self.most is None else int(self.most)
            return whole_number(argument, read, least=int(self.least), most=most)
        real = number(argument, value)
        if real < self.least or (self.most is not None and real > self.most):
            bound = "" if self.most is None else f" and at most {self.most:g}"
            raise ParameterError(
                argument=argument,
                rule=f"at least {self.least:g}{bound}",
                arrived=shorten(value),
                code="out-of-range",
            )
        return real


def whole(least: int, most: int | None = None) -> Within:
    """Return what reads a whole number within bounds."""
    return Within(least, most, whole=True)


def one_or_none(*known: str) -> Parse:
    """Return what reads one of some names, where "none" is None.

    >>> one_or_none("holm")("adjust", "none") is None
    True
    """

    def read(argument: str, value: Any) -> str | None:
        name = one_of(argument, value, (*known, "none"))
        return None if name == "none" else name

    return read


def fields_of(given: Any, parts: Mapping[str, Parse], name: str = "question") -> dict[str, Any]:
    """Return the given parts of an object, each parsed; null counts as absent.

    >>> fields_of({"hull": True, "width": None}, {"hull": flag, "width": whole(50)})
    {'hull': True}
    """
    if not isinstance(given, Mapping):
        raise ParameterError(
            f"the {name} must be an object, got {shorten(given)}", code="wrong-kind"
        )
    return {
        part: read(part, given[part]) for part, read in parts.items() if given.get(part) is not None
    }


def words(argument: str, value: Any) -> tuple[int | str, ...]:
    """Return what stands between commas: whole numbers as such, all else as it is."""
    parts = [part.strip() for part in text(argument, value).split(",")]
    return tuple(int(part) if part.isdecimal() else part for part in parts if part)


def numbers(argument: str, value: Any) -> float | tuple[float, ...]:
    """Return the numbers between commas; of one alone, that."""
    try:
        read = tuple(float(part) for part in text(argument, value).split(",") if part.strip())
    except ValueError:
        raise ParameterError(
            f"`{argument}` must be numbers such as 0.5, got {shorten(value)}",
            code="wrong-kind",
        ) from None
    return read[0] if len(read) == 1 else read


def effect(argument: str, value: Any) -> str:
    """Return the name of a miscalibration and its size, as the library knows it."""
    from plumbline.power import effect_of

    effect_of(text(argument, value))
    return str(value)


def recalibration_method(argument: str, value: Any) -> str:
    """Return the name of a recalibration method, "auto" for the best one."""
    from plumbline.recalibration import AUTO, method_named

    method = text(argument, value)
    return AUTO if method == AUTO else method_named(method).name


def bins(argument: str, value: Any) -> str:
    """Return the name of a binning that the library knows."""
    from plumbline.binning import binning_of

    del argument  # the library names it
    return str(binning_of(text("bins", value)))


def amounts(argument: str, value: Any) -> dict[str, float]:
    """Return an amount a cell of the confusion matrix, from texts such as "TP=10"."""
    pairs = (
        value.items() if isinstance(value, Mapping) else [one.partition("=")[::2] for one in value]
    )
    result = {cell: real_number(amount) for cell, amount in pairs}
    if any(amount != amount for amount in result.values()):
        raise ParameterError(
            f"`{argument}` must be CELL=AMOUNT, got {shorten(value)}", code="wrong-kind"
        )
    return result


def scheme(argument: str, value: Any) -> str:
    """Return the text of a scheme of validation, with its usual numbers where it has none."""
    from plumbline.validation import scheme_named

    return scheme_named(text(argument, value)).text


def quick_null(argument: str, value: Any) -> str:
    """Return a null that takes no longer than its resamples."""
    return one_of(argument, value, ("auto", "resample"))


def few_bins(argument: str, value: Any) -> str:
    """Return the name of a binning of so few bins that a request cannot fill the memory."""
    from plumbline.binning import binning_of

    scheme = binning_of(text(argument, value))
    if getattr(getattr(scheme, "scheme", scheme), "bins", 0) > MOST_BINS:
        raise ParameterError(
            argument=argument,
            rule=f"at most {MOST_BINS:,} here",
            arrived=quoted(value),
            code="out-of-range",
        )
    return str(value)


@dataclass(frozen=True, slots=True)
class Kind:
    """What the surfaces need to know of a parameter besides its signature and its docstring.

    Attributes
    ----------
    metavar : placeholder of its value in help; "" for a flag
    parse : (argument, value) -> the value, or ParameterError
    known : where its names are, "module:name", or the names themselves; what follows a colon in a
        name is the library's to check
    option : its name on the command line, where that differs
    label : its name beside a control
    help : one paragraph for surfaces, where the docstring's does not fit
    needs : the parameter without which it does not apply
    many : whether it may be given several times; what is parsed is then a tuple
    lines : whether a browser sends the text of what the command line names as a file
    served : (argument, value) -> the value; what a server refuses besides
    """

    metavar: str
    parse: Parse = text
    known: str | Sequence[str] = ()
    option: str = ""
    label: str = ""
    help: str = ""
    needs: str = ""
    served: Parse | None = None
    many: bool = False
    lines: bool = False

    def names(self) -> Sequence[str]:
        """Return the names that may be given; empty if it is not a name."""
        if not isinstance(self.known, str):
            return self.known
        module, _, name = self.known.partition(":")
        return tuple(getattr(import_module(module), name))

    def limits(self) -> tuple[float | None, float | None]:
        """Return the least and the most that a server takes, None where it is not a bound."""
        bounds = self.served or self.parse
        return (bounds.least, bounds.most) if isinstance(bounds, Within) else (None, None)

    def read(self, argument: str, value: Any) -> Any:
        """Return a value as the function takes it; raise ParameterError where it is none."""
        if self.known and self.parse is text:
            one_of(argument, text(argument, value).partition(":")[0], self.names())
        return self.parse(argument, value)

    def read_served(self, argument: str, value: Any) -> Any:
        """Return the same of a value that came from a browser, within a server's limits."""
        return self.read(argument, value) if self.served is None else self.served(argument, value)


def kind_of_type(parameter: PublicParameter) -> Kind | None:
    """Return the kind of a parameter whose type says what may be written; None of all others.

    These are whole numbers from 0, numbers, names in a `Literal`, and switches that are off. A text
    is none: it may name a column, a class or a file.

    >>> kind_of_type(PublicParameter("mean_of", None, None, "", "Literal['a', 'b'] | None")).metavar
    '[a|b]'
    """
    label = parameter.name.replace("_", " ").capitalize()
    plain = parameter.type.removesuffix(" | None")
    if plain == "int":
        return Kind("N", whole(0), label=label, served=whole(0, MOST_WHOLE))
    if plain == "float":
        return Kind("X", number, label=label)
    if plain == "bool" and not parameter.default:
        return Kind("", flag, label=label)
    if plain.startswith("Literal["):
        listed = literal_eval(plain.removeprefix("Literal"))
        if all(isinstance(name, str) for name in listed):
            return Kind(f"[{'|'.join(listed)}]", known=tuple(listed), label=label)
    return None


VIEW_HELP = (
    "top-label (is the most likely class correct?), classwise (mean over the classes), "
    "one-vs-rest[:CLASS] (is it that class? Of two classes the positive one by "
    "default), top-k:K (is it among the K most likely?) or joint (all classes at "
    "once)."
)
BINS_HELP = (
    "equal-width:15, equal-size:10, one-per-point, one-per-value or edges:0,0.5,1. By the number "
    "of rows: freedman-diaconis, sturges, scott, square-root, cube-root. By the outcomes: "
    "isotonic, monotone-sweep. Finer near 0 and 1: log-odds-width:15, tail-width:15 or, in rows a "
    "bin, tail-size:15. Finer in the middle: centre-width:15 or centre-size:15. By the quantiles "
    "of Beta(A, B): beta-width:15,A,B or beta-size:15,A,B. At least 20 rows per bin: "
    "equal-width:15,min=20."
)

KINDS: Mapping[str, Kind] = {
    "view": Kind(
        "VIEW",
        known="plumbline.calibration:VIEWS",
        label="View",
        help=VIEW_HELP,
    ),
    "bins": Kind(
        "BINS",
        bins,
        known="plumbline.binning.bins:KNOWN",
        label="Bins",
        help=BINS_HELP,
        served=few_bins,
    ),
    "distance": Kind(
        "NAME",
        known="plumbline.calibration:DISTANCES",
        label="Distance",
        help="absolute, square, log, chi-square, hellinger (not with the joint view), "
        "overestimation or underestimation.",
    ),
    "norm": Kind(
        "P",
        label="Norm",
        help="1: mean gap, weighted by rows. 2: root mean square gap. max: largest gap. "
        "Or any number from 1.",
    ),
    "representative": Kind("NAME", known=("mean", "midpoint"), label="Score of a bin"),
    "threshold": Kind("P", number, label="Threshold"),
    "like": Kind(
        "NAME",
        known="plumbline.calibration:CONVENTIONS",
        label="Conventions of",
        help="Bins and conventions of another program: sklearn, torchmetrics, netcal, tfp, mapie, "
        "guo2017, blog; or thesis, “Increasing the Power of a Classifier's Calibration Test” "
        "(Tartu, 2020). rms (R's val.prob) has ici, e90 and emax, and no bins. A warning gives "
        "the difference from Plumbline's value.",
    ),
    "outcome": Kind(
        "NAME",
        known=("class", "correct"),
        label="Event",
        help="Event of a one-vs-rest view: class (the class is observed) or correct (the "
        "prediction is correct). Default: class.",
    ),
    "statistic": Kind(
        "NAME",
        known="plumbline.calibration_errors:TESTS",
        label="Statistic",
        help="omnibus (several tests combined; two-sided, without bins), ece, log-loss, "
        "brier-score, chi-square, spiegelhalter, hosmer-lemeshow, cox, "
        "kolmogorov-smirnov, kuiper or skce.",
    ),
    "alternative": Kind(
        "NAME", known="plumbline.calibration_errors.named_tests:ALTERNATIVES", label="Alternative"
    ),
    "null": Kind(
        "NAME",
        known="plumbline.calibration_errors.named_tests:NULLS",
        label="Null distribution",
        help="exact (bounds the p-value, no random draws), resample, asymptotic (a "
        "large-sample or textbook approximation), or auto: exact where it exists and "
        "is quick, else resample.",
        served=quick_null,
    ),
    "level": Kind("P", open_fraction, label="Level", needs="interval"),
    "resamples": Kind(
        "M",
        whole(0),
        label="Resamples",
        help="Number of resamples of the labels, 0 for none.",
        served=whole(LEAST_DRAWS, MOST_DRAWS),
    ),
    "rng": Kind("S", whole(0), option="seed", label="Random seed", help="The random seed."),
    "workers": Kind(
        "W",
        whole(1),
        help="Number of threads; all cores by default. Results do not depend on it.",
    ),
    "metrics": Kind("A,B", names, known="plumbline.metrics:METRICS", label="Metrics"),
    "by": Kind("COL", label="Groups"),
    "score": Kind(
        "NAME",
        label="Score",
        help="Score that is decomposed into miscalibration, discrimination and "
        "uncertainty: brier-score (default), log-loss or spherical-score.",
    ),
    "adjust": Kind(
        "NAME",
        one_or_none("holm", "benjamini-hochberg"),
        known=("holm", "benjamini-hochberg", "none"),
        label="Adjust p-values",
        help="Adjustment for the number of tests: holm, benjamini-hochberg or none.",
    ),
    "test": Kind(
        "NAME",
        known="plumbline.comparison.advice:TESTS",
        label="Test",
        help="The test. Default: the one that fits the data.",
    ),
    "after": Kind(
        "NAME",
        known="plumbline.recalibration:METHODS",
        label="Also after recalibration by",
        help="Compare the models as they are, and after recalibration by temperature, "
        "isotonic or another method, fitted on other rows.",
    ),
    "over": Kind(
        "COL",
        label="Column of data sets",
        help="Column of data sets; the data sets are then compared.",
    ),
    "groups": Kind(
        "COL",
        label="Column of groups",
        help="Column of rows that belong together, such as the rows of one patient. Whole "
        "groups are resampled.",
    ),
    "rope": Kind(
        "R",
        number,
        label="Region of practical equivalence",
        help="Region of practical equivalence: differences up to R do not matter in practice.",
    ),
    "payoffs": Kind(
        "CELL=AMOUNT",
        amounts,
        option="payoff",
        label="Payoffs",
        many=True,
        help="Payoff of one TP, FP, TN or FN, for the metric profit. Repeat it.",
    ),
    "target": Kind("CLASS", label="Positive class", help="The class to evaluate against the rest."),
    "test_share": Kind(
        "S",
        number,
        label="Share of the rows in each test part",
        help="Share of the rows in each test part, if the table does not show it.",
    ),
    "scheme": Kind(
        "SCHEME",
        scheme,
        known="plumbline.validation.schemes:KINDS",
        label="Scheme",
        help="holdout:0.3, repeated-holdout:10,0.3, k-fold:10, stratified:10, "
        "repeated-stratified:5x2, grouped:5, stratified-grouped:5, time-series:5, leave-one-out, "
        "bootstrap:200, train-validation-test:0.6,0.2,0.2, nested:5x10, nested-grouped:5x5 or "
        "resubstitution.",
    ),
    "positive": Kind("CLASS", label="Positive class"),
    "resubstitution": Kind(
        "",
        flag,
        label="On training data",
        help="Allow the scheme resubstitution, which measures on the training data and is "
        "too optimistic.",
    ),
}
