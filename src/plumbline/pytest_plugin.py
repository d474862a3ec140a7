"""The plug-in of pytest: a fixture that checks the rules of a gate, each a line of the report.

pytest loads it by its entry point; nothing else imports it, and it imports Plumbline when used.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from plumbline.gate import Gate

PROPERTY = "plumbline"  # name of the properties of a test, in the report and in JUnit XML


@pytest.fixture
def plumbline_gate(request: pytest.FixtureRequest) -> "Callable[..., Gate]":
    """Return what checks rules: a broken one fails the test, an undecided one fails or skips it.

    `plumbline_gate(data, rules, **settings)` takes what `plumbline.check` takes; `data` may be a
    file too. With `on_not_enough="warn"` rules that are not decided skip the test, as it has not
    passed. The answer is returned where all rules are kept.
    """

    def gate(data: Any, rules: Any = "rules.toml", **settings: Any) -> "Gate":
        import plumbline

        table = data if isinstance(data, plumbline.Predictions) else plumbline.read(data)
        relative = isinstance(rules, (str, Path)) and not Path(rules).exists()
        beside = request.path.parent / rules if relative else rules
        answer = plumbline.check(table, beside, **settings)
        for one in answer.rules:
            name = one.rule if one.model is None else f"{one.rule} ({one.model})"
            request.node.user_properties.append((PROPERTY, f"{name}: {one.message}"))
        if answer.state != "pass":
            undecided = answer.state == "not enough rows" and answer.on_not_enough == "warn"
            lines = [f"{one.rule}: {one.message}" for one in answer.rules if one.state != "pass"]
            text = "\n  ".join([answer.summary, *lines])
            if undecided:
                pytest.skip(text)
            pytest.fail(text, pytrace=False)
        return answer

    return gate


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Write a line a rule, below the test that asked for it."""
    lines = list(_lines(terminalreporter.stats))
    if lines:
        terminalreporter.section("plumbline")
        for line in lines:
            terminalreporter.line(line)


def _lines(stats: Any) -> Iterator[str]:
    for reports in stats.values():
        for report in reports:
            if getattr(report, "when", None) != "call":
                continue
            rules = [text for name, text in report.user_properties if name == PROPERTY]
            if rules:
                yield report.nodeid
                yield from (f"  {text}" for text in rules)
