"""Curves as files: points, cards, pictures and pages."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from plumbline._checks import need_extra
from plumbline._result import Result
from plumbline.atomic_files import write_whole
from plumbline.curves import BestThreshold, Cases, Curve, CurveDifference, curve_spec
from plumbline.errors import ParameterError
from plumbline.file_endings import (
    CARD_ENDINGS,
    CURVE_ENDINGS,
    DIFFERENCE_ENDINGS,
    PAGE_ENDINGS,
    PICTURE_ENDINGS,
    POINT_ENDINGS,
    need_ending,
)
from plumbline.predictions import Predictions

Best: TypeAlias = BestThreshold | Mapping[str | None, BestThreshold]


def save_curve(
    curve: Curve,
    path: str | Path,
    *,
    data: Predictions | None = None,
    best: Best | None = None,
    cases: Cases | None = None,
    command: str | None = None,
    hull: bool = False,
) -> None:
    """Write a curve to a file, whole or not at all; the ending of its name tells what kind.

    - .csv: a row a point: model, fold, threshold, x, y, and deviations or bands
    - .json: the card of the curve with all points, notes and titles;
      `plumbline curve FILE --card` draws it again
    - .svg, .png, .pdf: the picture
    - .html: a page with picture, formulas, how to read it, points and card, which needs no network

    Parameters
    ----------
    curve : Curve
        Result of `plumbline.curve`.
    path : str or Path
        The file.
    data : Predictions, optional
        Table that the curve was drawn from; a card and a page need it.
    best : BestThreshold or mapping of str to BestThreshold, optional
        Best thresholds, one for each model by name; marked in a picture of one line, and described
        on a page.
    cases : Cases, optional
        Rows to mark in the picture; a page tells how they differ.
    command : str, optional
        Command line that a page shows as its own.
    hull : bool, default False
        Draw the convex hull of every line within the unit square.

    Raises
    ------
    MissingExtraError
        Without the extra `plot` for pictures, `report` for pages.
    ParameterError
        For another ending, or where `data` is missing.
    InputError
        Where the folder does not exist.

    Examples
    --------
    >>> import tempfile
    >>> from plumbline.curves import curve
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_curve(curve(data, "roc"), f"{folder}/roc.csv")
    ...     print(Path(f"{folder}/roc.csv").read_text().splitlines()[:2])
    ['"model","fold","threshold","x","y"', ',,inf,0,0']
    """
    path = Path(path)
    need_ending(path, CURVE_ENDINGS)
    ending = path.suffix.lower()
    if data is None and ending in (*CARD_ENDINGS, *PAGE_ENDINGS):
        raise ParameterError(
            f"`data` is needed for {ending}, which says of which rows the curve is; pass the "
            "table that it was drawn from as data=...",
            code="argument-needs-another",
        )
    bests = _by_model(curve, best)
    if ending in PICTURE_ENDINGS:
        from plumbline.plots import curve_figure
        from plumbline.plots.save_figure import save_figure
        from plumbline.reporting.curve_page import only_best

        save_figure(curve_figure(curve, best=only_best(curve, bests), cases=cases, hull=hull), path)
        return
    write_whole(path, _writer(curve, ending, data, (bests, cases), command, path.stem, hull=hull))


def save_difference(difference: CurveDifference, path: str | Path) -> None:
    """Write a difference of two curves to a file, whole or not at all; its ending tells the kind.

    - .csv: a row a value of x: both curves, the difference, its bands and standard error
    - .json: all of it (`to_dict`), the verdict and the settings among it
    - .svg, .png, .pdf: the picture, which needs the extra `plot`

    Raises ParameterError for another ending, InputError where the folder does not exist.

    >>> import tempfile
    >>> from plumbline.curves import curve_difference
    >>> y, good, poor = [0, 1] * 9, [0.2, 0.7] * 9, [0.6, 0.3] * 9
    >>> data = Predictions.from_arrays(y * 2, poor + good, model=["old"] * 18 + ["new"] * 18)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = curve_difference(data, "accuracy", points=3, resamples=20)
    ...     save_difference(result, f"{folder}/accuracy.csv")
    ...     print(Path(f"{folder}/accuracy.csv").read_text().splitlines()[0])
    "x","y_first","y_second","difference","low","high","pointwise_low","pointwise_high","se"
    """
    path = Path(path)
    need_ending(path, DIFFERENCE_ENDINGS)
    ending = path.suffix.lower()
    if ending in PICTURE_ENDINGS:
        from plumbline.plots import difference_figure
        from plumbline.plots.save_figure import save_figure

        save_figure(difference_figure(difference), path)
    elif ending in POINT_ENDINGS:
        write_whole(path, lambda part: write_rows(difference, part))
    else:
        text = json.dumps(difference.to_dict(), indent=1, allow_nan=False) + "\n"
        write_whole(path, lambda part: part.write_text(text, "utf-8"))


def write_rows(result: Result, path: Path) -> None:
    """Write the rows of a result as CSV."""
    from pyarrow import csv

    csv.write_csv(result.to_frame("pyarrow"), path)


def _by_model(curve: Curve, best: Best | None) -> Mapping[str | None, BestThreshold]:
    """Return best thresholds by the name of their model."""
    if isinstance(best, BestThreshold):
        return {curve.lines[0].model if curve.lines else None: best}
    return best or {}


def _writer(
    curve: Curve,
    ending: str,
    data: Predictions | None,
    read_off: tuple[Mapping[str | None, BestThreshold], Cases | None],
    command: str | None,
    stem: str,
    *,
    hull: bool,
) -> Callable[[Path], Any]:
    """Return what fills the file of a curve that is text."""
    if ending in POINT_ENDINGS:
        return lambda part: write_rows(curve, part)
    assert data is not None  # was checked  # noqa: S101
    if ending in CARD_ENDINGS:
        return lambda part: part.write_text(_card_text(curve, data) + "\n", "utf-8")
    need_extra("jinja2", "report", "a page")
    need_extra("matplotlib", "report", "a page")
    from plumbline.reporting.curve_page import curve_page

    bests, cases = read_off

    def write(part: Path) -> None:
        page = curve_page(
            curve, data, bests=bests, cases=cases, command=command, name=stem, marks={"hull": hull}
        )
        part.write_bytes(page.encode("utf-8", "xmlcharrefreplace"))

    return write


def _card_text(curve: Curve, data: Predictions) -> str:
    """Return the card of a curve, and with it titles, lines with their points, and notes."""
    rest = curve.to_dict()
    lines = json.dumps(rest.pop("lines"), allow_nan=False)  # a million points take no indents
    del rest["settings"]
    whole = {**curve_spec(curve, data), **rest}
    head = json.dumps(whole, indent=1, allow_nan=False).removesuffix("\n}")
    return f'{head},\n "lines": {lines}\n}}'
