"""The answer of a gate as other programs read it: JUnit XML, Markdown, annotations of GitHub."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from plumbline.formatting import number, percentage, printable

if TYPE_CHECKING:
    from plumbline.gate.results import Gate, RuleResult

SIGNS = {"pass": "✅", "fail": "❌", "not enough rows": "❔"}
_PLACE = re.compile(r"^(.+), line (\d+)$")
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def junit(gate: "Gate") -> str:
    """Return JUnit XML: a broken rule is a failure, one that is not decided is skipped.

    >>> import plumbline as pb
    >>> data = pb.Predictions.from_arrays([1, 1, 0], predicted=[1, 0, 0])
    >>> text = junit(pb.check(data, [{"metric": "recall", "at_least": 0.9}]))
    >>> "<skipped message=" in text, text.count("<testcase ")
    (True, 1)
    """
    cases = [_case(one) for one in gate.rules]
    counts = (
        f'tests="{len(gate.rules)}" failures="{gate.count("fail")}" errors="0" '
        f'skipped="{gate.count("not enough rows")}"'
    )
    about = {
        "state": gate.state,
        "level": f"{gate.level:g}",
        "familywise": str(gate.familywise).lower(),
        "on_not_enough": gate.on_not_enough,
    }
    properties = [
        f"<property name={_attribute(k)} value={_attribute(v)}/>" for k, v in about.items()
    ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {counts}>",
        f'  <testsuite name="plumbline check" {counts}>',
        "    <properties>",
        *(f"      {line}" for line in properties),
        "    </properties>",
        *cases,
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _case(one: "RuleResult") -> str:
    """Return the test case of a rule."""
    name = _attribute(called(one))
    head = f'    <testcase classname="plumbline.check" name={name} time="0"'
    if one.state == "pass":
        return f"{head}/>"
    message = _attribute(one.message)
    inner = (
        f'<failure type="rule" message={message}>{escape(_sound(one.message))}</failure>'
        if one.state == "fail"
        else f"<skipped message={message}/>"
    )
    return f"{head}>\n      {inner}\n    </testcase>"


def called(one: "RuleResult") -> str:
    """Return the name of a rule, with the model where there are several."""
    return one.rule if one.model is None else f"{one.rule} ({one.model})"


def _sound(text: str) -> str:
    """Return a text without what no XML may hold."""
    return _NOT_XML.sub("?", text)


def _attribute(text: str) -> str:
    return quoteattr(_sound(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def markdown(gate: "Gate") -> str:
    """Return a summary for a pull request: the answer, a line a rule, and what was agreed."""
    rows = [
        (
            f"{SIGNS[one.state]} {one.state}",
            called(one),
            number(one.value),
            one.bounds,
            one.asked,
            f"{one.n:,}",
            _needed(one),
        )
        for one in gate.rules
    ]
    head = ("", "rule", "value", "bounds", "asked", "rows", "rows needed")
    lines = [
        f"### {SIGNS[gate.state]} plumbline check",
        "",
        _cell(gate.summary),
        "",
        _row(head),
        f"|{'---|' * len(head)}",
        *(_row(row) for row in rows),
        "",
        f"One-sided bounds of level {percentage(gate.level)}"
        f"{', shared among the rules for a pass' if gate.familywise else ''}. Rules that are not "
        f"decided {'fail the gate' if gate.on_not_enough == 'fail' else 'only warn'}.",
    ]
    return "\n".join(lines) + "\n"


def _needed(one: "RuleResult") -> str:
    if one.state != "not enough rows":
        return ""
    return "-" if one.n_needed is None else f"about {one.n_needed:,}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    """Return a text that neither ends a cell nor is markup."""
    plain = printable(text).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\|`*_\[\]])", r"\\\1", plain)


def annotations(gate: "Gate") -> str:
    """Return commands of GitHub's runners, which mark the lines of the file of rules.

    A broken rule is an error; one that is not decided too, unless that only warns.
    """
    levels = {
        "fail": "error",
        "not enough rows": "error" if gate.on_not_enough == "fail" else "warning",
    }
    lines = []
    for one in gate.rules:
        if one.state in levels:
            place = _PLACE.match(one.place)
            where = "" if place is None else f"file={_property(place[1])},line={place[2]},"
            title = f"title={_property(called(one))}"
            lines.append(f"::{levels[one.state]} {where}{title}::{_data(one.message)}")
    lines.append(f"::notice title=plumbline check::{_data(gate.summary)}")
    return "\n".join(lines) + "\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
