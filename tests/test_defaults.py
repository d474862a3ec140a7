"""Parameters that many functions have, and their default in all of them."""

import re
from pathlib import Path

import plumbline

SOURCE = Path(plumbline.__file__).parent
DEFAULTS = {
    "level": {"0.95", "0.05"},  # of an interval, of a test
    "rng": {"0"},
    "workers": {"None"},
    "progress": {"None"},
    # p-values are multiples of 1/200, 1/1,000 and 1/10,000; bands need fewer drawings
    "resamples": {"199", "999", "9999", "100", "500"},
}
ELSEWHERE = {("rules.py", "level", "LEVEL")}  # the convention of the gate


def test_a_parameter_has_one_default_wherever_it_is():
    """Also in functions that nobody calls by hand: what they give stands beside other results."""
    line = re.compile(
        rf"\b({'|'.join(DEFAULTS)}): (?:int|float|Seed|[\w.]+ \| None) = (\(.*\)|[^,)\n]+)"
    )
    found = {
        (file.name, name, value)
        for file in SOURCE.rglob("*.py")
        for name, value in line.findall(file.read_text("utf-8"))
    }
    assert {name for _, name, _ in found} == set(DEFAULTS)
    others = {one for one in found if one[2] not in {*DEFAULTS[one[1]], "None"}}
    assert others == ELSEWHERE
