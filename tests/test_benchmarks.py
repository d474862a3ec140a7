"""The benchmarks' gate: a ratio that is lower than the kept one in three of three runs fails."""

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def ratios(monkeypatch):
    """Return the module that runs the benchmarks."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import ratios

    yield ratios
    for name in ("ratios", "timing"):
        sys.modules.pop(name, None)


def runs(ratios, *values):
    """Return ratios of one task, a list a run."""
    return [[ratios.Ratio("bench_a.py", "task", 1.0, "peer", one, None, "s")] for one in values]


@pytest.mark.parametrize(
    ("values", "fails"),
    [
        ((2.0,), False),
        ((1.7,), False),
        ((1.5, 1.7), False),
        ((1.5, 1.5, 2.5), False),
        ((1.5, 1.4, 1.3), True),
        ((1.5, 1.5, 1.59), True),
    ],
)
def test_a_ratio_fails_that_is_a_fifth_lower_in_three_of_three_runs(
    ratios, monkeypatch, values, fails
):
    """The kept ratio is 2; a benchmark runs again only where it is lower."""
    first, *more = runs(ratios, *values)
    monkeypatch.setattr(ratios, "ratios_of", lambda file: (more.pop(0), 0))
    kept = {("bench_a.py", "task", "peer"): 2.0, ("bench_a.py", "gone", "peer"): 9.0}
    low = ratios.compared(Path("bench_a.py"), first, kept)
    assert bool(low) == fails
    assert not more


def test_the_page_is_read_as_it_is_written(ratios, tmp_path, monkeypatch):
    """What is written is what later runs are compared with."""
    page = tmp_path / "page.md"
    page.write_text(f"before\n{ratios.START}{ratios.END}after\n")
    monkeypatch.setattr(ratios, "PAGE", page)
    made = runs(ratios, 1.5)[0]
    ratios.write({"bench_a.py": ratios.table(made)})
    kept = ratios.kept_ratios(page.read_text())
    assert kept == {("bench_a.py", "task", "peer"): 1.5}
    assert not ratios.slower(made, kept)


def test_the_quick_benchmarks_are_there_and_kept(ratios):
    """All five have ratios on the page of performance."""
    kept = {file for file, _, _ in ratios.kept_ratios(ratios.PAGE.read_text())}
    assert len(ratios.QUICK) == 5
    assert kept >= {*ratios.QUICK}
    assert all((BENCHMARKS / name).is_file() for name in ratios.QUICK)
