"""What happens to features inside each training part, before a model is fitted on them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from plumbline._checks import need_extra, shown
from plumbline.errors import ParameterError
from plumbline.formatting import counted

if TYPE_CHECKING:
    from plumbline.cli.estimate_data import FeatureColumn, LearningData

WAYS = ("auto", "scale", "none")
MOST_CATEGORIES = 50
MODEL = "model"  # the step of the pipeline that is the user's own
PREFIX = f"{MODEL}__"


def prepared(model: Any, rows: "LearningData", way: str) -> Any:
    """Return a pipeline that makes the features fit for the model, or the model if they are.

    Everything it learns (medians, categories, means and deviations) it learns from the training
    part alone, as part of what is fitted.
    """
    kinds = _kinds(rows, way)
    if not kinds:
        return model
    pipeline = need_extra("sklearn.pipeline", "sklearn", "plumbline estimate")
    steps = _of_table(rows, kinds) if "categories" in kinds else _of_numbers(kinds)
    return pipeline.Pipeline([*steps, (MODEL, model)])


def needs_preparing(rows: "LearningData", way: str) -> bool:
    """Tell whether anything happens to the features."""
    return bool(_kinds(rows, way))


def _kinds(rows: "LearningData", way: str) -> list[str]:
    """Return what is done: "categories", "missing", "scale"."""
    text = [column for column in rows.features if column.category]
    if way == "none":
        if text:
            names = [column.name for column in text]
            raise ParameterError(
                f"--preprocess none leaves features as they are, but {shown(names)} hold text, "
                "which no classifier takes; use --preprocess auto, or --drop them"
            )
        return []
    numbers = [column for column in rows.features if not column.category]
    known = {
        "categories": bool(text),
        "missing": any(column.missing for column in numbers),
        "scale": way == "scale" and bool(numbers),
    }
    return [name for name, applies in known.items() if applies]


def _of_table(rows: "LearningData", kinds: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the step that treats numbers and categories apart."""
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline

    places = {
        flag: [i for i, column in enumerate(rows.features) if column.category is flag]
        for flag in (False, True)
    }
    numbers = Pipeline(_of_numbers([*kinds, "missing"]))  # filling makes floats of objects, too
    parts = [("numbers", numbers, places[False]), ("categories", _of_categories(), places[True])]
    both = [part for part in parts if part[2]]
    return [("prepare", ColumnTransformer(both, sparse_threshold=0))]


def _of_numbers(kinds: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the steps that fill missing numbers with the median, and standardise."""
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import StandardScaler

    known = {
        "missing": ("fill", SimpleImputer(strategy="median", keep_empty_features=True)),
        "scale": ("scale", StandardScaler()),
    }
    return [step for kind, step in known.items() if kind in kinds]


def _of_categories() -> Any:
    """Return what makes a column of 0 and 1 of each category; a missing one is one too."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    return make_pipeline(
        SimpleImputer(missing_values=None, strategy="constant", fill_value="(missing)"),
        OneHotEncoder(
            handle_unknown="infrequent_if_exist",
            max_categories=MOST_CATEGORIES,
            sparse_output=False,
        ),
    )


def preparation_text(rows: "LearningData", way: str) -> str:
    """Say in one sentence what happens to the features."""
    kinds = _kinds(rows, way)
    parts = []
    text = [column for column in rows.features if column.category]
    numbers = [column for column in rows.features if not column.category]
    if "categories" in kinds:
        parts.append(f"{counted(len(text), 'text feature')} one-hot encoded ({_names(text)})")
    if "missing" in kinds:
        holes = [column for column in numbers if column.missing]
        count = counted(sum(column.missing for column in holes), "missing number")
        parts.append(f"{count} replaced by the median ({_names(holes)})")
    if "scale" in kinds:
        parts.append(f"{counted(len(numbers), 'number')} standardised")
    if rows.empty:
        parts.append(f"left out as empty: {shown(rows.empty)}")
    where = ", inside each training part" if kinds else ""
    return f"{'; '.join(parts)}{where}" if parts else "taken as they are"


def _names(columns: Sequence["FeatureColumn"]) -> str:
    return shown([column.name for column in columns], 6).replace("'", "")
