"""How to make a curve again: the call of the library, and the command line."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from plumbline.command_words import command_line, file_word, option_words, options_words
from plumbline.curves import PRESETS, CurveSettings, preset_settings
from plumbline.python_calls import call, literal

_USUAL = {f.name: f.default for f in fields(CurveSettings)} | {"params": {}}


def chosen(settings: CurveSettings) -> dict[str, Any]:
    """Return the settings that differ from the usual ones, the preset first where it says some.

    >>> from plumbline.curves.presets import CurveSettings
    >>> chosen(CurveSettings("FPR", "TPR", preset="roc", x_title="a", y_title="b", points=50))
    {'preset': 'roc', 'points': 50, 'x_title': 'a', 'y_title': 'b'}
    """
    values = settings.to_dict()
    known: dict[str, Any] = dict(_USUAL)
    if settings.preset is not None and settings.preset in PRESETS:
        needs = {"x": settings.x} if PRESETS[settings.preset].x is None else {}
        known |= preset_settings(settings.preset, **needs)
        known |= {"preset": None, **({"x": None} if needs else {})}
    names = ["preset", "x", "y", "where", "target", *values]
    return {name: values[name] for name in dict.fromkeys(names) if values[name] != known[name]}


def curve_call(
    settings: CurveSettings,
    function: str = "plumbline.curve",
    *,
    unused: Collection[str] = (),
    **more: Any,
) -> str:
    """Return the Python call that draws a curve with these settings from `data`, or a difference.

    Settings that the curve does not use, `unused`, are left out, for the call refuses them.

    >>> curve_call(CurveSettings("FPR", "TPR", average="smooth", seed=3))
    "plumbline.curve(data, x='FPR', y='TPR', average='smooth', rng=3)"
    """
    kept = {name: value for name, value in chosen(settings).items() if name not in unused}
    params = {"rng" if name == "seed" else name: value for name, value in kept.items()}
    preset = [literal(params.pop("preset"))] if "preset" in params else []
    given = [f"{name}={literal(value)}" for name, value in (params | more).items()]
    return call(function, "data", *preset, *given)


def curve_command(
    settings: CurveSettings,
    *,
    file: str = "FILE",
    read: Mapping[str, Any] | None = None,
    unused: Collection[str] = (),
    more: Mapping[str, Any],
) -> str:
    """Return the command line that draws a curve with these settings from a file.

    `read` has the arguments of `plumbline.read` and names that were chosen. Settings that the curve
    does not use, `unused`, are left out, for the command refuses them.

    >>> curve_command(CurveSettings("FPR", "TPR", where="age > 50"), more={"out": "roc.svg"})
    "plumbline curve FILE --x FPR --y TPR --where 'age > 50' --out roc.svg"
    """
    words = ["plumbline", "curve", file_word(file), *options_words(read or {})]
    for name, value in chosen(settings).items():
        if name in unused:
            continue
        if name == "direction":
            words.append(f"--{value}")
        elif name == "params":
            words += option_words("param", value)
        else:
            words += option_words(name, value)
    return command_line([*words, *options_words(more)])
