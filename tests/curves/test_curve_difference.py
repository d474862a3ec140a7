import json

import numpy as np
import pytest

import plumbline as pb
from laws import ALL
from plumbline.curves import curve, curve_difference
from plumbline.curves.bands import BOOTSTRAP, PER_STREAM
from plumbline.curves.curve_difference import simultaneous
from plumbline.errors import InputError, ParameterError
from plumbline.predictions import paired
from plumbline.random_streams import bootstrap_counts, stream
from refusals import refused

PROFIT = "cumm(amount ** 2 / 30 if eP else -amount)"


def two(n=80, seed=0, noise=(0.5, 1.0), digits=1, order=None, **others):
    """Return a table of two models that rate the same rows, the first with less noise."""
    rng = np.random.default_rng(seed)
    actual = (rng.random(n) < 0.4).astype(int)
    signal = rng.normal(size=n) + 1.5 * actual
    amount = rng.integers(1, 60, n).astype(float)
    parts = []
    for deviation in noise:
        score = np.round(signal + deviation * rng.normal(size=n), digits)
        parts.append((actual, 1 / (1 + np.exp(-score)), amount, np.arange(n)))
    if order is not None:
        parts[1] = tuple(column[order] for column in parts[1])
    actual, prob, amount, row = (np.concatenate(column) for column in zip(*parts, strict=True))
    return pb.Predictions.from_arrays(
        actual,
        prob,
        model=np.repeat(["A", "B"], n),
        attributes={"amount": amount},
        **({"row": row} if order is not None else {}),
        **others,
    )


def literal(data, x, y, grid, look):
    """Return y of both models at values of x, from curves drawn of each alone."""
    lines = [curve(data.select(model=name), x=x, y=y).lines[0] for name in ("A", "B")]
    return np.array([[look(line, at) for at in grid] for line in lines])


def accepted(line, threshold):
    """Return y of the rows at or above a threshold."""
    return [y for t, y in zip(line.threshold, line.y, strict=True) if t >= threshold][-1]


class TestDifference:
    """D is y of the second model minus y of the first at the same x."""

    @pytest.mark.parametrize("y", ["CA", PROFIT, "F1"])
    def test_at_thresholds_it_is_that_of_two_curves(self, y):
        """At every threshold each model accepts its own rows at or above it."""
        data = two()
        result = curve_difference(data, x="threshold", y=y, points=31, resamples=20)
        prob = data.prob[:, 1]
        np.testing.assert_allclose(result.x, np.linspace(prob.min(), prob.max(), 31))
        first, second = literal(data, "threshold", y, result.x, accepted)
        np.testing.assert_allclose(result.y_first, first)
        np.testing.assert_allclose(result.y_second, second)
        np.testing.assert_allclose(result.difference, second - first, atol=1e-9)

    def test_every_drawing_takes_the_same_rows_of_both(self):
        """Standard errors and intervals are those of whole tables of repeated pairs."""
        data = two()
        result = curve_difference(data, x="threshold", y="CA", points=11, resamples=20)
        drawn = []
        for start in (0, 10):
            rng = stream(0, BOOTSTRAP, start // PER_STREAM)
            for _ in range(10):
                rows = np.repeat(np.arange(80), bootstrap_counts(rng, 80).astype(int))
                table = data.select(where=np.concatenate([rows, rows + 80]))
                first, second = literal(table, "threshold", "CA", result.x, accepted)
                drawn.append(second - first)
        np.testing.assert_allclose(result.se, np.std(drawn, axis=0, ddof=1), atol=1e-12)
        ends = np.percentile(drawn, [2.5, 97.5], axis=0)
        np.testing.assert_allclose([result.pointwise_low, result.pointwise_high], ends, atol=1e-12)
        moving = result.se > 1e-12
        away = np.abs(drawn - result.difference)[:, moving] / result.se[moving]
        factor = np.quantile(away.max(axis=1), 0.95)
        np.testing.assert_allclose(result.factor, factor)
        np.testing.assert_allclose(result.low, result.difference - factor * result.se)

    def test_a_formula_that_names_the_threshold_has_the_one_asked_for(self):
        """Net benefit at t weighs with t, not with the nearest probability above it."""
        data = two()
        result = curve_difference(data, "net-benefit", points=7, resamples=20)
        for name, values in (("A", result.y_first), ("B", result.y_second)):
            own = data.select(model=name)
            prob, event = own.prob[:, 1], own.actual == 1
            for t, value in zip(result.x, values, strict=True):
                take = prob >= t
                benefit = (take & event).mean() - (take & ~event).mean() * t / (1 - t)
                assert value == pytest.approx(benefit)

    @pytest.mark.parametrize(
        "settings",
        [
            {"x": "FPR", "y": "TPR"},
            {"x": "threshold", "y": "CA"},
            {"x": "amount", "y": "cumm(eCA)", "sort_by": "amount", "direction": "ascending"},
            {"x": "probability", "y": "eCA", "average": "smooth"},
            {"preset": "gains"},
        ],
    )
    def test_swapped_models_turn_the_sign(self, settings):
        """B against A is A against B, mirrored; a model against its copy is 0 throughout."""
        data = two()
        given = {**settings, "points": 9, "resamples": 30}
        one = curve_difference(data, models=("A", "B"), **given)
        other = curve_difference(data, models=("B", "A"), **given)
        assert np.isfinite(one.difference).all()
        np.testing.assert_allclose(one.difference, -other.difference, atol=1e-12)
        np.testing.assert_allclose(one.low, -other.high, atol=1e-12)
        same = curve_difference(two(noise=(0, 0)), **given)
        assert not same.difference.any()
        assert not same.se.any()
        assert same.higher == ()

    def test_ascending_by_an_attribute_counts_the_rows_up_to_it(self):
        """Right answers up to an amount, one model minus the other."""
        data = two()
        result = curve_difference(
            data,
            x="amount",
            y="cumm(eCA)",
            sort_by="amount",
            direction="ascending",
            points=5,
            resamples=20,
        )
        right = (data.predicted == data.actual).reshape(2, 80)
        upto = data.attributes["amount"][:80] <= result.x[:, None]
        counts = [(upto * right[model]).sum(axis=1) for model in (0, 1)]
        np.testing.assert_allclose(result.difference, counts[1] - counts[0])

    def test_roc_curves_differ_as_functions_of_the_false_positive_rate(self):
        """Both curves are read at the same FPR, at a step at its top."""
        data = two(digits=9)
        result = curve_difference(data, "roc", points=21, resamples=20)
        for name, values in (("A", result.y_first), ("B", result.y_second)):
            line = curve(data, "roc").lines[name == "B"]
            for x, value in zip(result.x, values, strict=True):
                top = line.y[line.x <= x + 1e-12].max()
                assert value == pytest.approx(top)


class TestBand:
    """The band holds everywhere at once and says where one model is higher."""

    def test_where_one_is_higher_is_what_the_verdict_says(self):
        """Runs of x where the band leaves 0 out, each with the model that is higher there."""
        result = curve_difference(two(600, noise=(0.1, 4.0)), "roc")
        assert {run["model"] for run in result.higher} == {"A"}
        for run in result.higher:
            inside = (result.x >= run["low"]) & (result.x <= run["high"])
            assert (result.high[inside] < 0).all()
        outside = ~np.any(
            [(result.x >= r["low"]) & (result.x <= r["high"]) for r in result.higher], axis=0
        )
        assert ((result.low <= 0) & (result.high >= 0))[outside].all()
        assert result.verdict.startswith("A ")
        for run in result.higher:
            assert f"{run['low']:.3g}" in result.verdict
        assert "95 %" in result.verdict

    def test_no_difference_is_reported(self):
        """Without a run the verdict is that no difference can be told."""
        result = curve_difference(two(noise=(0.5, 0.5)), x="threshold", y="CA")
        assert result.higher == ()
        text = "No difference in `CA` shown: the 95 % band includes 0 everywhere."
        assert result.verdict == text

    def test_the_factor_of_one_place_is_that_of_a_normal(self):
        """Of one place the band is the usual interval, of several independent ones a wider one."""
        drawn = np.random.default_rng(0).normal(size=(20_000, 10))
        drawn[:, 9] = 3.0
        drawn[:15_000, 8] = np.nan
        value = np.zeros(10)
        value[9] = 3.0
        se, one = simultaneous(value[:1], drawn[:, :1], level=0.95, still=0.0)
        assert se == pytest.approx(1, abs=0.02)
        assert one == pytest.approx(1.96, abs=0.05)
        se, eight = simultaneous(value, drawn, level=0.95, still=1e-9)
        assert np.isnan(se[8])
        assert se[9] == 0
        assert eight == pytest.approx(2.727, abs=0.05)  # (1 + .95 ** (1 / 8)) / 2 of a normal

    @pytest.mark.laws
    def test_equal_models_are_distinguished_as_seldom_as_stated(self):
        """100 pairs of equally good models, 50 drawings each (studies/curve_bands.py has more)."""
        sets, result = (100 if ALL else 50), 0
        for seed in range(sets):
            data = two(200, seed, noise=(1.0, 1.0), digits=9)
            answer = curve_difference(data, x="threshold", y="CA", points=15, resamples=50)
            result += bool(answer.higher)
        assert result / sets <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / sets)


class TestPairs:
    """Rows of two models are predictions of the same examples."""

    def test_rows_are_paired_by_row_whatever_their_order(self):
        """A shuffled second model gives the same answer."""
        order = np.random.default_rng(1).permutation(80)
        given = {"x": "threshold", "y": PROFIT, "points": 9, "resamples": 30}
        plain = curve_difference(two(), **given)
        mixed = curve_difference(two(order=order), **given)
        np.testing.assert_allclose(plain.se, mixed.se)
        np.testing.assert_allclose(plain.low, mixed.low)
        first, second = paired(two(order=order), "A", "B")
        assert np.array_equal(first, np.arange(80))
        assert np.array_equal(second, 80 + np.argsort(order))

    def test_repeats_are_drawn_with_their_example(self):
        """Three equal repeats of the same rows have the answer of one."""
        one = two(order=np.arange(80))
        three = pb.Predictions.from_arrays(
            np.tile(one.actual, 3),
            np.tile(one.prob[:, 1], 3),
            row=np.tile(one.row, 3),
            model=np.tile(np.repeat(["A", "B"], 80), 3),
            repeat=np.repeat([1, 2, 3], 160),
        )
        given = {"x": "threshold", "y": "CA", "points": 9, "resamples": 30}
        few, many = curve_difference(one, **given), curve_difference(three, **given)
        assert few.n == many.n == 80
        np.testing.assert_allclose(few.se, many.se, atol=1e-12)

    def test_where_may_keep_other_rows_of_each_model(self):
        """A filter on the probability keeps other examples of each, which is noted."""
        result = curve_difference(two(), x="threshold", y="CA", where="probability > 0.3")
        assert "different-examples" in [note.code for note in result.notes]
        same = curve_difference(two(), x="threshold", y="CA", where="amount > 20")
        assert "different-examples" not in [note.code for note in same.notes]
        assert same.n == int((two().attributes["amount"][:80] > 20).sum())

    def test_what_cannot_be_paired_is_refused(self):
        """Other lengths, classes, folds or rows are no pairs; the remedy is said."""
        ask = {"y_prob": [0.2, 0.7, 0.4, 0.6], "model": ["A", "A", "B", "B"]}
        folds = {"row": [1, 2, 1, 2], "fold": [1, 2, 2, 1], "y_true": [0, 1, 0, 1]}
        wrong = [
            ({"model": ["A", "A", "A", "B"]}, "examples-differ", "3 rows", "`row`"),
            ({"fold": [1, 2, 2, 1]}, "examples-differ", "`fold` differs", "`row`"),
            ({"y_true": [0, 1, 1, 0]}, "classes-differ", "row 0", "'0'", "'1'"),
            ({"row": [1, 2, 1, 3]}, "examples-differ", "2 rows", "row '2'", "row '3'"),
            (folds, "folds-differ", "row '1'", "fold '1'", "--scheme", "--seed"),
            ({"row": [1, 2, 2, 1]}, "classes-differ", "row '1'", "'0'", "'1'"),
        ]
        for columns, code, *facts in wrong:
            data = pb.Predictions.from_arrays(**{"y_true": [0, 1, 0, 1], **ask, **columns})
            with refused(InputError, code, *facts):
                curve_difference(data, x="threshold", y="CA")

    def test_two_models_must_be_named(self):
        """One, three or equal models are refused, unless two are named."""
        plain = pb.Predictions.from_arrays([0, 1], [0.2, 0.7])
        with refused(InputError, "two-models", argument="models"):
            curve_difference(plain, x="threshold", y="CA")
        with refused(InputError, "models-unnamed", "`model`"):
            curve_difference(plain, models=("A", "B"), x="threshold", y="CA")
        three = pb.Predictions.from_arrays(
            [0, 1] * 3, [0.2, 0.7, 0.1, 0.9, 0.6, 0.3], model=["a", "a", "b", "b", "c", "c"]
        )
        with refused(InputError, "two-models", 3):
            curve_difference(three, x="threshold", y="CA")
        result = curve_difference(three, models=["c", "a"], x="threshold", y="CA")
        assert result.models == ("c", "a")
        for models in ("ab", ["a"], ["a", "a"]):
            with refused(ParameterError, "named-twice", argument="models"):
                curve_difference(three, models=models, x="threshold", y="CA")


class TestRefusals:
    """What cannot be compared is refused, with a way out."""

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"x": "probability", "y": "eCA"}, "one value per row.*smooth"),
            ({"x": "precision", "y": "recall"}, "'precision' does both"),
            ({"x": "threshold", "y": "CA", "average": "vertical"}, "merges the folds"),
            ({"x": "actualClass", "y": "eCA"}, "x is a category.*where=\"actualClass == '0'\""),
        ],
    )
    def test_a_setting_that_gives_no_difference_is_refused(self, settings, message):
        """Single rows, moving back and forth, several lines a model, and categories."""
        with pytest.raises(ParameterError, match=message):
            curve_difference(two(), **settings)


class TestResult:
    """The answer is a result like any other."""

    def test_it_becomes_a_frame_json_and_text(self):
        """One row a value of x; plain Python that json takes; the verdict in the text."""
        result = curve_difference(two(), "roc", points=5, resamples=20)
        frame = result.to_frame("pandas")
        assert list(frame["x"]) == result.x.tolist()
        assert list(frame["difference"]) == result.difference.tolist()
        entry = json.loads(json.dumps(result.to_dict()))
        assert entry["models"] == ["A", "B"]
        assert entry["verdict"] == result.verdict
        assert entry["settings"]["preset"] == "roc"
        assert result.verdict in repr(result)

    def test_seeds_and_progress(self):
        """A seed gives the same answer again; progress ends at the total."""
        text = []
        given = {"x": "threshold", "y": "CA", "points": 5, "resamples": 25}
        one = curve_difference(two(), rng=3, progress=lambda *at: text.append(at), **given)
        assert text[-1] == (25, 25)
        assert one.settings.seed == 3
        assert np.array_equal(one.se, curve_difference(two(), rng=3, **given).se)
        assert not np.array_equal(one.se, curve_difference(two(), rng=4, **given).se)
