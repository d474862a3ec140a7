"""How much calibration differs between sites, and what it may be at a new one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, isfinite, nan, sqrt
from typing import Any

import numpy as np

from plumbline._checks import open_fraction, shorten, whole_number
from plumbline._result import NextStep, Note, Presentation, Result, Table
from plumbline.binning import attributes_of, grouping
from plumbline.calibration import Ints, Wide
from plumbline.calibration.slope import estimates_of, freedom_of
from plumbline.calibration_errors import Events, tails_of
from plumbline.dependence import RowGroups, row_groups_of
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import (
    and_list,
    beside,
    counted,
    interval,
    number,
    p_number,
    percentage,
    quoted,
    view_words,
)
from plumbline.group_calibration.random_effects import LEAST_SITES, random_effects
from plumbline.group_calibration.site_estimates import MEASURES, SiteRows
from plumbline.nulls import TIE, resampled
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of
from plumbline.verdicts import LEVEL, few_resamples, p_value_text

MOST_SITES = 1000  # a convention: bounds time and the picture
LEAST_GROUPS = 5  # of rows in a site: the variance of fewer sums is not known
# With 5 or 10 sites that differ, prediction intervals hold .93 to .96 of new ones; they are wide
# (python studies/sites.py coverage).
FEW_SITES = 20
FEW_EVENTS = 10  # of the rarer class: the rule of ten a parameter (Peduzzi et al. 1996)
NAMED = 4  # of many sites so many are named
PURPOSE = "a comparison of sites"


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of a site: its keys, its name, its value if calibrated, and how it is shown."""

    key: str
    label: str
    ideal: float
    shown: Callable[[float], float]


def _same(value: float) -> float:
    return value


def _share(value: float) -> float:
    return 1.0 / (1.0 + exp(-value)) if value > -700 else 0.0


def _ratio(value: float) -> float:
    return exp(value) if value < 700 else float("inf")


OF_SITES = dict(
    zip(
        MEASURES,
        (
            Measure("shift", "calibration in the large", 0.0, _same),
            Measure("slope", "calibration slope", 1.0, _same),
            Measure("log_oe", "O/E ratio", 0.0, _ratio),
            Measure("logit_auc", "AUC", 0.0, _share),
        ),
        strict=True,
    )
)
HEADLINES = (("slope", "oe"), ("shift",), ("auc",))  # the first of which there are intervals
NAMES = {"slope": "the slope", "shift": "calibration in the large", "oe": "O/E", "auc": "the AUC"}


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationHeterogeneity(Result):
    """How much calibration and discrimination differ between sites.

    Attributes
    ----------
    by : the attribute that holds the sites; view : the binary view; level : of all intervals
    n : rows of all sites
    measures : one row per measure ("shift" on the log-odds, "slope", "log_oe", "logit_auc"):
        measure, sites (that count), mean, se, mean_low, mean_high (Hartung and Knapp),
        mean_p_value (that the mean is 0, of the slope 1), tau (standard deviation between sites),
        i2, prediction_range (of a new site), tau_expected (mean tau under one common map),
        tau_p_value (that one common map explains tau); None where fewer than 3 sites have one
    sites : one row per site: site, n, events, shift, shift_se, slope, slope_se, log_oe, log_oe_se,
        logit_auc, logit_auc_se, left_out (why some are missing, or None)
    p_value : that one common map explains the spread of all measures together
    common_intercept, common_slope : of that map, logit P = a + b logit p, fitted to all rows
    unassigned : rows without a site, which are left out
    resamples : sets of labels drawn from the common map
    groups : how much the rows of the table's groups depend; None without groups
    verdict : what a new site may be like, and whether the sites differ
    """

    by: str
    view: str
    level: float
    n: int
    measures: Sequence[dict[str, Any]]
    sites: Sequence[dict[str, Any]]
    p_value: float
    common_intercept: float
    common_slope: float
    unassigned: int
    resamples: int
    groups: RowGroups | None
    verdict: str

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the sites."""
        return self.sites

    @staticmethod
    def label(measure: str) -> str:
        """Return the name of a measure, such as "O/E ratio"."""
        return next(one.label for one in OF_SITES.values() if one.key == measure)

    @staticmethod
    def scale(measure: str) -> Callable[[float], float]:
        """Return what turns a value of a measure into what is shown: O/E and AUC themselves."""
        return next(one.shown for one in OF_SITES.values() if one.key == measure)

    def present(self) -> Presentation:
        """Return what a new site may be like, the spread of each measure, and every site."""
        differ = self.p_value <= LEVEL
        return Presentation(
            subject=f"Between values of {quoted(self.by)}, {view_words(self.view)}",
            summary=self.verdict,
            tone="bad" if differ else "open",
            details=() if self.groups is None else (self.groups.detail(),),
            notes=self._notes(),
            next_step=NextStep("test", "Test which sites are miscalibrated.", {"by": self.by})
            if differ
            else None,
            tables=(self._spread(), self._each()),
            tables_first=True,
            legend=LEGEND,
        )

    def _spread(self) -> Table:
        """Return one line a measure."""
        rows = self.measures
        percent = percentage(self.level)
        shown = [OF_SITES[key].shown for key in MEASURES]

        def ends(
            row: Mapping[str, Any], pair: Sequence[float], show: Callable[[float], float]
        ) -> str:
            return "-" if row["mean"] is None else interval((show(pair[0]), show(pair[1])))

        pairs = list(zip(rows, shown, strict=True))
        columns = {
            "measure": [OF_SITES[key].label for key in MEASURES],
            "sites": [str(row["sites"]) for row in rows],
            "mean": [
                "-"
                if r["mean"] is None
                else beside(show(r["mean"]), (show(r["mean_low"]), show(r["mean_high"])))
                for r, show in pairs
            ],
            f"{percent} CI": [ends(r, (r["mean_low"], r["mean_high"]), show) for r, show in pairs],
            f"{percent} new site": [ends(r, r["prediction_range"], show) for r, show in pairs],
            "tau": [number(row["tau"]) for row in rows],
        }
        if self.resamples:
            columns["expected"] = [number(row["tau_expected"]) for row in rows]
        columns["I²"] = ["-" if row["i2"] is None else f"{100 * row['i2']:.0f} %" for row in rows]
        if self.resamples:
            columns["p of tau"] = [p_number(row["tau_p_value"]) for row in rows]
        return Table(columns, left=("measure",))

    def _each(self) -> Table:
        """Return one line a site: each measure with its own interval."""
        from scipy.special import ndtri

        z = float(ndtri((1.0 + self.level) / 2.0))
        columns = {
            self.by: [str(row["site"]) for row in self.sites],
            "rows": [f"{row['n']:,}" for row in self.sites],
            "events": [f"{row['events']:,}" for row in self.sites],
        }
        for key in MEASURES:
            one = OF_SITES[key]
            columns[one.label] = [
                "-"
                if row[one.key] is None
                else f"{number(one.shown(row[one.key]))} ("
                + interval(
                    (
                        one.shown(row[one.key] - z * row[f"{one.key}_se"]),
                        one.shown(row[one.key] + z * row[f"{one.key}_se"]),
                    )
                )
                + ")"
                for row in self.sites
            ]
        return Table(columns, left=(self.by,), title=f"Sites, with {percentage(self.level)} CI")

    def _notes(self) -> tuple[Note, ...]:
        """Return what is left out, with counts, and what is approximate."""
        notes = []
        reasons: dict[str, list[dict[str, Any]]] = {}
        for row in self.sites:
            if row["left_out"] is not None:
                reasons.setdefault(row["left_out"], []).append(row)
        for reason, rows in reasons.items():
            names = and_list([quoted(row["site"]) for row in rows[:NAMED]])
            more = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
            text = (
                f"{len(rows)} of {counted(len(self.sites), 'site')} ({names}{more}; "
                f"{counted(sum(row['n'] for row in rows), 'row')}): {reason}."
            )
            notes.append(Note(text, "sites-left-out"))
        if self.unassigned:
            text = (
                f"{counted(self.unassigned, 'row')} without a value of {quoted(self.by)} left out."
            )
            notes.append(Note(text, "rows-without-site"))
        rarer = [min(row["events"], row["n"] - row["events"]) for row in self.sites]
        few = sum(0 < count < FEW_EVENTS for count in rarer)
        if few:
            text = (
                f"In {few} of {counted(len(self.sites), 'site')} fewer than {FEW_EVENTS} rows have "
                "the rarer outcome: these estimates are biased, above all the slope."
            )
            notes.append(Note(text, "few-events"))
        count = max(row["sites"] for row in self.measures)
        if count < FEW_SITES:
            text = (
                f"Approximate: {count} sites, fewer than {FEW_SITES}, tell little of how much "
                "sites differ."
            )
            notes.append(Note(text, "few-sites"))
        if self.groups is not None:
            notes += self.groups.notes()
        if self.resamples and isfinite(self.p_value):
            notes += few_resamples(self.resamples, len(MEASURES))
        if self.resamples and not isfinite(self.p_value):
            text = "No test: all predictions together separate the outcomes, so no map fits them."
            notes.append(Note(text, "no-common-map"))
        return tuple(notes)


LEGEND = (
    "New site: prediction interval of its value, which allows for the uncertainty of tau. Tau: "
    "standard deviation between sites, of O/E in logs, of calibration in the large and the AUC in "
    "log-odds.",
    "Expected, p of tau: labels drawn from one map for all sites, logit P = a + b logit p; "
    "predictions and sites are fixed, so noise and case mix are allowed for.",
)


def calibration_heterogeneity(
    data: Predictions,
    by: str,
    *,
    view: str | None = None,
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CalibrationHeterogeneity:
    """Say how much calibration differs between sites, and what it may be at a new one.

    Each site has its calibration in the large (a of logit P = a + logit p), its slope (b of logit P
    = a + b logit p), its O/E ratio and its AUC, with standard errors. A random-effects model of
    each measure takes the sites as a sample of such sites: tau^2 by restricted maximum likelihood,
    the interval of the mean of Hartung and Knapp, and the prediction interval of a new site, over
    all tau^2 that are likely (`random_effects.new_site`).

    Sites differ in their case mix too, and so do their AUCs. The test of tau therefore draws labels
    from one map that is the same at all sites, fitted to all rows; predictions, sites and numbers
    of rows are fixed. `tau_p_value` is the share of drawn tables whose tau is at least as large,
    and `p_value` that of the smallest of these four, which the same draws adjust.

    A site whose outcomes are all the same, or whose predictions separate the outcomes, has no slope
    and no AUC; it is named. The means of O/E and calibration in the large count it: they are taken
    of the number of events rather than of its logarithm, by penalised quasi-likelihood. Where rows
    are in groups, the standard errors are wider by what sums over groups show, and a site needs
    five groups.

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities and without unequal weights.
    by : str
        The name of an attribute: each value is a site, also where it is a number.
    view : str, optional
        A binary view: "top-label" (the default of several classes), "one-vs-rest:CLASS" (of two).
    level : float, default 0.95
        Of all intervals.
    resamples : int, default 999
        Number of draws of the labels, 0 for none.
    rng : int, Generator or None, default 0
        Random seed or generator.
    workers : int, optional
        Number of threads; the result does not depend on it.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    CalibrationHeterogeneity
        Mean, spread and prediction interval of each measure, and every site.

    Raises
    ------
    ParameterError
        For an unknown attribute or view.
    InputError
        For fewer than 3 sites with an estimate, weights that differ, or groups of rows that are in
        several sites.

    References
    ----------
    Riley et al. (2016), "External validation of clinical prediction models using big datasets";
    Debray et al. (2019), "A framework for meta-analysis of prediction model studies"; Hartung and
    Knapp (2001), "A refined method for the meta-analysis of controlled clinical trials";
    Nagashima, Noma and Furukawa (2019), "Prediction intervals for random-effects meta-analysis: a
    confidence distribution approach"; Viechtbauer (2007), "Confidence intervals for the amount of
    heterogeneity in meta-analysis"; Breslow and Clayton (1993), "Approximate inference in
    generalized linear mixed models".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> hospital, p = np.repeat(np.arange(12), 100), rng.beta(2, 3, size=1200)
    >>> own = rng.normal(0, 0.5, size=12)[hospital]
    >>> died = rng.random(1200) < 1 / (1 + (1 - p) / p * np.exp(-own))
    >>> data = Predictions.from_arrays(died, p, attributes={"hospital": hospital})
    >>> answer = calibration_heterogeneity(data, "hospital", resamples=199)
    >>> [(row["measure"], round(row["tau"], 1)) for row in answer.measures][:2]
    [('shift', 0.6), ('slope', 0.1)]
    """
    open_fraction("level", level)
    whole_number("resamples", resamples, least=0)
    rows, names, sizes, events_view, unassigned = _rows_of(only_predictions(data), by, view)
    estimate, variance = rows.estimates()
    sites = _sites(rows, names, sizes, estimate, variance)
    values, taus = _spreads(*rows.shrunken(), level)
    if all(one["mean"] is None for one in values):
        raise InputError(
            f"fewer than {LEAST_SITES} of the {len(names)} values of {quoted(by)} have estimates: "
            f"{'; '.join(sorted({str(row['left_out']) for row in sites if row['left_out']}))}",
            code="too-few-sites",
            remedy="calibration_by looks at them one by one",
        )
    entropy = entropy_of(rng)
    intercept, slope, drawn = _drawn(rows, resamples, entropy, workers, progress)
    tests, p_value = _tests(taus, drawn)
    measures = [one | test for one, test in zip(values, tests, strict=True)]
    return CalibrationHeterogeneity(
        by=by,
        view=events_view,
        level=level,
        n=int(sizes.sum()),
        measures=measures,
        sites=sites,
        p_value=p_value,
        common_intercept=intercept,
        common_slope=slope,
        unassigned=unassigned,
        resamples=resamples,
        groups=row_groups_of(rows),
        verdict=_verdict(by, measures, level, p_value, resamples),
    )


def _rows_of(
    data: Predictions, by: str, view: str | None
) -> tuple[SiteRows, tuple[str, ...], Ints, str, int]:
    """Return the rows by site, names and sizes of sites, the view, and how many rows have none."""
    attributes = attributes_of(data, by)
    if len(attributes) != 1:
        raise ParameterError(
            f"`by` must name one attribute, whose values are sites, got {shorten(by)}",
            code="several-attributes",
        )
    events = Events.of(data, view, PURPOSE)
    if np.ptp(events.weight) > 0:
        raise InputError(
            "weights that differ give no standard error of a site",
            code="weights-not-possible",
            remedy="leave the weights out, or repeat rows that stand for several examples",
        )
    found = grouping(data, attributes[0], few=data.stored)
    names = found.names
    home = found.code[events.row]
    if names and names[-1] == "missing":
        names, home = names[:-1], np.where(home == len(names) - 1, -1, home)
    _need_sites(by, len(names))
    kept = home >= 0
    inside = replace(
        events,
        row=events.row[kept],
        prob=events.prob[kept],
        observed=events.observed[kept],
        weight=events.weight[kept],
        groups=None if events.groups is None else events.groups[kept],
    )
    home = home[kept]
    if inside.groups is not None:
        _need_groups_in_sites(by, inside.groups, home)
    rows = SiteRows.of(inside, home, len(names)).widened(least=LEAST_GROUPS)
    many = int((~rows.short).sum())
    if many < LEAST_SITES:
        raise InputError(
            f"{many} of {counted(len(names), 'value')} of {quoted(by)} have {LEAST_GROUPS} groups "
            f"of rows or more, and a spread between sites needs {LEAST_SITES} such sites",
            code="too-few-groups-in-sites",
            remedy="leave `groups` out if rows of a site are independent",
        )
    return rows, names, np.bincount(home, minlength=len(names)), events.view, int((~kept).sum())


def _need_sites(by: str, count: int) -> None:
    """Refuse too few sites, and so many that the values are numbers rather than sites."""
    if count < LEAST_SITES:
        raise InputError(
            f"{quoted(by)} has {counted(count, 'value')}, and a spread between sites needs "
            f"{LEAST_SITES} or more",
            code="too-few-sites",
            remedy="calibration_by looks at them one by one",
        )
    if count > MOST_SITES:
        raise InputError(
            f"{quoted(by)} has {count:,} values, more than {MOST_SITES:,} sites; name a column "
            "whose values are sites",
            code="too-many-groups",
        )


def _need_groups_in_sites(by: str, groups: Any, home: Any) -> None:
    """Refuse groups of rows that are in several sites, which then are not independent."""
    pairs = np.unique(np.stack([groups, home]), axis=1)
    several = np.flatnonzero(np.bincount(pairs[0]) > 1)
    if len(several):
        raise InputError(
            f"{counted(len(several), 'group')} of rows are in several values of {quoted(by)}, so "
            "these are not independent",
            code="groups-in-several-sites",
            remedy="keep the rows of each group at one site, or leave `groups` out",
        )


def _sites(
    rows: SiteRows, names: Sequence[str], sizes: Ints, estimate: Wide, variance: Wide
) -> list[dict[str, Any]]:
    """Return one row a site."""
    events = np.bincount(rows.site, rows.actual, len(names))
    result = []
    for place, name in enumerate(names):
        row: dict[str, Any] = {
            "site": name,
            "n": int(sizes[place]),
            "events": int(events[place]),
        }
        for one, value, noise in zip(
            OF_SITES.values(), estimate[:, place], variance[:, place], strict=True
        ):
            known = bool(np.isfinite(value))
            row[one.key] = float(value) if known else None
            row[f"{one.key}_se"] = sqrt(noise) if known else None
        row["left_out"] = _why(rows, place, row)
        result.append(row)
    return result


def _why(rows: SiteRows, place: int, row: Mapping[str, Any]) -> str | None:
    """Return why a site has no estimate of some measures."""
    missing = [OF_SITES[key] for key in MEASURES if row[OF_SITES[key].key] is None]
    if not missing:
        return None
    if rows.short[place]:
        return f"left out, fewer than {LEAST_GROUPS} groups of rows"
    if row["events"] in (0, row["n"]):
        return "no slope and no AUC, all outcomes are the same"
    what = and_list([one.label for one in missing])
    facts = rows.part(place)
    actual = rows.actual[facts.rows] == 1
    if np.any(np.where(actual, facts.own <= 0, facts.own >= 1)):
        return f"no {what}, an outcome of probability 0 was observed"
    if facts.freedom < 2:
        return f"no {what}, all predictions are the same"
    if min(row["events"], row["n"] - row["events"]) < 2:
        return f"no {what}, one row of a class"
    return f"no {what}, the predictions separate the outcomes"


def _spreads(
    estimate: Wide, variance: Wide, level: float
) -> tuple[list[dict[str, Any]], list[float]]:
    """Return what the sites say of each measure, and tau^2 of each."""
    from scipy.special import stdtr

    result, taus = [], []
    for place, key in enumerate(MEASURES):
        known = np.isfinite(estimate[place])
        one: dict[str, Any] = {"measure": OF_SITES[key].key, "sites": int(known.sum())}
        blank = ("mean", "se", "mean_low", "mean_high", "mean_p_value", "tau", "i2")
        one |= dict.fromkeys(blank) | {"prediction_range": None}
        if known.sum() >= LEAST_SITES:
            found = random_effects(estimate[place, known], variance[place, known], level=level)
            t = abs(found.mean - OF_SITES[key].ideal) / found.se
            one |= {
                "mean": found.mean,
                "se": found.se,
                "mean_low": found.low,
                "mean_high": found.high,
                "mean_p_value": float(2.0 * stdtr(found.sites - 1, -t)),
                "tau": sqrt(found.tau2),
                "i2": found.i2,
                "prediction_range": (found.new_low, found.new_high),
            }
        taus.append(nan if one["tau"] is None else one["tau"] ** 2)
        result.append(one)
    return result, taus


def _drawn(
    rows: SiteRows, resamples: int, entropy: int, workers: int | None, progress: Progress | None
) -> tuple[float, float, Wide]:
    """Return the common map and (measures, draws) tau^2 of labels that are drawn from it."""
    from scipy.special import expit

    known = np.isfinite(rows.logit)
    level, home, count = np.unique(rows.logit[known], return_inverse=True, return_counts=True)
    hits = np.bincount(home, rows.actual[known], len(level)).astype(np.float64)
    fit = estimates_of(hits[:, None], level, count.astype(np.float64), freedom_of(level))[:, 0]
    intercept, slope = float(fit[0]), float(fit[1])
    if not resamples or not (isfinite(intercept) and isfinite(slope)):
        return intercept, slope, np.full((len(MEASURES), 0), nan)
    share = rows.prob[:, 1].copy()
    share[known] = expit(intercept + slope * rows.logit[known])
    common = replace(rows, prob=np.column_stack([1.0 - share, share]))
    values = resampled(common, resamples, entropy, workers=workers, progress=progress)
    return intercept, slope, common.between(values)


def _tests(taus: Sequence[float], drawn: Wide) -> tuple[list[dict[str, Any]], float]:
    """Return mean tau and p-value of every measure, and one p-value of them all.

    A draw without tau counts as extreme. The p-value of all is that of the smallest one: each
    draw's own is its rank among the draws and the observed table.
    """
    tests: list[dict[str, Any]] = []
    ranks = []
    for tau2, values in zip(taus, drawn, strict=True):
        known = values[np.isfinite(values)]
        p_value = tails_of(values, tau2)[0] if len(values) and isfinite(tau2) else nan
        mean = float(np.sqrt(known).mean()) if len(known) else nan
        tests.append({"tau_expected": mean, "tau_p_value": p_value})
        if isfinite(p_value):
            extreme = 1.0 + 2.0 * max([tau2, *known])
            whole = np.append(np.where(np.isnan(values), extreme, values), tau2)
            ties = whole - TIE * (1.0 + whole)
            ranks.append((len(whole) - np.searchsorted(np.sort(whole), ties)) / len(whole))
    if not ranks:
        return tests, nan
    least = np.min(ranks, axis=0)
    return tests, float(np.mean(least <= least[-1] + TIE))


def _verdict(
    by: str,
    measures: Sequence[Mapping[str, Any]],
    level: float,
    p_value: float,
    resamples: int,
) -> str:
    """Say in one sentence what a new site may be like, and whether the sites differ."""
    known = {
        key: row["prediction_range"]
        for key, row in zip(MEASURES, measures, strict=True)
        if row["mean"] is not None
    }
    shown = next(keys for line in HEADLINES if (keys := [key for key in line if key in known]))
    parts: list[str] = []
    for key in shown:
        ends = [OF_SITES[key].shown(end) for end in known[key]]
        low, _, high = interval((ends[0], ends[1])).partition(" to ")
        parts.append(f"{NAMES[key]}{' lies' if not parts else ''} between {low} and {high}")
    noun = by.lower() if by.isalpha() else "site"
    new = f"In a new {noun} {', '.join(parts)} ({percentage(level)} prediction interval)"
    sites = max(row["sites"] for row in measures)
    if not isfinite(p_value):
        return f"{new}; {counted(sites, 'site')}."
    evidence = p_value_text(p_value, resamples, "greater")
    if p_value <= LEVEL:
        return f"{new}; the {sites} sites differ ({evidence})."
    return f"{new}; no evidence that the {sites} sites differ ({evidence})."
