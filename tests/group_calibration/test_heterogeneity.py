"""Sites: estimates and their errors, the spread between them, a new site, and what is left out."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit
from scipy.stats import t as student_t

import plumbline as pb
from laws import some
from plumbline.calibration_errors import Events
from plumbline.group_calibration.calibration_heterogeneity import OF_SITES
from plumbline.group_calibration.random_effects import new_site, random_effects, spread_of
from plumbline.group_calibration.site_estimates import MEASURES, SiteRows
from refusals import refused

FEW = {"resamples": 39}
KEYS = [one.key for one in OF_SITES.values()]


def sites(seed=0, count=8, size=150, spread=0.4, *, digits=None, **more):
    """Return rows of sites whose log-odds are shifted by normal amounts."""
    rng = np.random.default_rng(seed)
    site = np.repeat(np.arange(count), size)
    p = rng.beta(2, 4, size=len(site))
    p = p if digits is None else p.round(digits).clip(0.1, 0.9)
    truth = expit(logit(p) + rng.normal(0, spread, count)[site])
    y = (rng.random(len(site)) < truth).astype(int)
    return pb.Predictions.from_arrays(
        y, p, classes=[0, 1], attributes={"site": site, "half": site % 2}, **more
    )


# ------------------------------------------------------------------ random effects


def slow_spread(estimate, variance):
    """Return the maximum of the restricted likelihood, found by trying and by scipy."""

    def loss(tau2):
        weight = 1 / (variance + tau2)
        mean = weight @ estimate / weight.sum()
        logs = np.log(variance + tau2).sum() + np.log(weight.sum())
        return (logs + weight @ (estimate - mean) ** 2) / 2

    grid = np.r_[0, np.geomspace(1e-8, 50, 400)]
    best = int(np.argmin([loss(one) for one in grid]))
    if best == 0:
        return 0.0
    ends = grid[best - 1], grid[min(best + 1, len(grid) - 1)]
    return minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-12}).x


def test_the_spread_is_where_the_restricted_likelihood_is_largest():
    """Sets of 3 to 20 sites, alike and different, all at once and with sites that are missing."""
    rng = np.random.default_rng(1)
    variance = rng.uniform(0.01, 0.5, (20, 60))
    estimate = rng.normal(0, np.sqrt(variance + rng.choice([0, 0.1, 2], 60)))
    for column in range(60):
        estimate[rng.permutation(20)[: rng.integers(0, 18)], column] = np.nan
    found = spread_of(estimate, variance)
    for column in range(60):
        known = np.isfinite(estimate[:, column])
        slow = slow_spread(estimate[known, column], variance[known, column])
        assert found[column] == pytest.approx(slow, rel=1e-4, abs=1e-7)


def test_fewer_than_three_estimates_have_no_spread():
    """Two estimates leave no degree of freedom for a new site."""
    assert np.isnan(spread_of(np.array([[0.0], [1.0], [np.nan]]), np.ones((3, 1))))


def test_random_effects_are_those_of_metafor():
    """R's metafor 4: rma(yi, vi, test="knha") of the vaccine trials dat.bcg, as its page prints."""
    cases = np.array([4, 6, 3, 62, 33, 180, 8, 505, 29, 17, 186, 5, 27])
    free = np.array([119, 300, 228, 13536, 5036, 1361, 2537, 87886, 7470, 1699, 50448, 2493, 16886])
    own = np.array([11, 29, 11, 248, 47, 372, 10, 499, 45, 65, 141, 3, 29])
    rest = np.array([128, 274, 209, 12619, 5761, 1079, 619, 87892, 7232, 1600, 27197, 2338, 17825])
    estimate = np.log(cases / (cases + free) / (own / (own + rest)))
    variance = 1 / cases - 1 / (cases + free) + 1 / own - 1 / (own + rest)
    found = random_effects(estimate, variance)
    got = [found.mean, found.se, found.low, found.high, found.tau2, found.i2]
    expected = [-0.7145, 0.1808, -1.1084, -0.3206, 0.3132, 0.9222]
    assert got == pytest.approx(expected, abs=5e-5)
    assert 1 / np.sqrt((1 / (variance + found.tau2)).sum()) == pytest.approx(0.1798, abs=5e-5)


def test_a_new_site_varies_more_than_the_mean():
    """The prediction interval holds that of the mean, at every level and also without spread."""
    rng = np.random.default_rng(2)
    for k in (3, 4, 12):
        for scale in (0.0, 1.0):
            estimate = rng.normal(0, 0.1 + scale, k)
            for level in (0.5, 0.95, 0.99):
                one = random_effects(estimate, np.full(k, 0.04), level=level)
                assert one.new_low <= one.low < one.mean < one.high <= one.new_high


def test_without_noise_a_new_site_is_where_students_t_says():
    """Mean +- t(k - 1) s sqrt(1 + 1 / k), at every level, also far from 0 and on another scale."""
    rng = np.random.default_rng(21)
    for k in (3, 6, 30):
        estimate = 5.0 + 0.01 * rng.normal(size=k)
        for level in (0.5, 0.95, 0.99):
            half = student_t(k - 1).ppf((1 + level) / 2) * estimate.std(ddof=1)
            half *= np.sqrt(1 + 1 / k)
            found = new_site(estimate, np.zeros(k), level=level)
            wanted = estimate.mean() + half * np.array([-1.0, 1.0])
            assert found == pytest.approx(wanted, abs=1e-3 * half)


def test_without_spread_a_new_site_is_no_surer_than_the_mean():
    """Large noise and estimates that are alike: at least the interval of the common value."""
    found = random_effects(np.zeros(8), np.full(8, 0.04))
    assert found.tau2 == 0.0
    assert found.new_high > 1.96 * np.sqrt(0.04 / 8)
    assert found.new_low == pytest.approx(-found.new_high, rel=1e-6)


# ------------------------------------------------------------------ estimates of a site


def slow_estimates(p, y):
    """Return the measures of one site and their variances, by plain formulas."""
    x = logit(p)
    shift, line = 0.0, np.zeros(2)
    columns = np.column_stack([np.ones(len(x)), x])
    for _ in range(60):
        mean = expit(shift + x)
        shift += (y - mean).sum() / (mean * (1 - mean)).sum()
        fitted = expit(columns @ line)
        hessian = columns.T @ (columns * (fitted * (1 - fitted))[:, None])
        line = line + np.linalg.solve(hessian, columns.T @ (y - fitted))
    mean = expit(shift + x)
    ratio = y.sum() / p.sum()
    hits, others = p[y == 1], p[y == 0]
    pairs = (hits[:, None] > others) + (hits[:, None] == others) / 2
    area = pairs.mean()
    noise = pairs.mean(axis=1).var(ddof=1) / len(hits) + pairs.mean(axis=0).var(ddof=1) / len(
        others
    )
    values = [shift, line[1], np.log(ratio), logit(area)]
    variances = [
        1 / (mean * (1 - mean)).sum(),
        np.linalg.inv(hessian)[1, 1],
        ((y - ratio * p) ** 2).sum() / y.sum() ** 2,
        noise / (area * (1 - area)) ** 2,
    ]
    return values, variances


@pytest.mark.parametrize("digits", [None, 1])
def test_every_site_has_the_estimates_of_plain_formulas(digits):
    """Without ties of probabilities and with many; sites of 1,500 rows come in several parts."""
    data = sites(3, count=4, size=700, digits=digits)
    found = pb.calibration_heterogeneity(data, "site", resamples=0)
    for place, row in enumerate(found.sites):
        rows = np.flatnonzero(data.attributes["site"] == place)
        values, variances = slow_estimates(data.prob[rows, 1].astype(float), data.actual[rows])
        assert [row[key] for key in KEYS] == pytest.approx(values, rel=1e-6)
        assert [row[f"{key}_se"] ** 2 for key in KEYS] == pytest.approx(variances, rel=1e-6)


def test_what_was_not_drawn_has_no_column():
    """Without draws there is no expected tau and no p-value of it."""
    for resamples, wanted in ((0, False), (39, True)):
        found = pb.calibration_heterogeneity(sites(3, count=4), "site", resamples=resamples)
        columns = found.present().tables[0].columns
        assert [name in columns for name in ("expected", "p of tau")] == [wanted, wanted]


def test_large_sites_are_fitted_on_few_points(monkeypatch):
    """With more than a thousand distinct logits the estimates are those of all of them."""
    data = sites(4, count=3, size=3000)
    few = pb.calibration_heterogeneity(data, "site", resamples=0)
    monkeypatch.setattr("plumbline.group_calibration.site_estimates.MANY", 10_000)
    all_of_them = pb.calibration_heterogeneity(data, "site", resamples=0)
    for one, other in zip(few.sites, all_of_them.sites, strict=True):
        for key in KEYS:
            assert one[key] == pytest.approx(other[key], abs=1e-6 * other[f"{key}_se"])


def test_means_are_taken_of_the_estimates_of_large_sites():
    """Shrunken towards the mean and one step back: the site's own, to a tenth of its error."""
    data = sites(22, count=6, size=1500, spread=0.8)
    rows = SiteRows.of(Events.of(data, None, "a test"), data.attributes["site"], 6)
    (own, noise), (shrunken, other) = rows.estimates(), rows.shrunken()
    assert np.all(np.abs(own - shrunken) < 0.1 * np.sqrt(noise))
    assert other == pytest.approx(noise, rel=0.2)
    assert np.array_equal(own[[1, 3]], shrunken[[1, 3]])


@pytest.mark.laws
def test_sites_without_events_do_not_lift_the_mean():
    """Sites that expect one event each and are calibrated: the mean is that of all of them."""
    rng = np.random.default_rng(23)
    means, skipped = [], []
    site = np.repeat(np.arange(60), 10)
    tables = some(range(20), 10)
    for _ in tables:
        p = rng.beta(1, 9, size=600)
        data = pb.Predictions.from_arrays(
            (rng.random(600) < p).astype(int), p, classes=[0, 1], attributes={"site": site}
        )
        found = pb.calibration_heterogeneity(data, "site", resamples=0)
        assert [row["sites"] for row in found.measures][::2] == [60, 60]
        means.append([found.measures[place]["mean"] for place in (0, 2)])
        skipped.append(np.mean([row["log_oe"] for row in found.sites if row["log_oe"] is not None]))
    error = np.std(means, axis=0) / np.sqrt(len(tables))
    assert np.all(np.abs(np.mean(means, axis=0)) < 4 * error + 0.05)
    assert np.mean(skipped) > 0.25


def test_labels_can_be_added_in_parts():
    """Wherever the rows are cut, also between rows of one probability, the sums are the same."""
    data = sites(4, count=3, size=40, digits=1)
    rows = SiteRows.of(Events.of(data, None, "a test"), data.attributes["site"], 3)
    labels = np.random.default_rng(0).integers(0, 2, (120, 5)).astype(np.int32)
    whole = rows.tally(5)
    whole.add(slice(0, 120), labels)
    for cut in (1, 17, 40, 41, 119):
        parts = rows.tally(5)
        parts.add(slice(0, cut), labels[:cut])
        parts.add(slice(cut, 120), labels[cut:])
        np.testing.assert_allclose(parts.values(), whole.values(), rtol=1e-9)


def test_rows_and_names_of_sites_change_nothing_but_names():
    """Order of the rows, and numbers or words as sites; more than ten numbers are not cut."""
    data = sites(5, count=12, size=60)
    one = pb.calibration_heterogeneity(data, "site", resamples=0)
    order = np.random.default_rng(0).permutation(data.n)
    other = pb.calibration_heterogeneity(data.select(where=order), "site", resamples=0)
    assert [row["site"] for row in one.sites] == [str(place) for place in range(12)]
    for mine, theirs in zip(one.measures, other.measures, strict=True):
        assert mine["mean"] == pytest.approx(theirs["mean"], rel=1e-9)
        assert mine["tau"] == pytest.approx(theirs["tau"], abs=1e-7)


# ------------------------------------------------------------------ the test of one map


def test_sites_that_differ_are_found_and_one_common_map_is_not():
    """The same fault everywhere is none of sites; case mix moves AUCs and is allowed for."""
    apart = pb.calibration_heterogeneity(sites(6, spread=1.0), "site", resamples=99)
    assert apart.measures[0]["tau_p_value"] == 0.01
    assert apart.p_value <= 0.04
    assert apart.measures[0]["tau_expected"] < 0.2 < apart.measures[0]["tau"]
    rng = np.random.default_rng(7)
    site = np.repeat(np.arange(8), 200)
    x = rng.normal(-1 + 0.5 * (site % 3), 0.4 + 0.3 * (site % 4))
    y = (rng.random(len(x)) < expit(0.5 + 0.6 * x)).astype(int)
    data = pb.Predictions.from_arrays(y, expit(x), attributes={"site": site})
    mixed = pb.calibration_heterogeneity(data, "site", resamples=99)
    assert (mixed.common_intercept, mixed.common_slope) == pytest.approx((0.5, 0.6), abs=0.15)
    by_key = {row["measure"]: row for row in mixed.measures}
    assert by_key["logit_auc"]["tau"] > 0.2 > by_key["slope"]["tau"]
    assert mixed.p_value > 0.05


def test_the_p_value_of_all_lies_between_the_smallest_and_its_multiple():
    """It is that of the smallest of four, which the same draws adjust."""
    for seed in range(8, 12):
        one = pb.calibration_heterogeneity(sites(seed, spread=0.3), "site", resamples=99)
        least = min(row["tau_p_value"] for row in one.measures)
        assert least <= one.p_value <= len(MEASURES) * least


def test_answers_do_not_depend_on_workers():
    """The same seed gives the same draws."""
    data = sites(12)
    one, two = (
        pb.calibration_heterogeneity(data, "site", resamples=99, workers=workers).to_dict()
        for workers in (1, 2)
    )
    assert one == two


# ------------------------------------------------------------------ rows in groups


def test_groups_of_one_row_change_no_estimate():
    """A site's standard errors are those of single rows then."""
    data = sites(13)
    one, two = (
        pb.calibration_heterogeneity(each, "site", resamples=0)
        for each in (data, data.in_groups(np.arange(data.n)))
    )
    assert one.sites == two.sites
    assert one.measures == two.measures


def test_copies_of_rows_as_groups_count_once():
    """Every row three times, in groups of three: the standard errors of the rows alone."""
    data = sites(14, size=120)
    three = data.select(where=np.repeat(np.arange(data.n), 3))
    grouped = three.in_groups(np.repeat(np.arange(data.n), 3))
    alone = pb.calibration_heterogeneity(data, "site", resamples=0)
    again = pb.calibration_heterogeneity(grouped, "site", resamples=0)
    naive = pb.calibration_heterogeneity(three, "site", resamples=0)
    for mine, theirs, wrong in zip(alone.sites, again.sites, naive.sites, strict=True):
        for key in KEYS:
            assert theirs[key] == pytest.approx(mine[key], rel=1e-9)
            assert theirs[f"{key}_se"] == pytest.approx(mine[f"{key}_se"], rel=0.05)
            assert wrong[f"{key}_se"] < 0.65 * mine[f"{key}_se"]


def test_sites_of_few_groups_are_left_out_and_groups_in_two_sites_refused():
    """Four groups tell no variance; a patient of two hospitals makes them depend."""
    data = sites(15, count=5, size=100)
    site = data.attributes["site"]
    groups = np.where(site == 2, site * 1000 + np.arange(500) % 4, np.arange(500) + 10_000)
    found = pb.calibration_heterogeneity(data.in_groups(groups), "site", **FEW)
    assert [row["sites"] for row in found.measures] == [4] * 4
    assert "groups" in found.sites[2]["left_out"]
    with refused(pb.InputError, "too-few-groups-in-sites", "0 of 5"):
        pb.calibration_heterogeneity(data.in_groups(site), "site")
    with refused(pb.InputError, "groups-in-several-sites", "'site'"):
        pb.calibration_heterogeneity(data.in_groups(np.arange(500) // 3), "site")


# ------------------------------------------------------------------ what is left out


def odd_sites():
    """Return eight sites: five usual ones, one class, separated, all probabilities alike."""
    data = sites(16, count=8, size=60)
    site = data.attributes["site"]
    p, y = data.prob[:, 1].astype(float), data.actual.copy()
    y[site == 5] = 0
    y[site == 6] = p[site == 6] > 0.4
    p[site == 7] = 0.3
    named = [
        None if place == 4 and row % 10 == 0 else f"s{place}" for row, place in enumerate(site)
    ]
    return pb.Predictions.from_arrays(y, p, classes=[0, 1], attributes={"site": named})


def test_what_is_left_out_is_said_with_counts():
    """One class or separation: no slope and no AUC; rows without a site are counted."""
    found = pb.calibration_heterogeneity(odd_sites(), "site", **FEW)
    counts = {row["measure"]: row["sites"] for row in found.measures}
    assert counts == {"shift": 8, "slope": 5, "log_oe": 8, "logit_auc": 5}
    assert [row["left_out"] is None for row in found.sites] == [True] * 5 + [False] * 3
    assert found.unassigned == 6
    codes = [note.code for note in found.present().notes]
    assert codes.count("sites-left-out") == 3
    assert "rows-without-site" in codes
    text = " ".join(found.present().notes)
    assert all(name in text for name in ("s5", "s6", "s7", "60 rows", "6 rows"))


def test_p_values_of_means_are_those_of_students_t():
    """Against the ideal of each measure, with one degree of freedom fewer than sites."""
    found = pb.calibration_heterogeneity(sites(19, count=6), "site", resamples=0)
    for row, ideal in zip(found.measures, (0.0, 1.0, 0.0, 0.0), strict=True):
        expected = 2 * student_t(row["sites"] - 1).sf(abs(row["mean"] - ideal) / row["se"])
        assert row["mean_p_value"] == pytest.approx(expected)


@pytest.mark.parametrize("best", [True, False])
def test_an_auc_of_0_or_1_has_no_log_odds(best):
    """It is left out with its site named, and the others stay."""
    data = sites(20, count=4, size=60)
    first, p = data.attributes["site"] == 0, data.prob[:, 1].astype(float)
    y = data.actual.copy()
    y[first] = (p[first] > np.median(p[first])) == best
    again = pb.Predictions.from_arrays(y, p, classes=[0, 1], attributes=dict(data.attributes))
    found = pb.calibration_heterogeneity(again, "site", resamples=0)
    assert [row["sites"] for row in found.measures] == [4, 3, 4, 3]
    assert np.isfinite(found.measures[3]["mean"])


def test_an_observed_outcome_of_probability_0_leaves_no_line():
    """No shift and no slope can make it possible; O/E and AUC stay."""
    data = sites(17, count=4, size=80)
    p = data.prob[:, 1].astype(float)
    p[np.flatnonzero((data.attributes["site"] == 1) & (data.actual == 1))[0]] = 0.0
    again = pb.Predictions.from_arrays(
        data.actual, p, classes=[0, 1], attributes=dict(data.attributes)
    )
    found = pb.calibration_heterogeneity(again, "site", resamples=0)
    assert [row["sites"] for row in found.measures] == [3, 3, 4, 4]
    assert "probability 0" in found.sites[1]["left_out"]


@pytest.mark.parametrize(
    ("change", "by", "error", "code"),
    [
        (lambda data: data, "half", pb.InputError, "too-few-sites"),
        (lambda data: data, "site,half", pb.ParameterError, "several-attributes"),
        (lambda data: data, "place", pb.ParameterError, "unknown-name"),
        (
            lambda data: pb.Predictions.from_arrays(
                data.actual,
                data.prob[:, 1],
                weight=1.0 + data.actual,
                attributes={"site": range(data.n)},
            ),
            "site",
            pb.InputError,
            "weights-not-possible",
        ),
        (
            lambda data: pb.Predictions.from_arrays(
                data.actual, data.prob[:, 1], attributes={"site": range(data.n)}
            ),
            "site",
            pb.InputError,
            "too-many-groups",
        ),
        (
            lambda data: pb.Predictions.from_arrays(
                data.attributes["site"] > 3,
                data.prob[:, 1],
                attributes={"site": data.attributes["site"]},
            ),
            "site",
            pb.InputError,
            "too-few-sites",
        ),
    ],
)
def test_what_cannot_be_answered_is_refused(change, by, error, code):
    """Two sites, two attributes, weights, a number of each row, and one class at every site."""
    with refused(error, code):
        pb.calibration_heterogeneity(change(sites(18)), by)


def test_rows_that_one_map_separates_have_no_test():
    """The labels of a map that fits them cannot be drawn, and that is said."""
    p = np.tile([0.1, 0.2, 0.7, 0.8], 12)
    data = pb.Predictions.from_arrays(p > 0.5, p, attributes={"site": np.repeat(list("abc"), 16)})
    found = pb.calibration_heterogeneity(data, "site", **FEW)
    assert np.isnan(found.p_value)
    assert [row["sites"] for row in found.measures] == [3, 0, 3, 0]
    assert "no-common-map" in [note.code for note in found.present().notes]
