"""Every parameter that a browser may send has a control."""

import re
from pathlib import Path

import pytest

from plumbline.requests import REQUESTS

FRONT_END = Path(__file__).resolve().parents[2] / "frontend" / "src"
FILES = sorted(FRONT_END.rglob("*.ts*"))
TEXT = "\n".join(file.read_text("utf-8") for file in FILES)
(OWN_TEXT,) = re.findall(r"export const OWN: .+? = \{\n(.+?)\n\};", TEXT, re.DOTALL)
# Request -> the parameters that its section asks for in its own way.
OWN = {
    name: set(re.findall(r'"(\w+)"', names))
    for name, names in re.findall(r"(\w+): \[(.*)\]", OWN_TEXT)
}
SERVED = [row.name for row in REQUESTS.values() if row.offered("served")]


def test_what_a_section_asks_for_is_served():
    """A parameter that no row serves any more is no control's."""
    for name, known in OWN.items():
        assert known <= {*REQUESTS[name].offered("served")}, name


@pytest.mark.parametrize("name", sorted({*SERVED} - {*OWN}))
def test_pages_made_by_hand_send_what_is_served(name):
    """Of a request that has a room, the section has all; of the others the name stands in code."""
    words = {*re.findall(r"\w+", TEXT)}
    assert REQUESTS[name].room or {*REQUESTS[name].offered("served")} <= words


@pytest.mark.parametrize("name", sorted({*OWN} - {"recalibration"}))
def test_a_section_has_a_control_for_all_others(name):
    """So that a parameter costs its row, and nothing in the front end."""
    assert f'<OtherControls request="{name}"' in TEXT
