"""What `recalibrate` writes and prints: rows, maps, pictures, a page, texts, one JSON entry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline._checks import need_extra
from plumbline.atomic_files import write_whole
from plumbline.cli import terminal
from plumbline.cli.prediction_file import heading, inputs
from plumbline.cli.running import running
from plumbline.cli.terminal import entry, paragraph
from plumbline.formatting import printable

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline._result import Presentation
    from plumbline.advisor import RecalibrationAdvice, RecalibrationEffect
    from plumbline.cli.recalibrate_rows import LargeNew, New
    from plumbline.progress import Progress
    from plumbline.recalibration import Method, RecalibrationMap

ROWS, METHODS, MAP = "NEW before and after", "the methods", "the map"
CALLED = {".json": "Map", ".sql": "Map", ".py": "Map", ".onnx": "Map", ".html": "Report"}
PICTURES = (".svg", ".png", ".pdf")


@dataclass(frozen=True, slots=True)
class RecalibrateOutput:
    """What came of it: the map, why it, the new rows, and what it did to them.

    `bare` is FIT as it was read where it has no true classes; `large` are new rows that are
    recalibrated while they are written.
    """

    fit: "Predictions | None"
    map: "RecalibrationMap"
    advice: "RecalibrationAdvice | None" = None
    new: "New | None" = None
    large: "LargeNew | None" = None
    recalibrated: "Predictions | None" = None
    effect: "RecalibrationEffect | None" = None
    bare: "New | None" = None

    @property
    def pictured(self) -> str:
        """What a picture shows: new rows that were changed, else the methods, else the map."""
        if self.effect is not None and self.map.method != "none":
            return ROWS
        return MAP if self.advice is None else METHODS

    def write(self, path: Path, *, resubstitution: bool, progress: "Progress | None") -> None:
        """Write the recalibrated rows."""
        if self.large is not None:
            self.large.write(self.map, path, resubstitution=resubstitution, progress=progress)
        elif self.new is not None and self.recalibrated is not None:
            self.new.write(self.recalibrated, path)


def json_entry(
    output: RecalibrateOutput, out: Path | None, saved: Sequence[Path]
) -> dict[str, Any]:
    """Return the entry of `--json`: the map, the advice, the effect, the files."""
    models = () if output.fit is None else output.fit.models
    more = {
        "advice": output.advice,
        "effect": output.effect,
        "out": None if out is None else str(out),
        "maps": [str(path) for path in saved],
    }
    return entry(models[0] if models else None, output.map.to_dict() | more)


def save_map(
    fitted: "RecalibrationMap",
    path: Path,
    *,
    dialect: str | None,
    rows: Path,
    how: Mapping[str, Any],
) -> None:
    """Write the map as the ending of the file's name tells; SQL reads the columns of `rows`."""
    ending = path.suffix.lower()
    if ending == ".json":
        fitted.save(path)
    elif ending == ".onnx":
        model = fitted.to_onnx().SerializeToString()
        write_whole(path, lambda part: part.write_bytes(model))
    else:
        text = (
            fitted.to_python()
            if ending == ".py"
            else fitted.to_sql(dialect or "ansi", columns=_sql_columns(fitted, rows, how))
        )
        write_whole(path, lambda part: part.write_text(text, "utf-8"))


def _sql_columns(
    fitted: "RecalibrationMap", rows: Path, how: Mapping[str, Any]
) -> dict[str, str] | None:
    """Return class -> the column of a file that holds what the map reads of it.

    The names are those of the file itself, before --rename: a database holds the file as it is.
    """
    from plumbline.cli.recalibrate_rows import recognised
    from plumbline.frames.read import column_names, first_rows_as_written
    from plumbline.frames.states import is_state
    from plumbline.predictions import sources_of
    from plumbline.predictions.columns import class_marked
    from plumbline.roles import columns_of

    if fitted.on == "probability" and not is_state(rows):
        written = {"separator": how["separator"], "decimal": how["decimal"]}
        source = sources_of(inputs([rows]))[0].held()
        first, comma = first_rows_as_written(source, {"actual": how["actual"]}, **written)
        seen = columns_of(first, comma=comma)
        how = recognised(seen, how, fitted.classes, fitted.positive)
    renamed, named = dict(how["rename"]), dict(how["prob"])
    names = column_names(inputs([rows]), how["separator"])
    meant = {renamed.get(name, name): name for name in names}
    mark = "p:" if fitted.on == "probability" else "score:"
    targets = {name: class_marked(name, mark) for name in meant}
    marked = {name: label for name, label in targets.items() if label is not None}
    alone = "y_prob" if fitted.on == "probability" else "score"
    by_column = (named if fitted.on == "probability" else {}) or marked
    if not by_column and fitted.positive is not None and alone in meant:
        by_column = {alone: fitted.positive}
    columns = {
        _class_named(label, fitted.classes): meant[name]
        for name, label in by_column.items()
        if name in meant
    }
    return columns or None


def _class_named(label: str, classes: Sequence[str]) -> str:
    """Return the class a label means: 1.0 is the class 1, unless there is a class 1.0.

    Blanks around it are part of a class only where the class has them too.
    """
    label = label if label in classes else label.strip()
    return label if label in classes else label.removesuffix(".0")


def draw(output: RecalibrateOutput, path: Path) -> None:
    """Draw the new rows before and after; where none were changed the methods, else the map."""
    need_extra("matplotlib", "plot", "a picture")
    from plumbline.plots import before_after_figure, map_figure, methods_figure
    from plumbline.plots.save_figure import save_figure

    if output.pictured == ROWS and output.effect is not None:
        save_figure(before_after_figure(output.effect), path)
    elif output.pictured == METHODS and output.advice is not None:
        save_figure(methods_figure(output.advice), path)
    else:
        save_figure(map_figure(output.map), path)


def write_page(output: RecalibrateOutput, page: Path, **options: Any) -> None:
    """Write the report of the recalibrated rows, with a chapter before and after."""
    import plumbline

    if output.recalibrated is None:
        raise TypeError("a report needs recalibrated rows")
    plumbline.report(output.recalibrated, page, recalibrate=output.effect or "none", **options)


def whole_text(
    output: "RecalibrateOutput", *, fit: Path | None, new: Path | None, written: Sequence[Path]
) -> str:
    """Return all that is printed."""
    blocks = []
    if output.fit is not None and fit is not None:
        blocks = [heading(fit, output.fit) if output.bare is None else output.bare.heading(fit)]
    saved = next((path for path in written if path.suffix.lower() == ".json"), None)
    blocks.append(terminal.laid_out([_of_map(output)], steps=_of_saved(output, saved)))
    rows = output.large if output.new is None else output.new
    if rows is not None and new is not None:
        blocks.append(rows.heading(new))
        if output.large is not None:
            blocks.append("Recalibrated. What that changed is not tested: test the written rows.")
        elif output.effect is not None:
            blocks.append(terminal.laid_out([_of_effect(output.effect, new)]))
        else:
            blocks.append("Recalibrated. Without the true class the gain is unknown.")
    if written:
        blocks.append("\n".join(f"{_called(path, output)}: {printable(path)}" for path in written))
    return "\n\n".join(blocks)


def _of_saved(output: "RecalibrateOutput", saved: Path | None) -> list[tuple[str, str]] | None:
    """Return the lines of what to do next with a saved map; None where there is none to apply."""
    from plumbline._result import NextStep

    if saved is None or output.new is not None or output.large is not None:
        return None
    values = {"map": str(saved), "apply": "NEW.csv", "out": "recalibrated.csv"}
    return terminal.next_lines(NextStep("recalibrate", "Recalibrate new rows.", values), source=[])


def _of_map(output: "RecalibrateOutput") -> "Presentation":
    """Return the advice with the map as one of its facts, else the map; short above new rows."""
    from plumbline import _result

    of_map = output.map.present()
    if output.advice is None:
        values = {"method": output.map.method, "apply": "NEW.csv", "out": "recalibrated.csv"}
        step = _result.NextStep("recalibrate", "Recalibrate new rows.", values, per_model=True)
        use = output.new is None and output.large is None and output.map.method != "none"
        return replace(of_map, details=(), next_step=step if use else None)
    shown = output.advice.present()
    fact = of_map.summary.partition(": ")[2].rstrip(".")
    facts = [_result.Detail("map", "map", fact)] if output.map.method != "none" else []
    notes = (*shown.notes, *of_map.notes)
    if output.new is not None and not running().verbose:
        return _result.Presentation(summary=shown.summary, details=tuple(facts), notes=notes)
    return replace(shown, details=(*shown.details, *facts), notes=notes)


def _of_effect(effect: "RecalibrationEffect", new: Path) -> "Presentation":
    """Return what the map changed; the next step applies its map to the same rows."""
    shown = effect.present()
    if shown.next_step is None:
        return shown
    values = {**shown.next_step.values, "apply": str(new)}
    return replace(shown, next_step=replace(shown.next_step, values=values))


def _called(path: Path, output: "RecalibrateOutput") -> str:
    ending = path.suffix.lower()
    return f"Picture of {output.pictured}" if ending in PICTURES else CALLED.get(ending, "Rows")


# ------------------------------------------------------------------ the list


def list_rows() -> list[dict[str, Any]]:
    """Return every method as one row."""
    from plumbline.recalibration import METHODS

    return [
        {
            "method": row.name,
            "title": row.title,
            "text": row.text,
            "on": list(row.on),
            "several": row.several,
            "order": row.order,
            "options": dict(row.options),
            "source": row.source,
        }
        for row in METHODS.values()
    ]


def list_text() -> str:
    """Return the table of methods."""
    from plumbline._result import text_table
    from plumbline.recalibration import METHODS

    rows: list[Method] = list(METHODS.values())
    columns = {
        "method": [row.name for row in rows],
        "reads": [", ".join(row.on) for row in rows],
        "classes": [row.several for row in rows],
        "order": [row.order for row in rows],
        "options": [
            ", ".join(f"{k}={_spelt(v)}" for k, v in row.options.items()) or "-" for row in rows
        ],
    }
    note = (
        "classes: more than two classes all at once (native) or each against the rest. order: of "
        "the scores of two classes: kept, kept with ties, or free to change. Set options with "
        "--method NAME --option NAME=VALUE."
    )
    return f"{text_table(columns, left=tuple(columns))}\n\n{paragraph(note)}"


def _spelt(value: Any) -> str:
    import json

    if isinstance(value, float):
        return f"{value:.3g}"
    return value if isinstance(value, str) else json.dumps(value)
