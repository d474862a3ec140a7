"""Whatever a request answers: a line with an interval and a p-value holds two that agree."""

from dataclasses import replace

import numpy as np

from duality import disagreement
from laws import law
from plumbline.group_calibration import conditional_bias
from plumbline.requests import REQUESTS
from request_cases import CASES, alone, of_the_library, paired_tables


def no_effect(entry):
    """Return the amount of a shape that changes nothing."""
    return 1.0 if entry["kind"] == "temperature" else 0.0


def ideal(entry):
    """Return the value of a measure of sites for calibrated rows, of an AUC that for no order."""
    return 1.0 if entry["measure"] == "slope" else 0.0


# Where an entry of this request holds this interval, its own p-value, and the value of the null.
PAIRS = {
    ("calibration", "interval_range"): ("p_value", "error"),
    ("by", "interval_range"): ("p_value", "error"),
    ("scores", "interval_range"): ("p_value", "error"),
    ("compare", "interval_range"): ("p_value", 0.0),
    ("groups", "bias"): ("bias_p_value", 0.0),
    ("heterogeneity", "mean"): ("mean_p_value", ideal),
    ("diagnosis", "estimate"): ("p_value", no_effect),
}
ASKED = {
    "calibration": {"interval": True, "resamples": 199},
    "by": {"resamples": 99},
    "scores": {"metrics": ["ece", "rms-ce"], "interval": True, "resamples": 199},
    "compare": {"metrics": ["log-loss", "brier-score", "accuracy"], "resamples": 199},
    "groups": {"resamples": 99},
    "heterogeneity": {"resamples": 0},
    "optimum": {"resamples": 199},
}
UNWEIGHTED = {
    "monitor",
    "confusion",
    "within",
    "heterogeneity",
}  # requests that refuse weights that differ
LEVELS = (0.8, 0.95, 0.99)
OF_TESTS = {"within", "diagnosis"}  # requests whose level is that of a test
AT_95 = {"diagnosis"}  # whose intervals have one level


def entries_of(value):
    """Yield every dictionary in plain data."""
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from entries_of(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from entries_of(one)


def intervals_of(entry):
    """Yield the name and the ends of every interval of an entry, but for ranges of a null."""
    for key, value in entry.items():
        if key.endswith("_low") and key[:-4] not in ("null", "band"):
            yield key[:-4], (value, entry[f"{key[:-4]}_high"])
        elif key == "low":
            yield "estimate", (value, entry["high"])
        elif key in ("interval", "interval_range") and not isinstance(value, (str, type(None))):
            yield key, value


def asked(name, data, level):
    """Return the plain answer of a request, at a level where it takes one."""
    values = {**CASES[name][0], **ASKED.get(name, {})}
    own = 1 - level if name in OF_TESTS else level
    found = of_the_library(name, alone(name, data), {**values, "level": own})
    entries, beside = found.json_entries()
    return [*entries, dict(beside)]


def contradictions(name, entries, level):
    """Return what does not agree in the entries of a request; a pair that is not known does not."""
    told = []
    for entry in entries_of(entries):
        for interval, ends in intervals_of(entry):
            if not any(key.endswith("p_value") for key in entry):
                continue
            if (name, interval) not in PAIRS:
                told.append((name, interval, "no row of PAIRS says whether these agree"))
                continue
            key, null = PAIRS[name, interval]
            null = null(entry) if callable(null) else null
            p, *ends = (np.nan if one is None else one for one in (entry[key], *ends))
            if null == "error":  # whose interval begins at 0: only a value above the mean tells
                p, null = (1.0 if entry["value"] < entry["null_mean"] else p), 0.0
            if (text := disagreement(*ends, p, level=level, null=null)) is not None:
                told.append((name, interval, text))
    return told


@law("name", sorted(set(CASES) - {"plan"}), number=6)
def test_every_line_of_an_answer_agrees_with_itself(name):
    """An interval of level 1 - a leaves the null value out exactly where its p-value is <= a."""
    told = []
    levels = LEVELS if "level" in REQUESTS[name].signature.parameters else (0.95,)
    for data in paired_tables():
        if data.weight is None or name not in UNWEIGHTED:
            for level in levels:
                of_interval = 0.95 if name in AT_95 else level
                told += contradictions(name, asked(name, data, level), of_interval)
    assert not told, "\n".join(map(str, told[:20]))


def test_every_bin_along_a_feature_has_a_p_value_that_agrees_with_its_interval():
    """As `conditional_bias` gives them, which is no request of its own."""
    told = []
    for data in paired_tables():
        for level in LEVELS:
            age = np.tile(np.random.default_rng(0).integers(20, 60, data.n // 2), 2)
            found = conditional_bias(
                replace(data, attributes={"age": age}), "age", level=level, resamples=39
            )
            for row in found.rows():
                ends = row["bias_low"], row["bias_high"]
                told.append(disagreement(*ends, row["bias_p_value"], level=level))
    assert not [text for text in told if text is not None]


def test_a_pair_that_disagrees_or_is_not_known_is_told():
    """The law would have found the p-value of another test beside the interval of a bias."""
    entry = {"bias_low": 0.01, "bias_high": 0.2, "bias_p_value": 0.2, "p_value": 0.01}
    assert len(contradictions("groups", [entry], 0.95)) == 1
    assert len(contradictions("doctor", [entry], 0.95)) == 1
    assert not contradictions("groups", [entry | {"bias_p_value": 0.03}], 0.95)
