"""How often monitoring gives a false alarm, and how soon it finds a shift.

python studies/monitoring.py [--runs 200] [--windows 24]

Writes studies/results/monitoring.md. Every run is a sequence of windows, looked at after each by
the e-process, and by a test of every window alone (z of observed minus expected events, two-sided),
at level 0.05 each time, and with Bonferroni's correction for all windows of the run.
"""

import argparse
from math import sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np

from plumbline import Predictions
from plumbline.monitoring import EProcess
from plumbline.monitoring.e_process import centre_of, log_e_values
from plumbline.random_streams import stream

RESULT = Path(__file__).parent / "results" / "monitoring.md"
LEVEL, ROWS = 0.05, 200
WAYS = ("e-process", "each window at 0.05", "each window, Bonferroni")


def scores(shape: str, source: np.random.Generator) -> np.ndarray:
    """Return (ROWS,) predictions of a window."""
    if shape == "few positives":
        return source.beta(1, 60, ROWS)
    if shape == "ties":
        return source.choice([0.1, 0.3, 0.6], ROWS)
    if shape == "saturated":
        return np.clip(source.beta(0.2, 0.3, ROWS), 0.0, 1.0)
    return source.uniform(0.05, 0.95, ROWS)


def alarms(shape: str, shift: float, start: int, windows: int, run: int) -> list[float]:
    """Return the window of each way's first alarm, infinite without one."""
    source = stream(17, len(shape), round(100 * shift), run)
    process, centre = EProcess(), 0.0
    first = [np.inf] * len(WAYS)
    for window in range(1, windows + 1):
        p = scores(shape, source)
        with np.errstate(divide="ignore"):
            moved = np.log(p) - np.log1p(-p) + (shift if window >= start else 0.0)
        event = source.random(ROWS) < 1 / (1 + np.exp(-moved))
        data = Predictions.from_arrays(event.astype(int), p, classes=[0, 1])
        centre = centre_of(data) if window == 1 else centre
        process.add(log_e_values(data, centre))
        z = abs((event - p).sum()) / max(sqrt((p * (1 - p)).sum()), 1e-12)
        p_value = 2 * NormalDist().cdf(-z)
        hits = process.log_e() >= -np.log(LEVEL), p_value <= LEVEL, p_value <= LEVEL / windows
        first = [min(one, window if hit else np.inf) for one, hit in zip(first, hits, strict=True)]
    return first


def table(runs: int, windows: int) -> str:
    """Return the page of results."""
    lines = [
        f"{runs} runs of {windows} windows of {ROWS} rows, level {LEVEL}.",
        "",
        "Share of runs with any alarm, all windows calibrated (standard error):",
        "",
        f"| predictions | {' | '.join(WAYS)} |",
        "|---|---|---|---|",
    ]
    for shape in ("uniform", "few positives", "ties", "saturated"):
        any_alarm = np.isfinite([alarms(shape, 0.0, 1, windows, run) for run in range(runs)])
        share = any_alarm.mean(axis=0)
        error = np.sqrt(share * (1 - share) / runs)
        cells = [f"{a:.3f} ({b:.3f})" for a, b in zip(share, error, strict=True)]
        lines.append(f"| {shape} | {' | '.join(cells)} |")
    start = windows // 2 + 1
    lines += [
        "",
        f"Uniform predictions, log odds shifted from window {start} on: mean number of windows to "
        "the first alarm since then, and share of runs that found it (runs with an earlier "
        "alarm left out):",
        "",
        f"| shift | {' | '.join(WAYS)} |",
        "|---|---|---|---|",
    ]
    for shift in (0.2, 0.4, 0.8):
        first = np.array(
            [alarms("uniform", shift, start, windows, run) for run in range(runs // 2)]
        )
        cells = []
        for way in range(len(WAYS)):
            later = first[first[:, way] >= start, way]
            found = later[np.isfinite(later)]
            delay = f"{(found - start + 1).mean():.1f}" if len(found) else "-"
            cells.append(f"{delay} ({len(found)} of {len(later)})")
        lines.append(f"| {shift} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--windows", type=int, default=24)
    given = parser.parse_args()
    page = table(given.runs, given.windows)
    RESULT.write_text(page, "utf-8")
    print(page)
