"""The table of requests: one row an analysis, from which every surface reads what it offers."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from plumbline._checks import one_of, open_fraction, shorten
from plumbline.errors import ParameterError
from plumbline.progress import Progress, with_shares
from plumbline.requests.kinds import (
    KINDS,
    MOST_DRAWS,
    Kind,
    Within,
    any_number,
    averages,
    effect,
    flag,
    formula,
    kind_of_type,
    name_list,
    named_numbers,
    names,
    number,
    numbers,
    one_or_none,
    recalibration_method,
    rules_text,
    whole,
    words,
)
from plumbline.requests.signature import PublicParameter, Signature, signature_of

if TYPE_CHECKING:
    from plumbline._result import Result
    from plumbline.predictions import Predictions

Answers = Sequence[tuple[str | None, "Result"]]


def _kind_of(parameter: PublicParameter) -> Kind:
    """Return the kind of a parameter; no KeyError, which a mapping takes for a command unknown."""
    kind = KINDS.get(parameter.name) or kind_of_type(parameter)
    if kind is None:
        raise LookupError(f"{parameter.name!r} has no row of KINDS in requests/kinds.py")
    return kind


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter as a surface offers it: its signature, its docstring and its kind together."""

    name: str
    kind: Kind
    usual: str | None
    help: str


@dataclass(frozen=True, slots=True)
class Request:
    """One analysis: the name of its command, question and section, and its public function.

    Attributes
    ----------
    name : of the command, of the question in the workbench and of the section in the report
    function : the public function, "package.module:function"
    title : the question it answers, in a few words
    command, served : the parameters that the command line offers, and those that a browser may
        send; nothing else is accepted, but those that no list of the row names and whose type says
        what may be written for them, which both surfaces offer
    python : such parameters that only Python has
    doing : label of its progress
    host : the command that shows its options, where it has none of its own
    examples : of the command line
    per_model : whether the function takes the rows of one model
    kinds : of parameters that mean more, or less, here than elsewhere
    usual : defaults in words, where they are others than the docstring's
    variants : parameter -> the request that answers instead where that parameter is given; "" where
        none is
    names : the function that lists the names, "module:function"
    judged : whether the command line puts the verdict of the default calibration test first
    section : heading of a section of the report with the answer for every model; "" for none; one
        that needs `by` is in reports that are asked about `sites`
    room : the page of the workbench that has a section with the answer for one model; "" for none
    writes : endings of the files that the command writes with `--out`: pictures, rows (.csv), and
        texts of the result by their ending
    prints : names of texts of the result that the command prints below its answer
    reader : the parameter that takes what reads further files as FILE is read; "" for none
    answers_no_rows : whether a table without rows is an answer, and no error; the function then
        gets None for it
    unused : parameter -> another parameter, and the values of that with which it has no effect; the
        command line refuses both together
    """

    name: str
    function: str
    title: str
    command: tuple[str, ...] = ()
    served: tuple[str, ...] = ()
    python: tuple[str, ...] = ()
    doing: str = "working"
    host: str = ""
    examples: tuple[str, ...] = ()
    per_model: bool = True
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    usual: Mapping[str, str] = field(default_factory=dict)
    variants: "Mapping[str, Request]" = field(default_factory=dict)
    names: str = ""
    judged: bool = False
    section: str = ""
    room: str = ""
    writes: tuple[str, ...] = ()
    prints: tuple[str, ...] = ()
    reader: str = ""
    answers_no_rows: bool = False
    unused: "Mapping[str, tuple[str, tuple[Any, ...]]]" = field(default_factory=dict)

    @property
    def has_command(self) -> bool:
        """Whether it is a command, with options or without, and no option of another one."""
        return bool(self.command or self.examples) and not self.host

    @property
    def signature(self) -> Signature:
        """Signature and docstring of the function."""
        return signature_of(self.function)

    def counts(self, given: Collection[str]) -> bool:
        """Tell whether what answers, where these parameters are given, takes counted tables."""
        from plumbline.predictions import COUNTED

        return self.of(given).function.partition(":")[2] in COUNTED

    def params(self, surface: str) -> list[Param]:
        """Return the parameters that a surface, "command" or "served", offers, in its order."""
        return [self._param(name) for name in self.offered(surface)]

    def offered(self, surface: str) -> tuple[str, ...]:
        """Return the names of the parameters that a surface offers, in its order.

        Those that only their type describes stand before what says how labels are drawn.
        """
        listed = self.command if surface == "command" else self.served
        if not (listed or (self.examples if surface == "command" else self.room)):
            return ()
        at = next((i for i, name in enumerate(listed) if name in TESTED), len(listed))
        return (*listed[:at], *self._named_nowhere(), *listed[at:])

    def _named_nowhere(self) -> list[str]:
        named = {*self.command, *self.served, *self.python, "workers"}  # threads no browser chooses
        parameters = self.signature.parameters.values()
        return [one.name for one in parameters if one.name not in named and kind_of_type(one)]

    def _param(self, name: str) -> Param:
        for request in (self, *self.variants.values()):
            described = request.signature.parameters.get(name)
            if described is not None:
                kind = request.kinds.get(name) or self.kinds.get(name) or _kind_of(described)
                usual = self.usual.get(name, described.usual)
                return Param(name, kind, usual, kind.help or described.help)
        if name in self.kinds:  # of what is made of the function's result
            kind = self.kinds[name]
            return Param(name, kind, self.usual.get(name), kind.help)
        raise LookupError(f"no function of the request {self.name!r} has a parameter {name!r}")

    def of(self, given: Collection[str]) -> "Request":
        """Return the request that answers where some parameters are given: itself or a variant."""
        if not given:
            return self.variants.get("", self)
        return next((row for name, row in self.variants.items() if name in given), self)

    def checked(self, surface: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that were given on a surface, read and checked; None is not given.

        Raises ParameterError for a parameter that is not offered there, for a value outside its
        rule, and for a parameter that applies only with, or not with, another.
        """
        offered = {param.name: param.kind for param in self.params(surface)}
        answering = self.of([name for name, value in given.items() if value is not None])
        values = {}
        for name, value in given.items():
            if value is None:
                continue
            one_of("parameter", name, offered)
            kind = offered[name]
            needed = answering.kinds.get(name, kind).needs
            other = needed if needed in self.offered(surface) else ""
            if other and not given.get(other):
                raise ParameterError(
                    f"`{name}` applies only with `{other}`",
                    code="argument-needs-another",
                    argument=name,
                    remedy="give both or neither",
                )
            read = kind.read_served if surface == "served" else kind.read
            values[name] = read(name, value)
        for name in self._passed_on(values, answering):
            if answering is not self and name not in answering.signature.parameters:
                decides = next(name for name, row in self.variants.items() if row is answering)
                raise ParameterError(
                    f"`{name}` does not apply with `{decides}`, got {shorten(values[name])}",
                    code="argument-beside-another",
                    argument=decides,
                    remedy="leave one of them out",
                )
        if surface == "command":  # a browser sends what all of its controls hold
            self._need_effect(values)
        return values

    def _passed_on(self, values: Mapping[str, Any], answering: "Request") -> dict[str, Any]:
        """Return the values without a switch that does no more than choose what answers."""
        return {
            name: value
            for name, value in values.items()
            if self.variants.get(name) is not answering or name in answering.signature.parameters
        }

    def _need_effect(self, values: Mapping[str, Any]) -> None:
        """Refuse a parameter that has no effect with the value of another."""
        for name, (other, without) in self.unused.items():
            if name in values and values.get(other) in without:
                raise ParameterError(
                    f"`{name}` has no effect with `{other}={values[other]!r}`, got "
                    f"{shorten(values[name])}",
                    code="argument-beside-another",
                    argument=name,
                    remedy="leave one of them out",
                )

    def served_values(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that a question from a browser gives, within a server's limits."""
        return self.checked("served", {n: fields.get(n) for n in self.offered("served")})

    def answer(
        self,
        data: "Predictions | None",
        values: Mapping[str, Any],
        progress: Progress | None = None,
    ) -> Answers:
        """Return the result of every model, or one of them all where the function takes all.

        Without data there is one result.
        """
        answering = self.of(values)
        if answering is not self:
            return answering.answer(data, self._passed_on(values, answering), progress)
        from plumbline.predictions import Predictions, need_single_rows
        from plumbline.predictions.rows_in_groups import need_independent_rows

        run = named(self.function)
        shows = "progress" in self.signature.parameters

        def answer_part(part: "Predictions | None", bar: Progress | None) -> "Result":
            if isinstance(part, Predictions):  # several tables are asked for one by one
                need_single_rows(part, run.__name__)
                need_independent_rows(part, run.__name__)
            of = (part,) if self.signature.of_data else ()
            return run(*of, **values, **({"progress": bar} if shows else {}))  # type: ignore[no-any-return]

        if self.per_model and data is not None:
            return of_each_model(data, answer_part, progress)
        return [(None, answer_part(data, progress))]


TESTED = ("resamples", "rng", "workers")  # of the default test, as of the numbers it stands beside


def with_verdicts(
    answers: Answers,
    data: "Predictions",
    values: Mapping[str, Any],
    progress: Progress | None = None,
) -> Answers:
    """Return numbers with the verdict of the default calibration test of their model first.

    It is that of `plumbline test` with the same seed and number of resamples: one error alone
    decides nothing.
    """
    test = named(TEST.function)
    how = {name: values[name] for name in TESTED if name in values}
    tests = dict(of_each_model(data, lambda part, bar: test(part, progress=bar, **how), progress))
    return [
        (name, result.beside(tests if name is None else {name: tests[name]}))  # type: ignore[attr-defined]
        for name, result in answers
    ]


def named(path: str) -> Callable[..., Any]:
    """Return a function by its name, "module:function"."""
    module, _, name = path.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def of_each_model(
    data: "Predictions",
    answer: Callable[["Predictions", Progress | None], Any],
    progress: Progress | None,
) -> list[tuple[str | None, Any]]:
    """Answer the same request for every model, under one progress."""
    parts = list(data.by_model().items())
    return [(name, answer(part, share)) for (name, part), share in with_shares(parts, progress)]


GROUPS = Request(
    name="groups",
    function="plumbline.group_calibration.calibration_by:calibration_by",
    title="Is every group of rows calibrated?",
    room="calibration",
    doing="testing",
    served=("by", "cuts", "view", "bins", "distance", "statistic", "resamples"),
    python=("level",),
    kinds={
        "by": Kind("COL", label="Groups"),
        "cuts": Kind("CUTS", label="Cuts"),
        "level": replace(KINDS["level"], needs=""),
    },
)
HETEROGENEITY = Request(
    name="heterogeneity",
    function="plumbline.group_calibration.calibration_heterogeneity:calibration_heterogeneity",
    title="How much does calibration differ between sites, and what may it be at a new one?",
    section="Sites",
    room="calibration",
    doing="resampling",
    served=("by", "view", "resamples"),
    python=("level",),
    kinds={
        "by": Kind(
            "COL",
            label="Sites",
            help="Bias, error and test of each value of the column COL; with `between`, how much "
            "its values differ.",
        ),
        "level": replace(KINDS["level"], needs=""),
    },
)
CALIBRATION = Request(
    name="calibration",
    function="plumbline.calibration_errors.calibration_error:calibration_error",
    title="How large is the calibration error?",
    doing="resampling",
    command=(
        *("view", "bins", "distance", "norm", "representative", "threshold", "like", "outcome"),
        *("by", "between", "interval", "level", "resamples", "rng", "workers"),
    ),
    served=("view", "bins", "distance", "resamples"),
    judged=True,
    kinds={
        "between": Kind(
            "",
            flag,
            help="Take the values of `by` as sites: mean and spread of calibration and AUC, and "
            "a prediction interval for a new site.",
            needs="by",
        ),
        "level": replace(
            KINDS["level"], help="Coverage of the intervals, of `interval` or of `by`."
        ),
    },
    usual={"view": "one-vs-rest for two classes, else top-label", "by": ""},
    variants={"between": HETEROGENEITY, "by": GROUPS},
    examples=(
        "predictions.parquet",
        "../digits/predictions.parquet --view classwise --bins equal-size:10",
        'predictions.parquet --view one-vs-rest:benign --models "random forest"',
        "predictions.parquet --norm max --bins equal-width:15,min=20",
        'predictions.parquet --models "naive Bayes" --interval --out reliability.svg',
        "predictions.parquet --distance log --resamples 9999 --json",
        "stays.csv --actual died --prob risk --by hospital --between --out forest.svg",
    ),
)

ALL_VIEWS = Kind(
    "VIEW",
    known="plumbline.calibration_errors.named_tests:TESTED_VIEWS",
    label="View",
    help="all-classes where the statistic supports it, or top-label, classwise, "
    "one-vs-rest[:CLASS], top-k:K or joint. Of two classes, CLASS is the positive "
    "one by default.",
)
DRAWN = replace(KINDS["resamples"], parse=whole(1), help="")

WITHIN = Request(
    name="within",
    function="plumbline.calibration_errors.equivalence:calibration_within",
    title="Is the calibration error within a tolerance?",
    doing="testing",
    kinds={
        "tolerance": Kind(
            "T",
            number,
            label="Tolerance",
            help="Test instead whether the calibration error is within T, beyond it, or "
            "undecided. Uses the view, the bins and the resamples.",
        )
    },
)
TEST_BY = Request(
    name="by",
    function="plumbline.group_calibration.calibration_by:calibration_test_by",
    title="Which models, classes or groups are miscalibrated?",
    doing="testing",
    per_model=False,
    kinds={
        "by": replace(
            KINDS["by"],
            help="One test for each class (class) or each value of the column COL, with "
            "adjusted p-values.",
        ),
        "adjust": replace(
            KINDS["adjust"],
            help="Adjustment of the p-values of several groups, classes or models: holm, "
            "benjamini-hochberg or none.",
        ),
    },
)
TEST = Request(
    name="test",
    function="plumbline.calibration_tests.calibration_test:calibration_test",
    title="Are the probabilities calibrated?",
    room="calibration",
    doing="testing",
    command=(
        *("statistic", "view", "bins", "distance", "outcome", "like", "alternative", "null"),
        *("by", "adjust", "tolerance", "resamples", "rng", "workers"),
    ),
    served=("statistic", "view", "bins", "distance", "null", "resamples"),
    kinds={"view": ALL_VIEWS, "resamples": DRAWN},
    usual={
        "view": "all-classes for the omnibus, sums over rows and skce; for the others one-vs-rest "
        "for two classes, else top-label",
        "bins": "equal-width:15 for ece, equal-size:10 for hosmer-lemeshow and a tolerance; "
        "none for the others",
        "distance": "absolute; for ece only",
        **dict.fromkeys(("tolerance", "by"), ""),
    },
    variants={"tolerance": WITHIN, "by": TEST_BY, "adjust": TEST_BY},
    unused={"resamples": ("null", ("exact", "asymptotic"))},
    examples=(
        "predictions.parquet",
        "predictions.parquet --statistic log-loss --null exact",
        "../digits/predictions.parquet --statistic ece --view classwise --bins equal-size:10",
        "forest.csv --actual diagnosis --prob risk=malignant --statistic hosmer-lemeshow",
        '../digits/predictions.parquet --models "random forest" --by class --adjust holm',
        "predictions.parquet --tolerance 0.02",
        "predictions.parquet --resamples 9999 --seed 7 --json",
    ),
)

ANY_DRAWS = Kind(
    "M",
    whole(0),
    label="Resamples",
    help="Number of times that labels are drawn from the predictions, 0 for none.",
    served=whole(0, MOST_DRAWS),
)
RESAMPLED = Kind(
    "M",
    whole(1),
    label="Resamples",
    help="Number of resamples of the rows.",
    served=whole(1, MOST_DRAWS),
)
LEVEL = Kind("P", open_fraction, label="Level of the intervals")
TARGET = Kind("CLASS", label="Positive class")
MODELS = Kind("NAMES", name_list, label="Models", help="Names of the models.")
WIDTH = Kind(
    "PX", whole(50, 4000), label="Width", help="Width of the chart, to which points are thinned."
)

MODEL_SCORES = Request(
    name="model-scores",
    function="plumbline.metrics.model_scores:model_scores",
    title="Log loss, Brier score and accuracy.",
)
SCORES = Request(
    name="scores",
    function="plumbline.metrics.measure:measure",
    title="Log loss, Brier score, or any metric by name.",
    doing="resampling",
    per_model=False,
    command=(
        *("metrics", "by", "interval", "level", "view", "bins", "distance", "norm"),
        *("representative", "threshold", "outcome", "like", "score"),
        *("resamples", "rng", "workers"),
    ),
    served=("view", "bins", "level", "resamples"),
    judged=True,
    kinds={
        "metrics": replace(
            KINDS["metrics"],
            metavar="A,B,C",
            help="Metrics to measure, each with its value expected if calibrated: "
            "log-loss, brier-score, f1, mcc, roc-auc, ece, ace, mce, smooth-ece, "
            "ici, miscalibration, calibration-slope, ...; --list names all. Default: "
            "log loss, Brier score and accuracy (with folds also mean and standard "
            "deviation); with one of the options below, a dozen common metrics.",
        ),
        "view": Kind(
            "VIEW",
            known="plumbline.metrics.names:VIEWS",
            label="View of the calibration error",
            help=KINDS["view"].help,
        ),
        "bins": replace(KINDS["bins"], label="Bins of the calibration error"),
        "level": replace(KINDS["level"], label="Level of the intervals"),
        "resamples": ANY_DRAWS,
    },
    usual={
        "view": "all-classes for scores, skce, kappa and the like; for errors, rates and rankings "
        "one-vs-rest for two classes, else top-label for errors and classwise for the others. "
        "Rates also have micro and weighted",
        "bins": "equal-width:15, of the adaptive errors equal-size:15",
        "distance": "absolute",
    },
    variants={"": MODEL_SCORES},
    names="plumbline.metrics.names:list_names",
    examples=(
        "predictions.parquet",
        'predictions.parquet --models "random forest,naive Bayes" --folds 0,3',
        "forest.csv --actual diagnosis --prob risk=malignant",
        "predictions.parquet --json",
        "--list",
        "predictions.parquet --metrics ece,smooth-ece,calibration-slope",
        "../digits/predictions.parquet --metrics ece,mce --view classwise --bins equal-size:10",
        "forest.csv --actual diagnosis --prob risk=malignant --metrics ece --by size",
    ),
)
# Tests that draw nothing, and tests that do not ask for the size of a test part.
EXACT_ON_ROWS = ("mcnemar", "delong-t", "delong")
PLAIN_ON_FOLDS = ("paired-t", "5x2-t", "5x2-f", "wilcoxon", "friedman")
NOT_DRAWN = (*EXACT_ON_ROWS, *PLAIN_ON_FOLDS, "corrected-t", "bayesian-t")
WITHOUT_PARTS = (*EXACT_ON_ROWS, "permutation", "bootstrap", *PLAIN_ON_FOLDS)
COMPARE = Request(
    name="compare",
    function="plumbline.comparison.compare:compare",
    title="Which of several models is better?",
    doing="comparing",
    per_model=False,
    writes=(".csv", ".svg", ".png", ".pdf"),
    command=(
        *("metrics", "test", "after", "over", "rope", "payoffs", "threshold", "target"),
        *("test_share", "adjust", "level", "resamples", "rng", "workers"),
    ),
    served=(
        *("metrics", "models", "test", "after", "over", "groups", "rope", "target", "test_share"),
        *("adjust", "level", "resamples"),
    ),
    kinds={
        "metrics": replace(
            KINDS["metrics"],
            label="Metric",
            help="Compare by these: brier-score (default), log-loss, accuracy, roc-auc, any "
            "metric of the catalogue, or profit.",
        ),
        "threshold": replace(
            KINDS["threshold"],
            help="With `payoffs`: predicted positive where the probability is at least P.",
        ),
        "level": LEVEL,
        "models": MODELS,
        "resamples": replace(
            RESAMPLED,
            help="Resamples. Default: 9999 of the permutation test (1999 above 20,000 "
            "rows or of calibration errors), 1999 of the bootstrap.",
        ),
    },
    names="plumbline.comparison.advice:list_tests",
    unused={"resamples": ("test", NOT_DRAWN), "test_share": ("test", WITHOUT_PARTS)},
    examples=(
        "predictions.parquet",
        'predictions.parquet --models "random forest,naive Bayes" --metrics brier-score,accuracy',
        "forest.csv bayes.csv --actual diagnosis --prob risk=malignant --metrics roc-auc",
        "predictions.parquet --metrics log-loss --after temperature",
        "predictions.parquet --rope 0.01 --json",
        "predictions.parquet --payoff TP=10 --payoff FP=-5 --threshold 0.3",
        "predictions.parquet --out differences.csv",
        "--list",
    ),
)
CONFUSION = Request(
    name="confusion",
    function="plumbline.confusion.rated_matrix:rated_matrix",
    title="Which classes are confused? Precision, recall, ...",
    command=(
        *("threshold", "target", "rates", "average", "beta", "undefined", "level", "resamples"),
        *("rng", "shares"),
    ),
    served=("threshold", "target", "shares", "interval", "level", "resamples", "models"),
    kinds={
        "threshold": Kind(
            "T",
            number,
            label="Threshold",
            help="Predict the positive class, or --target, if its probability (or score) "
            "is at least T. Default: the most probable class, or the column "
            "`predicted`.",
            served=any_number,
        ),
        "target": TARGET,
        "rates": Kind(
            "A,B",
            names,
            known="plumbline.confusion.rates:RATES",
            help="Rates to show, by any of their names, or all: precision, PPV, recall, "
            "TPR, specificity, NPV, FPR, F0.5, jaccard, MCC, kappa, DOR, ... "
            "Default: precision, recall, specificity and F1 of each class, and rates "
            "of the whole table.",
        ),
        "average": Kind(
            "A,B",
            averages,
            help="Averages over the classes: micro (of the summed tables), macro (plain "
            "mean), weighted (by rows of the class), all or none. Default: macro and "
            "micro for more than two classes.",
        ),
        "beta": Kind("B", number),
        "undefined": Kind("NAME", known=("nan", "skip")),
        "shares": Kind(
            "NAME",
            known=("actual", "predicted", "all"),
            label="Cells show",
            served=one_or_none("actual", "predicted", "all"),
        ),
        "models": MODELS,
        "interval": Kind(
            "NAME",
            one_or_none("auto", "wilson", "exact", "dirichlet", "bootstrap"),
            known=("auto", "wilson", "exact", "dirichlet", "bootstrap", "none"),
            label="Interval of the rates",
            help="Method for the intervals of the rates.",
        ),
        "level": replace(LEVEL, help="Confidence level of the intervals."),
        "resamples": replace(RESAMPLED, help="Draws for the intervals (none for Wilson's)."),
    },
    usual=dict.fromkeys(("target", "rates", "average"), ""),
)
CELL = Request(
    name="cell",
    function="plumbline.confusion.decisions:cell_rows",
    title="Which rows are behind a cell of the confusion matrix?",
    served=("actual", "predicted", "threshold", "target", "most"),
    kinds={
        "actual": Kind("CLASS", label="Actual class", help="Actual class of the cell."),
        "predicted": Kind("CLASS", label="Predicted class", help="Predicted class of the cell."),
        "threshold": CONFUSION.kinds["threshold"],
        "target": TARGET,
        "most": Kind("N", whole(0, 10_000), label="Rows shown", help="Most rows to show."),
    },
)
OF_CURVES = "plumbline.curves.presets:"
CURVE = Request(
    name="curve",
    function="plumbline.curves.curve:curve",
    title="ROC or any other curve; its best threshold.",
    doing="drawing",
    per_model=False,
    command=(
        *("preset", "x", "y", "where", "target", "multiclass", "x_title", "y_title", "sort_by"),
        *("merge", "average", "points", "thresholds", "span", "band", "level", "resamples", "rng"),
    ),
    served=(
        *("preset", "x", "y", "sort_by", "direction", "merge", "average", "points", "thresholds"),
        *("span", "band", "level", "resamples", "multiclass", "params", "x_title", "y_title"),
    ),
    kinds={
        "preset": Kind(
            "NAME",
            known=f"{OF_CURVES}PRESETS",
            label="Curve",
            help="A named curve, such as roc, precision-recall, gains, accuracy, profit, "
            "error-by-attribute; --list names all.",
        ),
        "x": Kind("FORMULA", formula, label="x", help="Formula of the horizontal axis."),
        "y": Kind("FORMULA", formula, label="y", help="Formula of the vertical axis."),
        "where": Kind("FORMULA", formula, help="Use only the rows for which this formula is true."),
        "target": TARGET,
        "params": Kind("NAME=X", named_numbers, label="Parameters"),
        "multiclass": Kind(
            "NAME",
            known=f"{OF_CURVES}MULTICLASS",
            label="Several classes",
            help="per-class, micro or macro: each class in turn against the rest.",
        ),
        "x_title": Kind("TEXT", formula, label="Title of x", help="Title of the horizontal axis."),
        "y_title": Kind("TEXT", formula, label="Title of y", help="Title of the vertical axis."),
        "sort_by": Kind(
            "KEY",
            formula,
            label="Sort data by",
            help="Sort key: probability, score, an attribute or any formula of rows. "
            "Default: the rating of the table.",
        ),
        "direction": Kind("NAME", known=f"{OF_CURVES}DIRECTIONS", label="Direction"),
        "merge": Kind(
            "NAME",
            known=f"{OF_CURVES}MERGES",
            label="Merge rows of equal value",
            help="Rows of equal sort value: last (default; one point, after the last of "
            "them), average, or none (a point for each row).",
        ),
        "average": Kind(
            "NAME",
            known=f"{OF_CURVES}AVERAGES",
            label="Averaging",
            help="Folds: merge (default; all rows together), none (a line for each fold), "
            "vertical or threshold averaging, or smooth (local regression over all "
            "rows).",
        ),
        "points": Kind("M", whole(2, 100_000), label="Points along x"),
        "thresholds": Kind("I", whole(2, 100_000), label="Thresholds"),
        "span": Kind("SHARE", number, label="Share of the rows in the window"),
        "band": Kind(
            "NAME",
            known=f"{OF_CURVES}BANDS",
            label="Band",
            help="none, bootstrap (intervals from resampled rows) or folds (spread of the averaged "
            "folds).",
        ),
        "level": replace(
            LEVEL,
            label="Level of the band",
            help="Coverage of bands, of intervals of areas, and of the best thresholds.",
        ),
        "resamples": replace(RESAMPLED, parse=whole(20)),
    },
    usual=dict.fromkeys(
        ("where", "target", "sort_by", "merge", "average", "x_title", "y_title"), ""
    ),
)
OPTIMUM = Request(
    name="optimum",
    function="plumbline.curves.best_threshold:best_threshold",
    title="Where is a curve best?",
    host="curve",
    command=("goal", "subject_to"),
    served=("goal", "y", "subject_to"),
    python=("level", "resamples", "folds"),
    kinds={
        "goal": Kind(
            "[max|min]",
            known=("max", "min"),
            option="optimum",
            label="Find the",
            help="Find the threshold at which y is highest or lowest, its plateau, and "
            "its cross-validated value.",
        ),
        "y": Kind("FORMULA", formula, label="value of"),
        "subject_to": Kind(
            "FORMULA",
            formula,
            label="Only where",
            help="Condition at the threshold of --optimum, such as 'recall >= 0.85'.",
        ),
    },
    usual={"goal": ""},
)
CASES = Request(
    name="cases",
    function="plumbline.curves.cases_between:cases_between",
    title="Which rows lie between two thresholds, and how do they differ?",
    served=("low", "high", "most"),
    kinds={
        "low": Kind("T", any_number, label="From", help="Lower end of the band."),
        "high": Kind("T", any_number, label="to below", help="Upper end of the band."),
        "most": Kind("N", whole(0, 100_000), label="Rows shown"),
    },
)
READING = Request(
    name="reading",
    function="plumbline.curves.readings:read_curve",
    title="What are the values of a curve at a threshold?",
    served=("threshold",),
    kinds={"threshold": Kind("T", any_number, label="Threshold")},
)
COST = Kind("COST", any_number, help="Cost of one such error.")
ISO_COST = Request(
    name="iso-cost",
    function="plumbline.curves.goals:cheapest_points",
    title="Where on a ROC curve do errors cost least?",
    served=("fp", "fn"),
    kinds={
        "fp": replace(COST, label="A false positive costs"),
        "fn": replace(COST, label="A false negative costs"),
    },
)
DIFFERENCE = Request(
    name="difference",
    function="plumbline.curves.curve_difference:curve_difference",
    title="Where do the curves of two models differ?",
    served=("models", "width"),
    python=("points", "span", "level", "resamples"),
    per_model=False,
    kinds={"models": MODELS, "width": WIDTH},
)
SUBGROUPS = Request(
    name="subgroups",
    function="plumbline.curves.subgroups:curves_by_group",
    title="How does the curve differ between groups of rows?",
    served=("by", "most", "width"),
    per_model=False,
    kinds={
        "by": Kind("COL", label="One curve for each", help="Attribute whose values are groups."),
        "most": Kind("N", whole(1, 24), label="Groups shown"),
        "width": WIDTH,
    },
)
MOST_GROUPS = 200  # that a page draws; a convention
CLASS_COUNTS = Request(
    name="class-counts",
    function="plumbline.curves.class_counts:class_counts",
    title="How many rows of every class have which value?",
    room="overview",
    served=("by", "bins"),
    kinds={
        "by": Kind("COL", label="Rows by"),
        "bins": Kind("N", whole(1), label="Bins", served=whole(1, MOST_GROUPS)),
    },
)
ESTIMATE = Request(
    name="estimate",
    function="plumbline.validation.estimate:estimate",
    title="How well does a classifier do on new rows?",
    doing="estimate",
    command=("scheme", "metrics", "positive", "resubstitution", "rng", "workers"),
    python=("refit",),
)

DIAGNOSIS = Request(
    name="diagnosis",
    function="plumbline.calibration_tests.diagnose:diagnose",
    title="What is wrong with the probabilities, and what would correct it?",
    room="calibration",
    doing="testing",
    served=("view", "resamples"),
    python=("level",),
)
SENSITIVITY = Request(
    name="sensitivity",
    function="plumbline.calibration_errors.bin_sensitivity:bin_sensitivity",
    title="How much does the calibration error depend on the bins?",
    room="calibration",
    doing="resampling",
    served=("view", "distance", "resamples"),
)
MOST_CONDITIONS = 3  # of a slice; bounds the search while a page waits
SLICES = Request(
    name="slices",
    function="plumbline.group_calibration.worst_slice:worst_slice",
    title="Which slice of the rows is worst calibrated?",
    doing="searching",
    served=("view", "depth", "resamples"),
    python=("least", "top"),
    kinds={
        "depth": Kind("N", whole(1), label="Conditions", served=whole(1, MOST_CONDITIONS)),
    },
)
INPUT_CHECK = Request(
    name="doctor",
    function="plumbline.input_checks:check_input",
    title="What is unusual about the rows?",
    per_model=False,
)

REJECTS = Kind(
    "ALPHA", open_fraction, label="Level", help="A test rejects where p is at most this."
)
MOST_SETS, MOST_ROWS = 1000, 10_000_000  # a page waits for the answer; the command line takes more
LEAST_LEVEL = 0.001  # a test of a level draws the labels 10 / level times
MOST_POWER = 0.99  # a power of 1 needs infinitely many rows

PLAN = Request(
    name="plan",
    function="plumbline.power.plan:plan",
    title="How many rows are needed to detect miscalibration?",
    room="calibration",
    doing="planning",
    command=(
        *("effect", "power", "level", "statistic", "n", "classes", "dirichlet", "datasets"),
        *("resamples", "rng", "workers"),
    ),
    served=("effect", "power", "level", "statistic", "n", "datasets"),
    kinds={
        "effect": Kind(
            "KIND:SIZE",
            effect,
            known="plumbline.power.effects:KINDS",
            label="Effect",
            help="Miscalibration to detect: overconfident:1.2 (temperature 1.2 would "
            "correct it), underconfident:0.8, shift:0.05[:CLASS] (P(CLASS) is that "
            "much too low), random-labels:0.05 (that share of labels is random) or "
            "ece:0.03 (overconfident, with this population ECE).",
        ),
        "power": Kind(
            "P",
            open_fraction,
            label="Power",
            help="Power to reach: share of such data sets that the test rejects.",
            served=Within(0.0, MOST_POWER),
        ),
        "level": replace(REJECTS, served=Within(LEAST_LEVEL)),
        "statistic": Kind(
            "NAME",
            known="plumbline.power.plan:STATISTICS",
            label="Test",
            help="Test to plan for: omnibus (as in plumbline test), ece, log-loss, ...; "
            "or auto, which compares the quick tests and recommends one.",
        ),
        "n": Kind(
            "N",
            whole(2),
            label="Rows",
            help="Number of rows whose power is shown. Default: those of FILE.",
            served=whole(2, MOST_ROWS),
        ),
        "classes": Kind("K", whole(2), help="Without FILE: the number of classes."),
        "dirichlet": Kind(
            "A[,B,...]",
            numbers,
            help="Without FILE: predictions come from this Dirichlet distribution (default 0.5; "
            "small for confident predictions, 1 for uniform ones).",
        ),
        "datasets": Kind(
            "R",
            whole(30),
            label="Data sets",
            help="Data sets for each point of the curve (default 150; for the omnibus 50 of fewer "
            "than 200 rows or in groups).",
            served=whole(30, MOST_SETS),
        ),
        "resamples": Kind(
            "M",
            whole(1),
            help="Resamples of each test (default 999 for the omnibus, as in plumbline "
            "test; 10 / level - 1 for the others).",
        ),
    },
    usual=dict.fromkeys(("datasets", "resamples"), ""),
)
POWER = Request(
    name="power",
    function="plumbline.power.power_study:power_study",
    title="How often do calibration tests detect known faults?",
    doing="power",
    per_model=False,
    command=(
        *("experiments", "views", "bins", "distances", "points", "datasets", "resamples", "level"),
        *("rng", "like", "statistic", "group_size", "dependence", "covertype", "workers"),
    ),
    kinds={
        "experiments": Kind(
            "1,4,...",
            words,
            help="Experiments of the thesis, 1 to 9 (7 and 8 fit classifiers).",
        ),
        "views": Kind(
            "cw,cf",
            words,
            help="Calibration errors: cw (classwise) and cf (confidence, the top label).",
        ),
        "bins": Kind(
            "BINS",
            help="plumbline: equal size 5, 10, ..., 100 and equal width 5 to 500, by the "
            "conventions of the other commands; thesis: the same numbers by the thesis' code; or a "
            "list such as equal-size:10,equal-width:15.",
        ),
        "distances": Kind("NAMES", words, help="absolute, square and log."),
        "points": Kind("N", whole(1), help="Rows of a data set."),
        "datasets": Kind("R", whole(1), help="Data sets of an experiment."),
        "resamples": Kind(
            "M",
            whole(1),
            help="Resamples of each test (default 100, with --statistic 999).",
        ),
        "level": REJECTS,
        "like": Kind(
            "NAME",
            help="thesis: bins and p-values as in the thesis (p = draws at least as large / M).",
        ),
        "statistic": Kind(
            "NAME",
            known="plumbline.calibration_errors:TESTS",
            help="Use this test (omnibus, ece, log-loss, ...: see plumbline test) instead "
            "of the grid of calibration errors.",
        ),
        "group_size": Kind("N", whole(1), help="Rows of a group, of a test by its name."),
        "dependence": Kind(
            "R", number, help="Correlation of the rows of a group, 0 to 0.95, with --group-size."
        ),
        "covertype": Kind(
            "FILE",
            help="The Covertype data of experiments 7 and 8, CSV or Parquet; fetched if not given.",
        ),
    },
    usual={
        "views": "both",
        "bins": "plumbline",
        "distances": "all three",
        "resamples": "",
    },
)
MONITOR = Request(
    name="monitor",
    function="plumbline.monitoring.monitor:monitor",
    title="Is the model still calibrated, window after window?",
    room="calibration",
    doing="comparing",
    served=("by", "reference", "level", "resamples"),
    kinds={
        "by": Kind("COL", label="Windows", help="Attribute whose values are windows, in order."),
        "reference": Kind(
            "N",
            whole(1),
            label="Reference windows",
            help="Number of first windows from which calibration must not differ. Empty: it is "
            "tested whether the windows are calibrated.",
            served=whole(1, MOST_GROUPS),
        ),
        "level": replace(LEVEL, label="Level"),
    },
)
RECALIBRATION = Request(
    name="recalibration",
    function="plumbline.advisor.recalibrate:recalibrate",
    title="Can the probabilities be recalibrated, and by what?",
    doing="recalibrating",
    served=("method",),
    python=("floor", "bins", "bounded", "knots", "regularisation"),
    kinds={
        "method": Kind(
            "NAME", recalibration_method, known="plumbline.recalibration:METHODS", label="Method"
        )
    },
)

INIT = Request(
    name="init",
    function="plumbline.gate.proposed:proposed_rules",
    title="Which rules do today's numbers keep?",
    room="models",
    python=("resamples",),
    per_model=False,
)
CHECK = Request(
    name="check",
    function="plumbline.gate.check:check",
    title="Does the model keep the rules? Pass, fail or not enough rows.",
    room="models",
    doing="checking",
    per_model=False,
    command=(
        *("rules", "baseline", "level", "familywise", "on_not_enough", "init"),
        *("resamples", "rng", "workers"),
    ),
    served=("rules", "level", "familywise"),
    kinds={
        "rules": Kind(
            "FILE",
            label="Rules",
            help="TOML file of rules, as --init writes it.",
            served=rules_text,
            lines=True,
        ),
        "baseline": Kind(
            "FILE",
            label="Baseline",
            help="What differences are to: a file of the same rows, or a model of FILE. By default "
            "what the rules say.",
        ),
        "level": replace(LEVEL, help="Level of each one-sided bound. Default: that of the rules."),
        "familywise": Kind(
            "",
            flag,
            label="All rules together",
            help="Share the level of passes among the rules (Bonferroni).",
        ),
        "on_not_enough": Kind(
            "NAME",
            known=("fail", "warn"),
            label="Where rows are not enough",
            help="Exit status where a rule is not decided: fail (3) or warn (0). Default: that of "
            "the rules, else fail.",
        ),
        "init": Kind(
            "",
            flag,
            help="Propose rules that today's numbers keep; --out rules.toml writes them.",
        ),
        "resamples": replace(RESAMPLED, parse=whole(39), help="Draws of bounds without a formula."),
    },
    usual={"level": "", "on_not_enough": "", "familywise": "", "baseline": "", "init": ""},
    variants={"init": INIT},
    writes=(".xml", ".md", ".toml", ".csv", ".svg", ".png", ".pdf"),
    prints=("github",),
    reader="read",
    answers_no_rows=True,
    examples=(
        "predictions.parquet --init --out rules.toml",
        "predictions.parquet --rules rules.toml",
        "predictions.parquet --out gate.xml --out gate.md",
        'predictions.parquet --baseline "naive Bayes" --annotate github',
        "predictions.parquet --level 0.99 --familywise --on-not-enough warn --json",
    ),
)

REQUESTS: Mapping[str, Request] = {
    row.name: row
    for row in (
        *(CALIBRATION, TEST, WITHIN, TEST_BY, DIAGNOSIS, SENSITIVITY, GROUPS, SLICES),
        *(HETEROGENEITY, INPUT_CHECK),
        *(PLAN, POWER, MONITOR, RECALIBRATION, INIT, CHECK),
        *(SCORES, MODEL_SCORES, COMPARE, ESTIMATE, CONFUSION, CELL),
        *(CURVE, OPTIMUM, CASES, READING, ISO_COST, DIFFERENCE, SUBGROUPS, CLASS_COUNTS),
    )
}
