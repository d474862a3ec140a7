import itertools

import numpy as np
import pytest

import plumbline as pb
from laws import ALL
from plumbline.curves import Line, bands, curve
from plumbline.curves.bands import BOOTSTRAP, PER_STREAM, _area_of, percentiles, replicates
from plumbline.curves.curve_difference import simultaneous
from plumbline.errors import ParameterError
from plumbline.random_streams import bootstrap_counts, stream
from refusals import refused

PROFIT = "cumm(amount ** 2 / 30 if eP else -amount)"


def table(n=60, seed=0, digits=1, **others):
    """Return binormal rows with ties (`digits` of the score) and an attribute."""
    rng = np.random.default_rng(seed)
    actual = (rng.random(n) < 0.4).astype(int)
    score = np.round(rng.normal(size=n) + 1.2 * actual, digits)
    amount = rng.integers(1, 60, n).astype(float)
    attributes = {"amount": amount, "age": np.round(20 + 3 * rng.random(n) * amount)}
    return pb.Predictions.from_arrays(
        actual, 1 / (1 + np.exp(-score)), attributes=attributes, **others
    )


def drawings(n, resamples, entropy=0):
    """Yield the counts of every drawing, as the documentation of the streams tells them."""
    for start in range(0, resamples, PER_STREAM):
        rng = stream(entropy, BOOTSTRAP, start // PER_STREAM)
        for _ in range(min(PER_STREAM, resamples - start)):
            yield bootstrap_counts(rng, n)


def repeated(data, counts):
    """Return the table in which every row stands as often as it was drawn."""
    return data.select(where=np.repeat(np.arange(data.n), counts.astype(int)))


def at_threshold(line, threshold):
    """Return y of the rows at or above a threshold: the last point that is not below it."""
    return [y for t, y in zip(line.threshold, line.y, strict=True) if t >= threshold][-1]


def first_from(line, threshold):
    """Return y at a threshold of a line drawn upwards: of the same rows as its next point."""
    return next(y for t, y in zip(line.threshold, line.y, strict=True) if t >= threshold)


def met_at(line, threshold):
    """Return y where the rows at or below a threshold have been met."""
    return [y for t, y in zip(line.threshold, line.y, strict=True) if t <= threshold][-1]


def at_x(line, x):
    """Return y at x, at a vertical step its last point; NaN outside the range."""
    points = sorted(
        zip(line.x, range(len(line)), line.y, strict=True), key=lambda p: (round(p[0], 12), p[1])
    )
    for (left, _, low), (right, _, high) in itertools.pairwise([*points, (np.inf, 0, np.nan)]):
        if abs(left - x) < 1e-12 and right > left + 1e-12:
            return low
        if left < x < right:
            return low + (high - low) * (x - left) / (right - left) if right < np.inf else np.nan
    return np.nan


def precision_at(line, recall):
    """Return precision at a recall, false positives growing in a straight line with recall."""
    known = [x * (1 - y) / y if y > 0 else None for x, y in zip(line.x, line.y, strict=True)]
    fp = [next((f for f in known[j:] if f is not None), 0.0) for j in range(len(known))]
    x = list(line.x) if line.x[0] == 0 else [0.0, *line.x]
    counts = Line(np.full(len(x), np.nan), np.array(x), np.array([0.0] * (len(x) - len(fp)) + fp))
    between = at_x(counts, recall)
    if recall + between > 0 or np.isnan(between):
        return recall / (recall + between)
    return next(r / (r + f) for r, f in zip(counts.x, counts.y, strict=True) if r + f > 0)


def literal_loess(line, at, span):
    """Return the local line at one x: tricube weights over the nearest `span` of the points."""
    away = np.abs(line.x - at)
    reach = np.sort(away)[int(np.ceil(span * len(line) * (1 - 1e-10))) - 1]
    kernel = np.where(away < reach * (1 - 1e-12), (1 - (away / reach) ** 3).clip(0) ** 3, 0)
    middle = np.average(line.x, weights=kernel) if kernel.any() else at
    spread = np.average((line.x - middle) ** 2, weights=kernel) if kernel.any() else 0
    if not kernel.any():
        return line.y[away <= reach].mean()
    mean = np.average(line.y, weights=kernel)
    if spread <= (1e-3 * np.ptp(line.x)) ** 2:
        return mean
    slope = np.average((line.x - middle) * line.y, weights=kernel) / spread
    return mean + slope * (at - middle)


def literal_band(data, places, look, resamples=20, **settings):
    """Return the band from whole tables of repeated rows, each with a curve of its own."""
    result = []
    for counts in drawings(data.n, resamples):
        (line,) = curve(repeated(data, counts), **settings).lines
        result.append([look(line, place) for place in places])
    values = np.array(result, float)
    few = 2 * np.isfinite(values).sum(axis=0) < resamples
    values[:, few] = 0.0
    low, high = np.nanpercentile(values, [2.5, 97.5], axis=0)
    return np.where(few, np.nan, low), np.where(few, np.nan, high)


class TestBand:
    """A band is that of tables in which the drawn rows stand again and again."""

    @pytest.mark.parametrize("direction", ["descending", "ascending"])
    @pytest.mark.parametrize("y", ["CA", PROFIT, "TP - total(eP) / 2", "mean(amount) * recall"])
    def test_at_thresholds_it_is_that_of_repeated_rows(self, y, direction):
        """Every formula, in either direction, has at every threshold what the tables have."""
        data = table()
        given = {"x": "threshold", "y": y, "direction": direction}
        (line,) = curve(data, **given, band="bootstrap", resamples=20).lines
        look = at_threshold if direction == "descending" else met_at if y == PROFIT else first_from
        low, high = literal_band(data, line.threshold, look, **given)
        np.testing.assert_allclose(line.more["y_low"], low, atol=1e-9)
        np.testing.assert_allclose(line.more["y_high"], high, atol=1e-9)

    @pytest.mark.parametrize(
        ("x", "y"), [("FPR", "TPR"), ("PP / NN", "TPR"), ("recall", "precision")]
    )
    def test_at_equal_x_it_is_that_of_repeated_rows(self, x, y):
        """Where x moves with the rows, drawings are compared at the same x."""
        data = table()
        (line,) = curve(data, x=x, y=y, band="bootstrap", resamples=20).lines
        look = precision_at if y == "precision" else at_x
        low, high = literal_band(data, line.x, look, x=x, y=y)
        last = np.array([x not in line.x[j + 1 :] for j, x in enumerate(line.x)])
        low, high = (
            np.where(last, end, further(end, line.y))
            for end, further in ((low, np.minimum), (high, np.maximum))
        )
        np.testing.assert_allclose(line.more["y_low"], low, atol=1e-9)
        np.testing.assert_allclose(line.more["y_high"], high, atol=1e-9)

    @pytest.mark.parametrize(
        "given",
        [
            {"preset": "roc"},
            {"preset": "precision-recall"},
            {"x": "FPR", "y": "TPR", "direction": "ascending"},
        ],
        ids=str,
    )
    def test_a_point_of_a_vertical_step_is_not_outside_its_band(self, given):
        """The band of the step's x is widened to the points below its end, and nowhere else."""
        (line,) = curve(table(200, digits=3), band="bootstrap", resamples=40, **given).lines
        low, high = line.more["y_low"], line.more["y_high"]
        inner = bands.within_steps(line.x)
        assert 0 < inner.sum() < len(line)
        known = inner & ~np.isnan(low)
        assert ((low <= line.y) & (line.y <= high))[known].all()
        ends = {x: (low[j], high[j]) for j, x in enumerate(line.x) if not inner[j]}
        for j in np.flatnonzero(known):
            assert low[j] == min(ends[line.x[j]][0], line.y[j])
            assert high[j] == max(ends[line.x[j]][1], line.y[j])

    def test_the_first_point_of_a_roc_curve_has_a_band_from_0(self):
        """Not one that begins at the top of the first step."""
        (line,) = curve(table(400, digits=3), "roc", band="bootstrap", resamples=40).lines
        assert (line.x[0], line.y[0], line.more["y_low"][0]) == (0, 0, 0)
        assert line.more["y_low"][line.x == 0][-1] > 0

    @pytest.mark.parametrize(
        "settings",
        [
            {"x": "age", "y": "eCA", "average": "smooth"},
            {"x": "probability", "y": "amount if eP else 0", "average": "smooth", "span": 0.8},
            {"x": "FPR", "y": "TPR", "average": "smooth", "merge": "last"},
        ],
    )
    def test_a_smoothed_line_is_smoothed_again(self, settings):
        """Inside the range of x every drawing is smoothed as its table would be, at the same x."""
        data = table(digits=2)
        given = {**settings, "points": 9, "band": "bootstrap", "resamples": 20}
        (line,) = curve(data, **given).lines
        raw = {**settings, "average": "merge", "merge": settings.get("merge", "none")}
        raw.pop("span", None)
        result = []
        for counts in drawings(data.n, 20):
            (points,) = curve(repeated(data, counts), **raw).lines
            result.append([literal_loess(points, x, settings.get("span", 0.5)) for x in line.x])
        low, high = np.percentile(result, [2.5, 97.5], axis=0)
        np.testing.assert_allclose(line.more["y_low"], low, atol=1e-7)
        np.testing.assert_allclose(line.more["y_high"], high, atol=1e-7)

    def test_means_over_equal_sort_values_are_those_of_repeated_rows(self):
        """merge="average" takes the mean of the rows drawn, and leaves out values not drawn."""
        data = table()
        given = {"x": "age", "y": "eCA", "sort_by": "age", "merge": "average"}
        (line,) = curve(data, **given, band="bootstrap", resamples=20).lines

        def look(line, threshold):
            return dict(zip(line.threshold, line.y, strict=True)).get(threshold, np.nan)

        low, high = literal_band(data, line.threshold, look, **given)
        np.testing.assert_allclose(line.more["y_low"], low, atol=1e-9)
        np.testing.assert_allclose(line.more["y_high"], high, atol=1e-9)


class TestManyStates:
    """Of long curves the band is computed at some states, which is told and hardly shows."""

    @pytest.mark.parametrize(
        "settings",
        [
            {"x": "threshold", "y": PROFIT},
            {"x": "FPR", "y": "TPR"},
            {"x": "probability", "y": "eCA", "average": "smooth"},
        ],
    )
    def test_a_long_curve_has_nearly_the_band_of_all_its_states(self, settings, monkeypatch):
        """Straight lines between 2,000 states miss a tenth of the width at most."""
        data = table(9000, digits=9)
        given = {**settings, "band": "bootstrap", "resamples": 20}
        (line,) = curve(data, **given).lines
        monkeypatch.setattr(bands, "MOST_STATES", 10**9)
        monkeypatch.setattr(bands, "MOST_PLACES", 10**9)
        (whole,) = curve(data, **given).lines
        for name in ("y_low", "y_high"):
            away = np.abs(line.more[name] - whole.more[name])
            width = np.nanmax(whole.more["y_high"] - whole.more["y_low"])
            assert 0 < away.max() <= 0.1 * width

    def test_chosen_places_keep_the_ends_and_follow_the_curve(self):
        """Places are many where the curve moves, and the ends are among them."""
        x = np.arange(10_000.0)
        y = np.where(x < 100, x, 100.0)
        places = bands.spread_places(x, y, 300)
        assert len(places) <= 300
        assert (places[0], places[-1]) == (0, 9_999)
        assert np.count_nonzero(places < 100) >= 90


class TestUnits:
    """What is drawn are examples; a row of weight 3 is still one draw."""

    def test_an_example_in_several_repeats_is_drawn_once(self):
        """Three copies of a table, told to be of the same rows, have the band of one."""
        one = table(row=np.arange(60))
        three = pb.Predictions.from_arrays(
            np.tile(one.actual, 3),
            np.tile(one.prob[:, 1], 3),
            row=np.tile(one.row, 3),
            repeat=np.repeat([0, 1, 2], 60),
            fold=np.zeros(180, int),
        )
        given = {"x": "FPR", "y": "TPR", "band": "bootstrap", "resamples": 50}
        few, many = (curve(data, **given).lines[0].more for data in (one, three))
        for name in ("y_low", "y_high"):
            np.testing.assert_allclose(few[name], many[name], atol=1e-12)

    def test_weights_times_a_constant_change_no_rate(self):
        """A weighted row is one draw, so rates do not depend on the unit of weight."""
        data = table()
        heavy = table(weight=np.full(60, 3.0))
        for x in ("FPR", "threshold"):
            given = {"x": x, "y": "TPR", "band": "bootstrap", "resamples": 30}
            lines = [curve(d, **given).lines[0].more for d in (data, heavy)]
            np.testing.assert_allclose(lines[0]["y_low"], lines[1]["y_low"], atol=1e-12)


class TestDrawing:
    """Drawings depend on the seed alone, tell their progress and can be interrupted."""

    def test_the_number_of_threads_changes_nothing(self):
        """One thread and three give the same drawings in the same order."""
        built = [
            replicates(lambda c: c[:3], units=50, resamples=45, entropy=7, workers=workers)
            for workers in (1, 3)
        ]
        assert np.array_equal(*built)
        assert np.array_equal(built[0], [counts[:3] for counts in drawings(50, 45, entropy=7)])
        assert not np.array_equal(
            built[0], replicates(lambda c: c[:3], units=50, resamples=45, entropy=8)
        )

    @pytest.mark.parametrize("workers", [1, 2])
    def test_progress_and_interruption(self, workers):
        """Progress ends at the total; Ctrl-C in the callback ends the work."""
        text = []
        replicates(
            lambda c: c,
            units=5,
            resamples=35,
            entropy=0,
            workers=workers,
            progress=lambda *at: text.append(at),
        )
        assert text == [(10, 35), (20, 35), (30, 35), (35, 35)]

        def interrupt(*_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            replicates(
                lambda c: c, units=5, resamples=35, entropy=0, workers=workers, progress=interrupt
            )

    def test_percentiles_leave_out_what_is_undefined(self):
        """A place has percentiles where at least half of the drawings are defined there."""
        values = np.arange(12.0).reshape(4, 3)
        values[:2, 1] = np.nan
        values[:3, 2] = np.inf
        low, high = percentiles(values, 0.5)
        np.testing.assert_allclose(low, [2.25, 7.75, np.nan])
        np.testing.assert_allclose(high, [6.75, 9.25, np.nan])


class TestRefusals:
    """What no resampling can answer is refused, with a way out."""

    @pytest.mark.parametrize(
        "settings",
        [
            {"merge": "last"},
            {"merge": "none"},
            {"direction": "unsorted"},
        ],
    )
    def test_single_rows_have_no_band(self, settings):
        """A value of one row is the same whichever rows are drawn."""
        with refused(ParameterError, "value-of-each-row", "'eCA'", "smooth"):
            curve(table(), x="probability", y="eCA", **settings, band="bootstrap")

    def test_an_x_that_goes_back_and_forth_has_no_band(self):
        """Precision is not a place."""
        with refused(ParameterError, "x-not-monotone", "'precision'"):
            curve(table(), x="precision", y="recall", band="bootstrap")


class TestCoverage:
    """How often the band holds the truth (studies/curve_bands.py has more)."""

    @pytest.mark.laws
    def test_accuracy_at_a_threshold_is_covered_as_often_as_stated(self):
        """100 binormal data sets of 300 rows, 100 drawings each, three standard errors."""
        from scipy.stats import norm

        rng = np.random.default_rng(5)
        shift, share, sets = 1.2, 0.4, 100 if ALL else 50
        cut = shift / 2  # P = .5 says nothing here: any threshold will do
        truth = share * norm.cdf(shift - cut) + (1 - share) * norm.cdf(cut)
        held = 0
        for seed in range(sets):
            actual = (rng.random(300) < share).astype(int)
            score = rng.normal(size=300) + shift * actual
            data = pb.Predictions.from_arrays(actual, score=score)
            result = curve(data, x="threshold", y="CA", band="bootstrap", resamples=100, rng=seed)
            (line,) = result.lines
            place = np.flatnonzero(line.threshold >= cut)[-1]
            held += line.more["y_low"][place] <= truth <= line.more["y_high"][place]
        error = np.sqrt(0.95 * 0.05 / sets)
        assert abs(held / sets - 0.95) <= 3 * error + 0.01  # .01: 100 drawings, 300 rows


def rare(seed=0):
    """Return 30 rows of which three are positive: some drawings have none of them."""
    rng = np.random.default_rng(seed)
    y = np.zeros(30, int)
    y[rng.choice(30, 3, replace=False)] = 1
    return pb.Predictions.from_arrays(y, rng.random(30), classes=[0, 1])


def test_a_band_says_how_many_drawings_have_no_value():
    """Of a ROC curve those without a positive or a negative; a curve with all values says none."""
    data = rare()
    lost = sum(data.actual @ counts in (0, 30) for counts in drawings(30, 200))
    (note,) = (
        note
        for note in curve(data, preset="roc", band="bootstrap", resamples=200).notes
        if note.code == "undefined-draws"
    )
    assert lost > 0
    assert f"{lost} of 200 resamples" in note
    whole = curve(data, x="threshold", y="CA", band="bootstrap", resamples=200)
    assert "undefined-draws" not in {note.code for note in whole.notes}


@pytest.mark.parametrize("merge", ["none", "last"])
@pytest.mark.parametrize("left_out", [np.inf, -np.inf, np.nan])
def test_a_smoothed_band_leaves_out_what_the_smoothed_line_does(merge, left_out):
    """Rows whose y is infinite or unknown: y = x has a band without width through the others."""
    rng = np.random.default_rng(0)
    age = rng.integers(20, 60, 60).astype(float)
    attributes = {"age": age, "same": np.where(np.arange(60) % 9 == 4, left_out, age)}
    data = pb.Predictions.from_arrays(np.arange(60) % 2, rng.random(60), attributes=attributes)
    given = {"x": "age", "y": "same", "average": "smooth", "merge": merge, "span": 0.9}
    (line,) = curve(data, **given, band="bootstrap", resamples=20, points=4).lines
    for values in (line.y, line.more["y_low"], line.more["y_high"]):
        np.testing.assert_allclose(values, line.x, rtol=1e-9)


@pytest.mark.parametrize(("defined", "known"), [(9, False), (10, True), (11, True)])
def test_half_of_the_drawings_suffice_for_an_interval(defined, known):
    """Of a point, of the area below a line, and of a difference, as of a metric."""
    drawn = np.random.default_rng(0).random((20, 3))
    drawn[defined:, 1] = np.nan
    low, _ = percentiles(drawn, 0.9)
    area = _area_of(np.array([0.0, 0.5, 1.0]), drawn, 0.9)
    errors, _ = simultaneous(np.zeros(3), drawn, level=0.9, still=0.0)
    assert (area is not None) == known
    for values in (low, errors):
        assert np.isfinite(values).tolist() == [True, known, True]


def test_a_difference_of_curves_says_how_many_drawings_have_no_value():
    """As a band does, where both models are drawn together."""
    first, second = rare(), rare()
    data = pb.Predictions.from_arrays(
        np.tile(first.actual, 2),
        np.concatenate([first.prob[:, 1], second.prob[::-1, 1]]),
        model=np.repeat(["a", "b"], 30),
        classes=[0, 1],
    )
    for y, told in (("TPR", True), ("CA", False)):
        found = pb.curve_difference(data, x="threshold", y=y, resamples=100, points=11)
        assert ("undefined-draws" in {note.code for note in found.notes}) == told


def test_a_plateau_says_how_many_drawings_have_no_value():
    """The precision of a threshold that accepts few rows is undefined where none was drawn."""
    for y, told in (("PPV", True), ("CA", False)):
        found = pb.best_threshold(rare(), y, resamples=100)
        assert ("undefined-draws" in {note.code for note in found.notes}) == told
