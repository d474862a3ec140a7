"""Settings of curves, without those that change nothing, which the library refuses."""

from typing import Any

from plumbline.curves import complete_settings, given_settings, unused_settings
from plumbline.predictions import Predictions


def used_only(data: Predictions, *, difference: bool = False, **given: Any) -> dict[str, Any]:
    """Return the arguments of `curve`, or of `curve_difference`, that change what it draws.

    >>> data = Predictions.from_arrays([0, 1], [0.2, 0.8])
    >>> used_only(data, preset="roc", span=0.3, points=5)
    {'preset': 'roc'}
    """
    kept = {name: value for name, value in given.items() if name not in ("preset", "rng")}
    settings = given_settings(given.get("preset"), kept, given.get("rng", 0))
    unused = unused_settings(data, complete_settings(data, settings), difference=difference)
    return {name: value for name, value in given.items() if name not in unused}
