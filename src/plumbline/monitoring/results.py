"""What monitoring says: the verdict, and a line for every window."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, inf, log

from plumbline._result import Detail, NextStep, Note, Presentation, Result, Table
from plumbline.dependence import RowGroups, group_details
from plumbline.formatting import INFINITY, beside, counted, interval, number, quoted
from plumbline.verdicts import expected, impossible_note, no_evidence

BEYOND = 5.0  # powers of ten above the alarm that a picture has room for
LARGEST = 700.0  # log of numbers that a float holds


@dataclass(frozen=True, repr=False, eq=False)
class MonitoredWindow(Result):
    """A window: its rows, how far predictions and outcomes are apart, and the evidence after it.

    Attributes
    ----------
    name : what it is called
    n : number of rows
    mean_prediction : mean probability of the positive class
    observed : share of the positive class, with its 95 % interval (Wilson) in `observed_range`
    log_loss, brier_score : proper scores
    ece : calibration error in 15 bins of equal width
    null_mean, null_range : of the ECE if calibrated, its mean and 95 % range
    log_e_own : log e-value of this window alone
    log_e : log e-value of all windows up to this one
    impossible_rows : rows whose observed class had probability 0
    """

    name: str
    n: int
    mean_prediction: float
    observed: float
    observed_range: tuple[float, float]
    log_loss: float
    brier_score: float
    ece: float
    null_mean: float
    null_range: tuple[float, float]
    log_e_own: float
    log_e: float
    impossible_rows: int

    @property
    def bias(self) -> tuple[float, float, float]:
        """Observed share minus mean prediction, with the ends of its 95 % interval."""
        ends = (end - self.mean_prediction for end in self.observed_range)
        low, high = ends
        return self.observed - self.mean_prediction, low, high

    def present(self) -> Presentation:
        """Return the main numbers of the rows."""
        ends = self.observed_range
        share = f"{beside(self.observed, ends)} (95 % CI {interval(ends)})"
        return Presentation(
            subject=f"{quoted(self.name)}, {counted(self.n, 'row')}",
            details=(
                Detail("n", "rows", f"{self.n:,}"),
                Detail("mean_prediction", "mean prediction", number(self.mean_prediction)),
                Detail("observed", "observed", share, joined=True),
                Detail("log_loss", "log loss", number(self.log_loss)),
                Detail("brier_score", "Brier score", number(self.brier_score)),
                Detail("ece", "ECE", number(self.ece)),
                Detail(
                    "ece_expected",
                    "expected if calibrated",
                    expected(self.null_mean, self.null_range),
                    joined=True,
                ),
            ),
            notes=(impossible_note(self.impossible_rows, self.n),) if self.impossible_rows else (),
        )


@dataclass(frozen=True, repr=False, eq=False)
class Monitoring(Result):
    """Whether calibration held over a sequence of windows.

    Attributes
    ----------
    level : probability of a false alarm, at any time
    threshold : e-value of an alarm, 1 / level
    positive : the class whose probabilities are monitored
    reference : number of first windows that are the reference, 0 where calibration is tested
    alarm : number of the window of the first alarm, from 1; None without one
    since : number of the window since which calibration most likely fails
    p_value : 1 / the largest e-value, at most 1; it may be read after any window
    windows : the windows in sequence
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    level: float
    threshold: float
    positive: str
    reference: int
    alarm: int | None
    since: int | None
    p_value: float
    windows: tuple[MonitoredWindow, ...]
    row_groups: RowGroups | None = None

    def present(self) -> Presentation:
        """Return the verdict, the gap behind it, and a row for every window."""
        last = self.windows[-1]
        return Presentation(
            subject=f"Calibration of {quoted(self.positive)} over {self._length}",
            summary=self._verdict(),
            details=(*self._gaps(), *_error(last), *group_details(self.row_groups)),
            notes=self._notes(),
            next_step=self._next(),
            tables=(self._table(),),
            legend=self._legend(),
            tone="open" if self.alarm is None else "bad",
        )

    @property
    def powers(self) -> list[float]:
        """Powers of ten of the e-values as pictures show them: at most 5 above that of an alarm."""
        most = log(self.threshold) / log(10) + BEYOND
        return [min(one.log_e / log(10), most) for one in self.windows]

    @property
    def _length(self) -> str:
        return counted(len(self.windows), "window")

    def _verdict(self) -> str:
        if self.alarm is None:
            e = e_text(self.windows[-1].log_e)
            of = f"drift from the {self._reference_name}" if self.reference else "miscalibration"
            alarm = f"alarm at {number(self.threshold)}"
            return f"{no_evidence(of)}: e = {e} after {self._length} ({alarm})."
        at = self.windows[self.alarm - 1]
        e = e_text(at.log_e)
        shown = f"alarm in window {self._named(self.alarm)}"
        if at.log_e == inf:
            shown = f"{shown}, an observed class had probability 0"
        else:
            shown = f"{shown} (e = {e} ≥ {number(self.threshold)})"
        if self.since == 1:
            return f"Miscalibrated since the first window: {shown}."
        since = "" if self.since == self.alarm else f", most likely since {self._named(self.since)}"
        found = "Calibration drifted" if self.reference else "Miscalibrated"
        return f"{found}: {shown}{since}."

    @property
    def _reference_name(self) -> str:
        return "reference" if self.reference == 1 else f"first {self.reference} windows"

    def _named(self, number_of: int | None) -> str:
        place = number_of or 1
        name = self.windows[place - 1].name
        return name if name == str(place) else f"{place}, {quoted(name)}"

    def _gaps(self) -> Iterator[Detail]:
        """Yield mean prediction and observed share since the change, and in the reference."""
        first, last = self.since or self.reference + 1, self.alarm or len(self.windows)
        predicted, observed, n = self._shares(first, last)
        yield Detail("mean_prediction", "mean prediction", f"{predicted} ({_places(first, last)})")
        yield Detail("observed", "observed", f"{observed} (n = {n})", joined=True)
        if self.reference:
            predicted, observed, n = self._shares(1, self.reference)
            which = _places(1, self.reference)
            text = f"mean prediction {predicted} ({which}), observed {observed} (n = {n})"
            yield Detail("reference", "reference", text)

    def _shares(self, first: int, last: int) -> tuple[str, str, str]:
        """Return mean prediction, observed share and rows of some windows."""
        part = self.windows[first - 1 : last]
        n = sum(one.n for one in part)
        predicted = sum(one.n * one.mean_prediction for one in part) / n
        observed = sum(one.n * one.observed for one in part) / n
        return number(predicted), number(observed), f"{n:,}"

    def _legend(self) -> tuple[str, ...]:
        bound = f"e reaches {number(self.threshold)} at any time with probability at most "
        detects = (
            "It detects shifts of the log odds and changes of confidence, whenever they begin."
        )
        if not self.reference:
            return (
                f"If all windows are calibrated, {bound}{number(self.level)}.",
                "e is the evidence of all windows up to this one, e of the window that of its "
                "rows alone.",
                detects,
            )
        return (
            f"If calibration does not change, {bound}{number(self.level)}.",
            f"Windows are compared with the {self._reference_name} and all windows before them.",
            "e is the evidence of a change in all windows up to this one, e of the window that of "
            "its rows alone.",
            detects,
        )

    def _notes(self) -> tuple[Note, ...]:
        rows = sum(one.impossible_rows for one in self.windows)
        return (impossible_note(rows, sum(one.n for one in self.windows)),) if rows else ()

    def _next(self) -> NextStep | None:
        if self.alarm is None:
            return None
        return NextStep(
            "test", "Test the window of the alarm: how is it miscalibrated?", per_model=True
        )

    def _table(self) -> Table:
        return Table(
            {
                "window": [one.name for one in self.windows],
                "rows": [f"{one.n:,}" for one in self.windows],
                "mean prediction": [number(one.mean_prediction) for one in self.windows],
                "observed (95 % CI)": [
                    f"{beside(one.observed, one.observed_range)} ({interval(one.observed_range)})"
                    for one in self.windows
                ],
                "log loss": [number(one.log_loss) for one in self.windows],
                "ECE": [number(one.ece) for one in self.windows],
                "expected if calibrated": [number(one.null_mean) for one in self.windows],
                "e of the window": self._evidence("log_e_own"),
                "e": self._evidence("log_e"),
            },
            left=("window",),
        )

    def _evidence(self, name: str) -> list[str]:
        tested = [e_text(getattr(one, name)) for one in self.windows[self.reference :]]
        return ["reference"] * self.reference + tested


def _places(first: int, last: int) -> str:
    return f"window {first}" if first == last else f"windows {first} to {last}"


def _error(window: MonitoredWindow) -> tuple[Detail, ...]:
    """Return the ECE of the last window beside what is expected."""
    text = f"{number(window.ece)} in the last window"
    null = number(window.null_mean)
    beside = Detail("ece_expected", "expected if calibrated", null, joined=True)
    return Detail("ece", "ECE", text), beside


def e_text(log_e: float) -> str:
    """Return an e-value as text, of which only the power of ten counts where it is huge.

    >>> e_text(0.0), e_text(3.8), e_text(2001.0), e_text(inf)
    ('1', '44.7', '10^869', '∞')
    >>> e_text(9.1)
    '8,955'
    """
    if log_e == inf:
        return INFINITY  # in cells; the verdict says why instead
    if abs(log_e) > log(1e6):
        return f"10^{log_e / log(10):.0f}"
    e = exp(log_e)
    return number(e) if e < 1000 else f"{e:,.0f}"
