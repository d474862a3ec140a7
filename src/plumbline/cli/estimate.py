"""The command `estimate`: how well classifiers do on rows they have not seen."""

import contextlib
import dataclasses
import importlib
import sys
import tomllib
import traceback
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline._checks import near_names, need_extra, shorten, shown
from plumbline.cli import options, terminal
from plumbline.cli.generic import entries_of, options_of, print_names
from plumbline.cli.messages import complain, printed_once, progress
from plumbline.cli.prediction_file import positive_of, stem_of, title_of
from plumbline.cli.terminal import paragraph, print_json
from plumbline.command_words import command_line
from plumbline.errors import InputError, ParameterError, PlumblineWarning
from plumbline.formatting import counted, printable, quoted
from plumbline.requests import REQUESTS

if TYPE_CHECKING:
    from plumbline import Search
    from plumbline.cli.estimate_data import LearningData
    from plumbline.results import Estimate

ENDINGS = (".csv", ".tsv", ".parquet", ".arrow", ".feather")
GRID_KEYS = ("params", "search", "candidates", "scoring")
# What a grid file may ask to draw from: lowest and highest value.
DISTRIBUTIONS = ("uniform", "loguniform", "integers")

EXAMPLES = f"""\b
{options.EXAMPLES}
  plumbline estimate measurements.csv --target diagnosis --model sklearn.naive_bayes:GaussianNB
  plumbline estimate measurements.csv --target diagnosis \\
      --model sklearn.linear_model:LogisticRegression --preprocess scale --param C=0.1 \\
      --scheme repeated-stratified:5x2 --out logistic.parquet
  plumbline estimate measurements.csv --target diagnosis \\
      --model sklearn.linear_model:LogisticRegression --preprocess scale \\
      --grid grid.toml --scheme nested:5x10 --out tuned.parquet
  plumbline estimate measurements.csv --target diagnosis \\
      --model nb=sklearn.naive_bayes:GaussianNB \\
      --model tree=sklearn.tree:DecisionTreeClassifier --param tree:max_depth=3

\b
The grid file, grid.toml:
  search = "grid"            # or "random" (with candidates = 20), or "halving"
  scoring = "brier-score"
  [params]
  C = [0.01, 0.1, 1, 10]     # random: C = {{distribution = "loguniform", low = 0.01, high = 10}}
"""


def _ways() -> Sequence[str]:
    from plumbline.cli.estimate_data import WAYS

    return WAYS


def _list(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        print_names(REQUESTS["estimate"], as_json="--json" in (ctx.obj or ()))
        ctx.exit()


@options.command(epilog=EXAMPLES)
@click.argument("data", type=options.FileName())
@options.separated_options
@click.option("--target", metavar="COL", required=True, help="Column of the class to predict.")
@click.option(
    "--model",
    "models",
    metavar="[NAME=]MODULE:NAME",
    multiple=True,
    required=True,
    help="A scikit-learn classifier: a class, a function that returns one, or an object. "
    "The current folder is searched too. Repeat it for several models on the same "
    "splits.",
)
@click.option(
    "--param",
    type=options.NamePair(),
    metavar="NAME=VALUE",
    multiple=True,
    help="Set a parameter. VALUE is read as TOML, else as text. For a step of a pipeline: "
    "step__name. For one of several models: MODEL:NAME=VALUE.",
)
@click.option(
    "--grid",
    type=click.Path(path_type=Path),
    metavar="TOML",
    help="File of hyper-parameters to choose from, inside each training part.",
)
@click.option(
    "--groups",
    metavar="COL",
    help="Column of groups. A group is never split between training and test rows.",
)
@click.option(
    "--time",
    metavar="COL",
    help="Column of dates or numbers that orders the rows for the scheme time-series:5. "
    "It is not a feature. Default: the order of the rows.",
)
@click.option("--drop", metavar="A,B", help="Columns to leave out.")
@click.option(
    "--keep",
    metavar="A,B",
    help="Columns to keep beside the predictions, not used as features.",
)
@click.option(
    "--preprocess",
    type=options.Name(_ways),
    metavar="NAME",
    default="auto",
    help="auto (default): one-hot encode text, replace missing numbers by the median. "
    "scale: also standardise numbers. none: leave features as they are. All are "
    "fitted inside each training part.",
)
@options_of(REQUESTS["estimate"])
@click.option(
    "--out",
    type=options.OutFile(*ENDINGS),
    metavar="FILE",
    help="Prediction table to write. Finished test parts are kept in the folder "
    "FILE.parts, so that an interrupted run continues.",
)
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="List what can be named, and exit.",
)
@options.output_options
@click.pass_obj
def estimate(
    typed: Sequence[str],
    /,
    data: Path,
    *,
    target: str,
    models: Sequence[str],
    param: Sequence[tuple[str, str]],
    as_json: bool,
    out: Path | None,
    **given: Any,
) -> None:
    """Estimate how well a classifier does on new rows, by cross-validation or another scheme.

    DATA is a CSV, JSON lines, Parquet or Arrow/Feather file (- is standard input). One column is
    the class, the other columns are features. The model is fitted on one part of the rows and
    measured on the rest. --out writes these predictions as a prediction table, which all other
    commands read.
    """
    from plumbline.cli import estimate_data

    request = REQUESTS["estimate"]
    values = request.checked(
        "command", {name: given.pop(name) for name in request.offered("command")}
    )
    way, grid, time = (given.pop(name) for name in ("preprocess", "grid", "time"))
    options.need_other_file([out], [data, grid])
    lists = {
        name: estimate_data.need_listed(f"--{name}", given.pop(name)) for name in ("drop", "keep")
    }
    rows = estimate_data.read_rows(
        data,
        target=target,
        groups=given.pop("groups"),
        time=time,
        separator=given.pop("separator"),
        decimal=given.pop("decimal"),
        **lists,
    )
    estimators = set_params(models_of(models), param)
    prefix = estimate_data.PREFIX if estimate_data.needs_preparing(rows, way) else ""
    search = None if grid is None else search_of(grid, estimators, prefix=prefix)
    if search is not None:
        _need_searched_alone(param, {str(name).removeprefix(prefix) for name in search.params})
    pipelines = {
        name: estimate_data.prepared(model, rows, way) for name, model in estimators.items()
    }
    estimated = _without_prefix(_estimated(pipelines, rows, search, out, values), prefix)
    results = [(None, estimated)]
    if as_json:
        written = {"out": None if out is None else str(out)}
        entries = [one | written for one in entries_of(results)[0]]
        print_json("estimate", entries, positive=positive_of(estimated.predictions))
        return
    click.echo(f"{printable(title_of([data]))}: {estimate_data.described(rows)}")
    click.echo(paragraph(f"Features: {estimate_data.preparation_text(rows, way)}."))
    if estimated.scheme.startswith("time-series"):
        order = "of the rows as they stand" if time is None else f"of column {quoted(time)}"
        click.echo(paragraph(f"Order: that {order}."))
    steps = _next(typed, estimated, data, out)
    click.echo(terminal.laid_out([estimated.present()], steps=steps))


def _estimated(
    models: Mapping[str, Any],
    rows: "LearningData",
    search: "Search | None",
    out: Path | None,
    values: Mapping[str, Any],
) -> "Estimate":
    """Estimate, and write the predictions; what is finished survives an interruption."""
    import plumbline
    from plumbline.checkpoints import discard

    parts = None if out is None else out.with_name(f"{out.name}.parts")
    try:
        with _gathered_warnings(), printed_once() as notes, progress("estimate") as bar:
            estimate = plumbline.estimate(
                dict(models),
                rows.matrix,
                rows.y,
                columns=rows.names,
                search=search,
                groups=rows.groups,
                time=rows.time,
                attributes=rows.attributes,
                left_out=rows.dropped,
                folder=parts,
                progress=bar,
                **values,
            )
            notes += estimate.present().notes
    except KeyboardInterrupt:
        if out is not None:
            complain("finished parts are kept; the same command continues from there")
        raise
    if out is not None and parts is not None:
        estimate.predictions.write(out)
        discard(parts)
    return estimate


@contextlib.contextmanager
def _gathered_warnings() -> Iterator[None]:
    """Say each thing that models warn of while they are fitted once, and how often it came."""
    warning_counts: Counter[str] = Counter()
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def gather(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, PlumblineWarning):
                usual(message, category, *where, **more)
            else:
                first, *_ = str(message).splitlines() or [""]
                warning_counts[f"{category.__name__}: {first}"] += 1

        warnings.showwarning = gather
        try:
            yield
        finally:
            for text, times in warning_counts.items():
                often = "" if times == 1 else f" ({times:,} times)"
                complain(f"warning: while fitting{often}: {text}")


def _without_prefix(estimate: "Estimate", prefix: str) -> "Estimate":
    """Name hyper-parameters as the user did, not as the pipeline around the model does."""

    def bare(params: Mapping[str, Any]) -> dict[str, Any]:
        return {name.removeprefix(prefix): value for name, value in params.items()}

    models = tuple(
        dataclasses.replace(
            one,
            folds=tuple(
                dataclasses.replace(fold, params=None if fold.params is None else bare(fold.params))
                for fold in one.folds
            ),
            choices=tuple({**choice, "params": bare(choice["params"])} for choice in one.choices),
        )
        for one in estimate.models
    )
    return dataclasses.replace(estimate, models=models)


def _next(
    typed: Sequence[str], estimate: "Estimate", file: Path, out: Path | None
) -> list[tuple[str, str]]:
    """Return which command goes on from the predictions, or the one that keeps them."""
    step = estimate.present().next_step
    if out is None or step is None:
        name = f"{stem_of([file])}_predictions.parquet"
        command = command_line(["plumbline", *typed, "--out", name])
        return [("Next", "Keep the predictions for the other commands."), ("", command)]
    from plumbline.predictions import count_examples

    held = count_examples(estimate.predictions)
    written = f"{printable(out)} ({counted(held.n, held.unit)})"
    return [("Predictions", written), *terminal.next_lines(step, source=[out])]


# ---------------------------------------------------------------- models


def models_of(specs: Sequence[str]) -> dict[str, Any]:
    """Return the estimators by name; `NAME=MODULE:ATTRIBUTE` names one, else its attribute does."""
    models: dict[str, Any] = {}
    for spec in specs:
        name, estimator = _model(spec)
        if name in models:
            raise ParameterError(
                f"--model is given twice under the name {quoted(name)}; give each a name of its "
                f"own: --model a={spec.rpartition('=')[2]}",
                code="given-twice",
            )
        models[name] = estimator
    return models


def _model(spec: str) -> tuple[str, Any]:
    need_extra("sklearn", "sklearn", "plumbline estimate")
    given, _, path = spec.rpartition("=")
    module, colon, attribute = path.partition(":")
    if not (module and colon and attribute):
        raise ParameterError(
            "--model must be [NAME=]MODULE:ATTRIBUTE, such as sklearn.naive_bayes:GaussianNB, "
            f"got {shorten(spec)}",
            code="wrong-kind",
        )
    thing = _attribute(_imported(module, path), attribute, module)
    return given or attribute, _estimator(thing, path)


def _imported(module: str, path: str) -> Any:
    """Import a module; those in the current folder are found too, as `python` finds them."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    importlib.invalidate_caches()
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = error.name or ""
        if module == missing or module.startswith(f"{missing}."):
            raise ParameterError(
                f"--model names the module {quoted(module)}, but there is no {quoted(missing)}; "
                "install it, or run in the folder that holds it",
                code="no-such-module",
            ) from error
        raise _failure(path, error) from error
    except (Exception, SystemExit) as error:  # whatever the user's own code raises
        raise _failure(path, error) from error


def _failure(path: str, error: BaseException) -> ParameterError:
    """Return what the user's own code raised, and in which of its lines."""
    what = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError):
        what = f"{type(error).__name__}: {error.msg}"
        places = [(error.filename or "", error.lineno)]
    else:
        places = [(one.filename, one.lineno) for one in traceback.extract_tb(error.__traceback__)]
    own = [(Path(file).name, line) for file, line in places if _is_own(file)]
    where = f" ({own[-1][0]}, line {own[-1][1]})" if own else ""
    return ParameterError(f"--model {path} fails: {what}{where}", code="estimator-fails")


def _is_own(file: str) -> bool:
    """Tell whether a file is the user's: of the current folder, and no installed package."""
    here = Path(file)
    return here.is_relative_to(Path.cwd()) and "site-packages" not in here.parts


def _attribute(module: Any, attribute: str, name: str) -> Any:
    if not hasattr(module, attribute):
        known = [one for one in dir(module) if _may_be_meant(getattr(module, one), name)]
        raise ParameterError(
            f"--model names {quoted(attribute)}, which the module {quoted(name)} does not hold"
            f"{near_names(attribute, known)}",
            code="unknown-name",
        )
    return getattr(module, attribute)


def _may_be_meant(thing: Any, module: str) -> bool:
    """Tell whether a module holds an estimator, or makes what is called to get one."""
    own = str(getattr(thing, "__module__", "")).startswith(module)
    return hasattr(thing, "fit") or (callable(thing) and own)


def _estimator(thing: Any, path: str) -> Any:
    """Return an estimator: what is named, or what the class or function that is named returns."""
    from plumbline.validation.estimators import other_kind

    if isinstance(thing, type) or not hasattr(thing, "fit"):
        if not callable(thing):
            raise ParameterError(
                f"--model {path} is no estimator, but {shorten(thing)}", code="no-classifier"
            )
        try:
            thing = thing()
        except (Exception, SystemExit) as error:  # whatever the user's own code raises
            trace = error.__traceback__
            if not isinstance(error, TypeError) or (trace is not None and trace.tb_next):
                raise _failure(path, error) from error
            raise ParameterError(
                f"--model {path} cannot be made without arguments ({error}); write a function "
                "that returns the estimator in a file of yours, and name that: --model "
                "my_models:my_classifier",
                code="estimator-fails",
            ) from error
    if not hasattr(thing, "fit") or not hasattr(thing, "get_params"):
        raise ParameterError(
            f"--model {path} is no scikit-learn estimator (one has fit and get_params), but "
            f"{shorten(thing)}",
            code="no-classifier",
        )
    other = other_kind(thing)
    if other is not None:
        raise ParameterError(f"--model {path} is {other}; name a classifier", code="no-classifier")
    return thing


# ---------------------------------------------------------------- parameters


def set_params(models: Mapping[str, Any], pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return the models with parameters set; `MODEL:NAME=VALUE` sets that of one model only."""
    from sklearn.base import clone

    params: dict[str, dict[str, Any]] = {name: {} for name in models}
    for left, text in pairs:
        model, colon, param = left.rpartition(":")
        if colon and model not in models:
            raise ParameterError(
                f"--param {left}={text} names no model; there are {shown(models)}"
                f"{near_names(model, models)}",
                code="unknown-name",
            )
        for name in [model] if colon else models:
            need_param(name, models[name], param)
            params[name][param] = toml_value(text)
    return {
        name: clone(model).set_params(**params[name]) if params[name] else model
        for name, model in models.items()
    }


def _need_searched_alone(pairs: Sequence[tuple[str, str]], searched: Collection[str]) -> None:
    """Refuse a value of a parameter that the search chooses."""
    for left, text in pairs:
        name = left.rpartition(":")[2]
        if name in searched:
            raise ParameterError(
                f"--param {left}={text} has no effect: --grid chooses {quoted(name)}",
                code="argument-beside-another",
                argument="param",
                remedy="leave one of them out",
            )


def need_param(name: str, model: Any, param: str) -> None:
    """Refuse a parameter that a model does not have."""
    known = model.get_params(deep=True)
    if param not in known:
        raise ParameterError(
            f"{name} has no parameter {quoted(param)}; it has {shown(sorted(known), 12)}"
            f"{near_names(param, known)}",
            code="unknown-parameter",
        )


def toml_value(text: str) -> Any:
    """Return what is written as TOML, `None` as None, anything else as text.

    >>> toml_value("0.1"), toml_value("[1, 2]"), toml_value("true"), toml_value("gini")
    (0.1, [1, 2], True, 'gini')
    """
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    return _none(value)


def _none(value: Any) -> Any:
    """Return "None" as None, which TOML cannot write."""
    if isinstance(value, list):
        return [_none(item) for item in value]
    return None if value == "None" else value


# ---------------------------------------------------------------- the grid


def search_of(path: Path, models: Mapping[str, Any], *, prefix: str) -> "Search":
    """Return the search a file asks for, its parameters under `prefix` (a step of a pipeline)."""
    import plumbline
    from plumbline.validation.search import KINDS

    spec = _read(path)
    for key in spec:
        if key not in GRID_KEYS:
            raise ParameterError(
                f"--grid: {path.name} holds {quoted(key)}; it may hold {', '.join(GRID_KEYS)}, "
                f"and parameters under [params]{near_names(key, GRID_KEYS)}",
                code="unknown-name",
            )
    params = spec.pop("params", None)
    if not isinstance(params, dict) or not params:
        raise ParameterError(
            f"--grid: {path.name} must hold a table [params] with lists of values, "
            "such as C = [0.1, 1, 10]",
            code="wrong-kind",
        )
    kind = spec.pop("search", "grid")
    if kind not in KINDS:
        raise ParameterError(
            f"--grid: the key search of {path.name} must be {' or '.join(map(quoted, KINDS))}, got "
            f"{shorten(kind)}{near_names(kind, KINDS)}",
            code="unknown-name",
        )
    for param in params:
        for name, model in models.items():
            need_param(name, model, param)
    values = {prefix + param: _values(param, given, kind) for param, given in params.items()}
    return plumbline.Search(params=values, kind=kind, **spec)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(
            f"--grid: {quoted(str(path))} cannot be read: {error.strerror}", code="unreadable-file"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"--grid: {path.name} is no TOML file: {error}", code="unreadable-file"
        ) from error


def _values(param: str, given: Any, kind: str) -> Any:
    """Return the values to try, or a distribution to draw them from."""
    if isinstance(given, list) and given:
        return _none(given)
    if not isinstance(given, dict):
        raise ParameterError(
            f"--grid: {param} must be a list of values, such as [1, 10], or a distribution, such "
            f'as {{distribution = "loguniform", low = 0.001, high = 10}}, got {shorten(given)}',
            code="wrong-kind",
        )
    if kind != "random":
        raise ParameterError(
            f"--grid: {param} is a distribution, which only a random search draws from; add "
            'search = "random" above [params], or give a list of values',
            code="argument-needs-another",
        )
    return _distribution(param, given)


def _distribution(param: str, given: Mapping[str, Any]) -> Any:
    from scipy import stats

    name, low, high = (given.get(key) for key in ("distribution", "low", "high"))
    sound = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (low, high))
    if name not in DISTRIBUTIONS or not sound or set(given) != {"distribution", "low", "high"}:
        raise ParameterError(
            f"--grid: {param} must have distribution ({', '.join(DISTRIBUTIONS)}), low and high, "
            f"got {shorten(dict(given))}",
            code="wrong-kind",
        )
    least = 0 if name == "loguniform" else -float("inf")
    if not least < low < high:  # type: ignore[operator]
        above = " and above 0" if name == "loguniform" else ""
        raise ParameterError(
            f"--grid: {param} must have low below high{above}, got {low}, {high}",
            code="out-of-range",
        )
    if name == "integers":
        return stats.randint(int(low), int(high) + 1)  # type: ignore[arg-type]
    if name == "uniform":
        return stats.uniform(low, high - low)  # type: ignore[operator]
    return stats.loguniform(low, high)
