"""FIT: the rows that `recalibrate` fits a map on; for given shares without their true classes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.cli.prediction_file import read_source
from plumbline.cli.recalibrate_new import New, read_new
from plumbline.errors import ParameterError

if TYPE_CHECKING:
    from plumbline import Predictions

SHIFT = "prior-shift"
ALONG = ("model", "weight")


def read_fit(
    file: Path, how: Mapping[str, Any], *, method: str, settings: Mapping[str, Any]
) -> tuple["Predictions", New | None]:
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
            "prior=em starts from the shares of the classes that the classifier was trained on; "
            "give --option 'training={\"CLASS\": share, ...}' too"
        )
    for name in ("prior", "training"):
        if isinstance(settings.get(name), Mapping) and len(settings[name]) > 1:
            return [str(one) for one in settings[name]]
    return None


def _need_no_choice(how: Mapping[str, Any]) -> None:
    for name in ("folds", "repeats"):
        if how[name] is not None:
            raise ParameterError(
                f"--{name} chooses among rows with their true classes, and FIT has none"
            )
