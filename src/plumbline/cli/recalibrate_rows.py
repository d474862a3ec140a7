"""FIT and NEW of `recalibrate`: rows to fit on and rows to apply the map to, labelled or not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline._checks import shown
from plumbline.cli.prediction_file import (
    STDIN,
    inputs,
    listed,
    read_source,
    title_of,
)
from plumbline.cli.rows_left_out import RowsRead, remember_rows, rows_lines
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted, printable, quoted
from plumbline.predictions import Predictions
from plumbline.predictions.columns import class_marked
from plumbline.predictions.told import reading_of
from plumbline.progress import Progress
from plumbline.roles import Column, Reading, columns_of
from plumbline.roles.evidence import KNOWN, weigh_truth
from plumbline.roles.reading import ALONE

if TYPE_CHECKING:
    import pyarrow as pa

    from plumbline.predictions import TableSource
    from plumbline.predictions.files import FileTable
    from plumbline.recalibration import RecalibrationMap

PROB, SCORE = "p:", "score:"
TRUTHS = ("actual", "y_true")
STAND_IN = "actual"  # without observed classes, the classes in turn stand there, unused
UNSEEN = "true_class"  # what they are called where the other columns are decided
SHIFT = "prior-shift"
ALONG = ("model", "weight")
READ_AS = ("normalize", "missing", "logits", "scale")  # what a frame is told beside its columns
OTHER = "the map was fitted for the classes {}, but {} has {}"


@dataclass(frozen=True, slots=True)
class New:
    """Rows to recalibrate.

    Attributes
    ----------
    data : what the map reads; without true classes these are stand-ins
    truth : the column of the true classes, None where there is none
    table : all columns of the file, as they were
    probabilities : which of them hold probabilities
    left_out : rows without a value that `table` no longer has
    own : what the file calls columns of `table` that were recognised by another name
    """

    data: Predictions
    truth: str | None
    table: "pa.Table"
    probabilities: tuple[str, ...]
    left_out: int = 0
    own: Mapping[str, str] = field(default_factory=dict)

    @property
    def labelled(self) -> bool:
        """Tell whether the true classes are known."""
        return self.truth is not None

    @property
    def models(self) -> tuple[str, ...]:
        """Name of the model, where the file tells one."""
        if "model" not in self.table.column_names:
            return ()
        return (str(self.table.column("model")[0].as_py()),)

    def heading(self, file: Path) -> str:
        """Say in one line what was read."""
        from plumbline.cli.prediction_file import classes_read, heading

        if self.labelled:
            return heading(file, self.data)
        parts = [counted(self.table.num_rows, "row"), *classes_read(self.data)]
        first = f"{printable(title_of([file]))}: {', '.join(parts)}, without the true class"
        plain = all(class_marked(one, PROB) is not None for one in self.probabilities)
        read = f"Read: probability = {', '.join(map(printable, self.probabilities))}"
        return "\n".join([first, *([] if plain else [read]), *rows_lines(file)])

    def write(self, recalibrated: Predictions, path: Path) -> None:
        """Write the recalibrated rows, columns in the order of the file."""
        from plumbline.predictions.files import write_table
        from plumbline.predictions.probabilities import warn_of_lost_logarithms

        if self.labelled:
            warn_of_lost_logarithms(recalibrated.prob, recalibrated.log_prob)
        write_table(self.table_of(recalibrated), path)

    def table_of(self, recalibrated: Predictions) -> "pa.Table":
        """Return the recalibrated rows, columns in the order of the file.

        A file without true classes keeps all its other columns as they are.
        """
        table = recalibrated.to_frame() if self.labelled else self._with(recalibrated)
        if self.labelled and recalibrated.reading is not None:  # columns keep their names
            called = recalibrated.reading.parts
            table = table.rename_columns([called.get(name, name) for name in table.column_names])
        table = table.select(self._order(table.column_names))
        return table.rename_columns([self.own.get(name, name) for name in table.column_names])

    def _with(self, recalibrated: Predictions) -> "pa.Table":
        """Return the columns as they were, the recalibrated probabilities for the old ones."""
        import pyarrow as pa

        n, prob = self.table.num_rows, recalibrated.need_prob("writing")
        columns: dict[str, Any] = {
            name: self.table.column(name)
            for name in self.table.column_names
            if name not in self.probabilities
        }
        for j, name in enumerate(recalibrated.classes):
            columns[f"{PROB}{name}"] = prob[:n, j]
        return pa.table(columns)

    def _order(self, names: Sequence[str]) -> list[str]:
        """Return columns in the order of the file, new probabilities beside its first old ones."""
        old = self.table.column_names
        fresh = [name for name in names if name.startswith(PROB) and name not in old]
        order: list[str] = []
        for name in old:
            order.append("actual" if name == self.truth else name)
            order += fresh if name in self.probabilities else []
        return [name for name in dict.fromkeys([*order, *names]) if name in names]


def read_new(
    file: Path,
    how: Mapping[str, Any],
    *,
    classes: Sequence[str],
    positive: str | None,
    on: str = "probability",
    called: str = "NEW",
    along: Sequence[str] = (),
) -> New:
    """Read the rows to recalibrate by the options as far as the file has their columns.

    `classes`, `positive` and `on` are the map's: without true classes nothing else tells them.
    `along` are other columns to read then.
    """
    from plumbline.predictions.files import read_files

    written: dict[str, Any] = {name: how[name] for name in ("separator", "decimal")}
    written["names"] = None if how["names"] is None else listed("--names", how["names"], ())
    rename = dict(how["rename"])
    source = read_files(inputs([file]), actual=how["actual"], rename=rename, **written)
    if on == "probability":
        how = recognised(columns_of(source.table), how, classes, positive)
    new = _new_of(source, how, classes, positive, called=called, along=along)
    rows = RowsRead(title_of([file]), source.table.num_rows)
    missing = new.left_out + (new.data.reading.left_out if new.data.reading else 0)
    models = rows.rows - new.table.num_rows - new.left_out
    remember_rows(file, rows.without("models", models).without("missing", missing))
    return new


def _new_of(
    source: "FileTable",
    how: Mapping[str, Any],
    classes: Sequence[str],
    positive: str | None,
    *,
    called: str = "NEW",
    along: Sequence[str] = (),
    labelled: bool = True,
) -> New:
    """Return rows that were read; unless `labelled`, true classes are one more column."""
    guessed = dict(how.get("guessed", ()))
    renames = {**dict(how["rename"]), **guessed}
    source = replace(source, table=_renamed(source.table, renames, called))
    own = {part: name for name, part in guessed.items()}
    if not source.table.num_rows:
        raise InputError(f"{called} has no rows below its header", code="no-rows")
    source = _of_one_model(source, how["models"], called)
    table = source.table
    prob = {column: name for column, name in how["prob"] if column in table.column_names}
    truths = (how["actual"], *TRUTHS) if labelled else ()
    truth = [name for name in truths if name in table.column_names]
    read = _read_columns(table.column_names, prob, called)
    _check_classes(read, prob, classes, called)
    rated = ("score", *(name for name in read if class_marked(name, SCORE) is not None))
    rated = tuple(name for name in rated if name not in prob)
    probabilities = tuple(name for name in read if name not in rated)
    params = {"prob": prob or None} | {name: how[name] for name in READ_AS}
    if how["missing"] == ALONE:  # new rows are in no groups
        params["missing"] = None
    if truth:
        data = _labelled(source, truth[0], params, how["positive"], (classes, positive))
        return New(data, truth[0], table, probabilities, own=own)
    more = [name for name in along if name in table.column_names]
    params["positive"] = how["positive"] if how["positive"] is not None else positive
    if params["missing"] is not None:  # of all columns, as the others are written beside
        source = _complete(source, [*read, *(name for name in ALONG if name in more)])
    left_out, table = table.num_rows - source.table.num_rows, source.table
    stand_in = _with_stand_ins(replace(source, table=table.select([*read, *more])), classes)
    data = stand_in.checked(lambda rows: Predictions.from_frame(rows, actual=STAND_IN, **params))
    return New(data, None, table, probabilities, left_out, own)


def _complete(source: "FileTable", columns: Sequence[str]) -> "FileTable":
    """Return the rows that have a value in each of some columns."""
    from pyarrow import compute

    out: Any = False
    for name in columns:
        out = compute.or_(source.table.column(name).is_null(nan_is_null=True), out)
    kept = compute.indices_nonzero(compute.invert(out)).to_pylist()
    if not kept:
        raise InputError(
            "no row has a value in every column that plays a part", code="no-rows-left"
        )
    return source if len(kept) == source.table.num_rows else source.take(kept)


@dataclass(frozen=True, slots=True)
class LargeNew:
    """Many rows to recalibrate, which are read and written batch by batch.

    Their other columns stay as they are, the true classes among them.

    Attributes
    ----------
    sources : the files
    how : the options for reading
    classes, positive : of the map
    n : rows
    """

    sources: "Sequence[TableSource]"
    how: Mapping[str, Any]
    classes: tuple[str, ...]
    positive: str | None
    n: int

    @classmethod
    def of(
        cls, file: Path, how: Mapping[str, Any], classes: Sequence[str], positive: str | None
    ) -> "LargeNew | None":
        """Return the rows of a large file, None where they are read at once.

        These are text, and tables with models or without a column for each probability.
        """
        from plumbline.frames.batches import first_rows_of, rows_of, schema_of
        from plumbline.frames.read import is_large
        from plumbline.predictions import sources_of

        if file == STDIN or how["engine"] == "memory":
            return None
        sources = sources_of(file)
        if any(source.is_text for source in sources) or not is_large(sources):
            return None
        how = recognised(columns_of(first_rows_of(sources[0])), how, classes, positive)
        renamed = {**dict(how["rename"]), **dict(how.get("guessed", ()))}
        names = {renamed.get(name, name) for name in schema_of(sources[0]).names}
        given = {column for column, _ in how["prob"]}
        marked = any(class_marked(name, PROB) is not None for name in names)
        if "model" in names or not (names & {*given, "y_prob"} or marked):
            return None
        n = sum(rows_of(source) or 0 for source in sources)
        return cls(sources, how, tuple(classes), positive, n)

    def heading(self, file: Path) -> str:
        """Say in one line what is read."""
        return f"{printable(title_of([file]))}: {counted(self.n, 'row')}, read batch by batch"

    @property
    def models(self) -> tuple[str, ...]:
        """The name of the model, which no column tells."""
        return ()

    def write(
        self,
        fitted: "RecalibrationMap",
        path: Path,
        *,
        resubstitution: bool = False,
        progress: Progress | None = None,
    ) -> None:
        """Write the recalibrated rows, columns in the order of the file.

        Unless `resubstitution`, the first rows must not be those that the map was fitted on.
        """
        from plumbline.predictions.files import write_tables

        write_tables(self._recalibrated(fitted, resubstitution, progress), path)

    def _recalibrated(
        self, fitted: "RecalibrationMap", resubstitution: bool, progress: Progress | None
    ) -> "Iterator[pa.Table]":
        from plumbline.frames.batches import tables_of

        done = 0
        for source in self.sources:
            for part in tables_of(source):
                rows = _new_of(part, self.how, self.classes, self.positive, labelled=False)
                use = fitted.applied if done or resubstitution else fitted
                yield rows.table_of(use(rows.data))
                done += rows.table.num_rows
                if progress is not None:
                    progress(done, max(self.n, done))


def _labelled(
    source: "FileTable",
    truth: str,
    params: Mapping[str, Any],
    positive: str | None,
    of_map: tuple[Sequence[str], str | None],
) -> Predictions:
    """Return the rows; the map's positive class is theirs, unless they are of other classes."""
    classes, usual = of_map
    given = usual if positive is None else positive
    read = partial(Predictions.from_frame, actual=truth, **params)
    try:
        return source.checked(partial(read, positive=given))
    except (InputError, ParameterError):
        if positive is not None or usual is None:
            raise
        data = source.checked(read)
        raise InputError(
            OTHER.format(shown(classes), "NEW", shown(data.classes)), code="classes-differ"
        ) from None


def _check_classes(
    read: Sequence[str], prob: Mapping[str, str], classes: Sequence[str], called: str
) -> None:
    """Refuse columns of classes that the map does not know."""
    marks = (SCORE,) if prob else (PROB, SCORE)
    marked = [class_marked(name, mark) for mark in marks for name in read]
    named = [*prob.values(), *(name for name in marked if name is not None)]
    strange = [name for name in dict.fromkeys(named) if not {name, name.strip()} & {*classes}]
    if strange:
        text = OTHER.format(shown(classes), called, shown(list(dict.fromkeys(named))))
        raise InputError(
            f"{text}; name the columns by classes of the map: --prob COLUMN=CLASS",
            code="classes-differ",
        )


def _renamed(table: "pa.Table", rename: Mapping[str, str], called: str) -> "pa.Table":
    names = [rename.get(name, name) for name in table.column_names]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise InputError(
            f"after --rename {called} has several columns named {shown(twice)}; every column "
            "needs a name of its own",
            code="not-unique",
        )
    return table.rename_columns(names)


def _of_one_model(source: "FileTable", models: Sequence[str] | None, called: str) -> "FileTable":
    """Keep the rows of the map's model, if the file has a column `model`."""
    if "model" not in source.table.column_names:
        return source
    from pyarrow import compute

    column = compute.cast(source.table.column("model"), "string")
    known = [name for name in column.unique().to_pylist() if name is not None]
    names = known if models is None else listed("--models", models, known)
    if len(names) != 1:
        raise InputError(
            f"a map needs one model, {called} has {len(names)} ({shown(names)}); choose one with "
            "--models",
            code="one-model-to-map",
        )
    own = compute.equal(column, names[0]).fill_null(False).combine_chunks()
    kept = compute.indices_nonzero(own).to_pylist()
    if not len(kept):
        raise InputError(
            f"{called} has no row of the model {quoted(names[0])}; it has {shown(known)}",
            code="no-rows-left",
        )
    return source.take(kept)


def read_like(fit: Predictions, how: Mapping[str, Any]) -> dict[str, Any]:
    """Return options that read other rows as those of the fit were read, where that was guessed."""
    reading = fit.reading
    if reading is None or reading.own or reading.shape not in ("single", "classes"):
        return dict(how)
    return _told_by(reading, how, fit.classes[fit.positive])


def _told_by(reading: Reading, how: Mapping[str, Any], positive: str | None) -> dict[str, Any]:
    """Return options that say a reading; `guessed` are renames that nobody gave."""
    told = dict(how["rename"])
    prob = [(column, positive if target is None else target) for column, target in reading.prob]
    parts = {part: name for part, name in reading.parts.items() if part in ALONG}
    guessed = {name: part for part, name in parts.items() if name != part and name not in told}
    actual = how["actual"] or (None if reading.actual == UNSEEN else reading.actual)
    return {**how, "actual": actual, "prob": how["prob"] or tuple(prob), "guessed": guessed}


def recognised(
    columns: Sequence[Column], how: Mapping[str, Any], classes: Sequence[str], positive: str | None
) -> dict[str, Any]:
    """Return options that name the columns which names and values tell, where nobody names them.

    The true classes are in a column that is called so and has these classes; else a column in
    which the classes take turns stands in for them while the others are decided.
    """
    renamed = dict(how["rename"])
    names = {renamed.get(column.name, column.name) for column in columns}
    if how["prob"] or "y_prob" in names or any(class_marked(n, PROB) is not None for n in names):
        return dict(how)
    free = [column for column in columns if column.name not in renamed]
    truths = [one for one in free if one.name == how["actual"] or weigh_truth(one) >= KNOWN]
    truth = next((one for one in truths if {*one.labels} <= {*classes}), None)
    if truth is None:
        n = max((one.n for one in columns), default=0)
        free.append(replace(columns_of(_turns(classes, n))[0], name=UNSEEN))
    told = {name: how[name] for name in READ_AS} | {"positive": how["positive"] or positive}
    try:
        reading = reading_of(free, actual=None if truth is None else truth.name, **told)
    except (InputError, ParameterError):  # what is missing is said below
        return dict(how)
    if reading.shape not in ("single", "classes"):
        return dict(how)
    return _told_by(reading, how, told["positive"])


def _turns(classes: Sequence[str], n: int) -> "pa.Table":
    """Return a column in which the classes take turns."""
    import pyarrow as pa

    turn = pa.array([row % len(classes) for row in range(n)], pa.int32())
    truth = pa.DictionaryArray.from_arrays(turn, pa.array(list(classes), pa.string()))
    return pa.table({STAND_IN: truth})


def _read_columns(names: Sequence[str], prob: Mapping[str, str], called: str) -> list[str]:
    """Return the columns of probabilities and ratings."""
    named = list(prob) or [name for name in names if class_marked(name, PROB) is not None]
    named = named or [name for name in names if name == "y_prob"]
    rated = [name for name in names if name == "score" or class_marked(name, SCORE) is not None]
    rated = [name for name in rated if name not in named]
    if not named and not rated:
        raise InputError(
            f"{called} has no column of probabilities or ratings among {shown(names)}; it needs "
            "one column p:<class> per class, or score; or name them with --prob COLUMN=CLASS",
            code="nothing-to-read",
        )
    return named + rated


def _with_stand_ins(source: "FileTable", classes: Sequence[str]) -> "FileTable":
    """Return the columns with the classes in turn for the true ones; a single row comes twice."""
    if source.table.num_rows == 1:
        source = source.take([0, 0])
    truth = _turns(classes, source.table.num_rows).column(STAND_IN)
    return replace(source, table=source.table.append_column(STAND_IN, truth))


def read_fit(
    file: Path, how: Mapping[str, Any], *, method: str, settings: Mapping[str, Any]
) -> tuple[Predictions, New | None]:
    """Return the rows to fit on, and what the file holds where it has no true classes.

    Only prior shift with `prior` looks at none: then stand-ins take their place.
    """
    shares = _shares(settings)
    if method == SHIFT and shares is not None:
        classes = sorted(shares)
        rows = read_new(
            file,
            how,
            classes=classes,
            positive=how["positive"],
            called="FIT",
            along=ALONG,
        )
        if not rows.labelled:
            _need_no_choice(how)
            return rows.data.select(where=range(rows.table.num_rows)), rows
    return read_source(file, **how), None


def _shares(settings: Mapping[str, Any]) -> Sequence[str] | None:
    """Return the classes that `prior` or `training` name, None where `prior` is not given."""
    if settings.get("prior") is None:
        return None
    if settings["prior"] == "em" and settings.get("training") is None:
        raise ParameterError(
            "prior=em needs the class shares of the training data; give --option "
            "'training={\"CLASS\": share, ...}' too",
            code="argument-needs-another",
        )
    for name in ("prior", "training"):
        if isinstance(settings.get(name), Mapping) and len(settings[name]) > 1:
            return [str(one) for one in settings[name]]
    return None


def _need_no_choice(how: Mapping[str, Any]) -> None:
    for name in ("folds", "repeats"):
        if how[name] is not None:
            raise ParameterError(
                f"--{name} needs true classes, and FIT has none; leave it out",
                code="argument-says-nothing",
            )
