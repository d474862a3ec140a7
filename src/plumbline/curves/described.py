"""What a curve's settings say, in words."""

from collections import Counter
from collections.abc import Iterator

from plumbline.curves.lines import START, Curve
from plumbline.curves.presets import preset_of
from plumbline.curves.settings import CurveSettings
from plumbline.predictions import Predictions

ORDERS = {"descending": "from high to low", "ascending": "from low to high"}
MERGED = {
    "last": "rows of equal value make one point",
    "average": "rows of equal value make one point, their mean",
    "none": "every row makes a point",
}
CLASSES = {
    "per-class": "every class in turn against the rest",
    "micro": "every class against the rest, all in one: every row counts once a class",
    "macro": "the mean of the curves of all classes against the rest",
}


def rating_name(data: Predictions) -> str:
    """Return what the rows of a table are sorted by where nothing else is asked."""
    if data.prob is not None:
        return "probability"
    return "score" if data.score is not None else "answer"


def curve_title(settings: CurveSettings) -> str:
    """Return the name of a curve: its preset's, or what is drawn against what.

    >>> curve_title(CurveSettings("FPR", "TPR")), curve_title(CurveSettings("age", "eCA"))
    ('ROC curve', 'eCA by age')
    """
    preset = preset_of(settings)
    if preset is not None:
        return preset.title
    return f"{settings.y_title or settings.y} by {settings.x_title or settings.x}"


def described(curve: Curve, *, rating: str = "probability") -> str:
    """Say in one line how a curve is made; `rating` is what rows are sorted by unless told.

    >>> described(Curve(CurveSettings("FPR", "TPR", target="yes"), "FPR", "TPR", []))
    "rows sorted by probability from high to low; rows of equal value make one point; 'yes' counts \
as positive"
    """
    return "; ".join(_parts(curve, rating))


def dropped_of(curve: Curve) -> Counter[str]:
    """Count the points that all lines of a curve leave out, by the reason.

    The state before the first row, which has no row to show a value of, is not one of them.
    """
    found: Counter[str] = Counter()
    for line in curve.lines:
        found.update(line.dropped)
    del found[START]
    return found


def _parts(curve: Curve, rating: str) -> Iterator[str]:
    settings = curve.settings
    if settings.where is not None:
        yield f"only rows where {settings.where.strip()}"
    if settings.average == "smooth" and curve.x_names:
        yield "the mean of every category"
    elif settings.average == "smooth":
        window = f"{100 * settings.span:g} % of the rows"
        yield f"smoothed at {settings.points} places, each over {window}"
    else:
        yield from _order(settings, rating)
    yield from _folds(settings)
    if settings.multiclass is not None:
        yield CLASSES[settings.multiclass]
    elif settings.target is not None:
        yield f"{settings.target!r} counts as positive"
    if settings.params:
        yield ", ".join(f"{name} = {value:g}" for name, value in settings.params.items())


def _order(settings: CurveSettings, rating: str) -> Iterator[str]:
    if settings.direction == "unsorted":
        yield "rows in the order of the table"
        return
    key = rating if settings.sort_by is None else settings.sort_by.strip()
    yield f"rows sorted by {key} {ORDERS[settings.direction]}"
    yield MERGED[settings.merge]


def _folds(settings: CurveSettings) -> Iterator[str]:
    if settings.average == "none":
        yield "a line a fold"
    elif settings.average == "vertical":
        yield f"the mean of the folds at {settings.points} values of x"
    elif settings.average == "threshold":
        yield f"the mean of the folds at {settings.thresholds} thresholds"
