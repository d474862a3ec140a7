"""How often monitoring gives a false alarm, and how soon it finds a shift.

python studies/monitoring.py [--runs 1000] [--windows 24] [--workers 1]

Writes studies/results/monitoring.md. Every run is a sequence of windows, looked at after each, at
level 0.05 at any time: by the e-process of calibration, by that of a change since the first four
windows, by PITMonitor (https://arxiv.org/abs/2603.13156: ranks of randomised probability integral
transforms, a histogram of them as the bet), and by tests of every window: z of observed minus
expected events, and the same minus that of the first four windows, two-sided. Finished parts are
kept beside the result until all are there, so a run that was stopped goes on.
"""

import argparse
import sys
from bisect import bisect_left, bisect_right, insort
from math import log, sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np

from plumbline import Predictions
from plumbline.checkpoints import discard, run_blocks
from plumbline.monitoring import Baseline, EProcess, centre_of, log_e_values
from plumbline.monitoring.e_process import cells_of
from plumbline.random_streams import stream

RESULT = Path(__file__).parent / "results" / "monitoring.md"
LEVEL, ROWS, REFERENCE, BATCH = 0.05, 200, 4, 25
SHAPES = ("uniform", "few positives", "ties", "saturated", "drifting predictions")
SLOPES = {1.0: "calibrated", 0.5: "overconfident"}  # of the log odds that labels follow
WAYS = (
    "e-process",
    "each window at 0.05",
    "each window, Bonferroni",
    "e-process, reference",
    "against the reference, Bonferroni",
    "PITMonitor, 100 bins",
    "PITMonitor, 10 bins",
)


def scores(shape: str, window: int, source: np.random.Generator) -> np.ndarray:
    """Return (ROWS,) predictions of a window; drifting ones become larger, rightly."""
    if shape == "drifting predictions":
        return 1 / (1 + np.exp(1 - 0.08 * window - 1.2 * source.standard_normal(ROWS)))
    if shape == "few positives":
        return source.beta(1, 60, ROWS)
    if shape == "ties":
        return source.choice([0.1, 0.3, 0.6], ROWS)
    if shape == "saturated":
        return np.clip(source.beta(0.2, 0.3, ROWS), 0.0, 1.0)
    return source.uniform(0.05, 0.95, ROWS)


class PitMonitor:
    """The e-process of PITMonitor over rows in sequence."""

    def __init__(self, bins: int) -> None:
        self.bins, self.sorted, self.evidence = bins, [], 0.0
        self.counts = [1] * bins

    def add(self, p: np.ndarray, event: np.ndarray, source: np.random.Generator) -> bool:
        """Add the rows of a window; return whether it ever gave an alarm in it."""
        within = source.random(len(p))
        transforms = np.where(event, 1 - p + within * p, within * (1 - p))
        alarm = False
        for one, jump in zip(transforms.tolist(), source.random(len(p)).tolist(), strict=True):
            insort(self.sorted, one)
            low, high = bisect_left(self.sorted, one), bisect_right(self.sorted, one)
            rows = len(self.sorted)
            place = min(int((low + jump * (high - low)) / rows * self.bins), self.bins - 1)
            bet = self.counts[place] * self.bins / (self.bins + rows - 1)
            self.counts[place] += 1
            self.evidence = bet * (self.evidence + 1 / (rows * (rows + 1)))
            alarm = alarm or self.evidence >= 1 / LEVEL
        return alarm


def two_sided(z: float) -> float:
    """Return the p-value of a standard normal number."""
    return 2 * NormalDist().cdf(-abs(z))


def drawn(case: tuple, windows: int, run: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return predictions and events of every window of a run."""
    shape, slope, shift, start = case
    source = stream(17, SHAPES.index(shape), round(100 * slope), round(100 * shift), run)
    result = []
    for window in range(1, windows + 1):
        p = scores(shape, window, source)
        with np.errstate(divide="ignore"):
            logit = np.clip(np.log(p) - np.log1p(-p), -40, 40)
        moved = slope * logit + (shift if window >= start else 0.0)
        result.append((p, source.random(ROWS) < 1 / (1 + np.exp(-moved))))
    return result


def alarms(case: tuple, windows: int, run: int) -> list[float]:
    """Return the window of each way's first alarm, infinite without one."""
    source = stream(18, run)
    first = dict.fromkeys(WAYS, np.inf)
    process, change = EProcess(), EProcess()
    pits = {"PITMonitor, 100 bins": PitMonitor(100), "PITMonitor, 10 bins": PitMonitor(10)}
    before, gaps, baseline, centre = [], [], None, 0.0
    for window, (p, event) in enumerate(drawn(case, windows, run), 1):
        data = Predictions.from_arrays(event.astype(int), p, classes=[0, 1])
        centre = centre_of(data) if window == 1 else centre
        z = (event - p).sum() / max(sqrt((p * (1 - p)).sum()), 1e-12)
        hits = {WAYS[1]: two_sided(z) <= LEVEL, WAYS[2]: two_sided(z) <= LEVEL / windows}
        if np.isinf(first[WAYS[0]]):
            process.add(log_e_values(data, centre))
            hits[WAYS[0]] = process.log_e() >= -log(LEVEL)
        if window <= REFERENCE:
            before.append(cells_of(data))
            gaps.append(event - p)
        else:
            baseline = baseline or Baseline.of(before, data)
            change.add(baseline.log_e_values(data, centre, source))
            hits[WAYS[3]] = change.log_e() >= -log(LEVEL)
            old, new = np.concatenate(gaps), event - p
            error = sqrt(old.var() / len(old) + new.var() / len(new))
            apart = two_sided((new.mean() - old.mean()) / max(error, 1e-12))
            hits[WAYS[4]] = apart <= LEVEL / (windows - REFERENCE)
        hits |= {way: one.add(p, event, source) for way, one in pits.items()}
        for way, hit in hits.items():
            first[way] = min(first[way], window if hit else np.inf)
    return list(first.values())


def cases(windows: int) -> list[tuple]:
    """Return shape, slope, shift and its window: without a change, and with one."""
    calm = [(shape, slope, 0.0, 1) for slope in SLOPES for shape in SHAPES]
    moved = [(SHAPES[0], slope, size, windows // 2 + 1) for slope in SLOPES for size in SHIFTS]
    return calm + moved


SHIFTS = (0.2, 0.4, 0.8)


def row(name: str, cells: list[str]) -> str:
    """Return a line of a table."""
    return f"| {name} | {' | '.join(cells)} |"


def share_cells(first: np.ndarray) -> list[str]:
    """Return the share of runs with an alarm, and its standard error."""
    share = np.isfinite(first).mean(axis=0)
    error = np.sqrt(share * (1 - share) / len(first))
    return [f"{a:.3f} ({b:.3f})" for a, b in zip(share, error, strict=True)]


def delay_cells(first: np.ndarray, start: int) -> list[str]:
    """Return mean windows to the alarm, and the runs that found the shift of those that could."""
    cells = []
    for way in range(len(WAYS)):
        later = first[first[:, way] >= start, way]
        found = later[np.isfinite(later)]
        delay = f"{(found - start + 1).mean():.1f}" if len(found) else "-"
        cells.append(f"{delay} ({len(found)} of {len(later)})")
    return cells


def page(found: dict[tuple, np.ndarray], runs: int, windows: int) -> str:
    """Return the page of results."""
    start = windows // 2 + 1
    head = [row("predictions", list(WAYS)), "|---" * (len(WAYS) + 1) + "|"]
    lines = [
        f"{runs} runs ({runs // 2} with a shift) of {windows} windows of {ROWS} rows, level "
        f"{LEVEL}; the reference are the first {REFERENCE} windows.",
        "",
        "Share of runs with any alarm, without a change (standard error). In overconfident runs "
        "the log odds are half those predicted from the start: only the last four columns test for "
        "a change.",
        "",
        *head,
    ]
    for case, first in found.items():
        if not case[2]:
            lines.append(row(f"{case[0]}, {SLOPES[case[1]]}", share_cells(first)))
    lines += [
        "",
        f"Uniform predictions, log odds shifted from window {start} on: mean number of windows to "
        "the first alarm since then, and runs that found it (runs with an earlier alarm left out):",
        "",
        *head,
    ]
    for case, first in found.items():
        if case[2]:
            lines.append(row(f"shift {case[2]}, {SLOPES[case[1]]}", delay_cells(first, start)))
    return "\n".join([*lines, ""])


def main() -> None:
    """Run what is not yet there, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--windows", type=int, default=24)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    every = cases(given.windows)
    keys = [
        (place, batch)
        for place, case in enumerate(every)
        for batch in range(-(-(given.runs // (2 if case[2] else 1)) // BATCH))
    ]

    def block(key: tuple[int, ...]) -> np.ndarray:
        runs = range(key[1] * BATCH, (key[1] + 1) * BATCH)
        return np.array([alarms(every[key[0]], given.windows, run) for run in runs])

    parts = RESULT.with_suffix(".parts")
    question = {"windows": given.windows, "rows": ROWS, "reference": REFERENCE, "ways": len(WAYS)}
    blocks = run_blocks(
        block, keys, question=question, folder=parts, workers=given.workers,
        progress=lambda done, total: print(f"\r{done} of {total}", end="", file=sys.stderr),
    )  # fmt: skip
    found = {
        case: np.concatenate([one for key, one in blocks.items() if key[0] == place])
        for place, case in enumerate(every)
    }
    text = page(found, given.runs, given.windows)
    RESULT.write_text(text, "utf-8")
    discard(parts)
    print(f"\n{text}")


if __name__ == "__main__":
    main()
