"""Settings at their bounds, random seeds, and what page, picture and terminal say alike."""

import json
import math

import numpy as np
import pytest

from plumbline import InputError, ParameterError, Predictions
from plumbline._checks import open_fraction, share, whole_number
from plumbline.cli import terminal
from plumbline.curves import (
    PRESETS,
    CurveSettings,
    best_threshold,
    cases_between,
    class_counts,
    convex_hull,
    curve,
    curve_difference,
    curve_from_spec,
    curve_spec,
    line_name,
    pr_interpolated,
    roc_auc,
)
from plumbline.curves.bands import replicates
from plumbline.curves.lines import START
from plumbline.curves.presets import BOUNDS, settings_from
from plumbline.plots import curve_figure
from plumbline.reporting import save_curve, save_difference
from plumbline.reporting.curve_again import curve_command
from refusals import refused

HUGE = 10**400
NAMES = ["inf", "huge", "minus", "larger"]


def table(n=80, *, models=("one", "two")) -> Predictions:
    """Return predictions of the same rows by several models, in two folds."""
    rng = np.random.default_rng(3)
    prob = rng.random(n).round(2)
    actual = (rng.random(n) < prob).astype(int)
    return Predictions.from_arrays(
        np.tile(actual, len(models)),
        np.concatenate([np.roll(prob, j) for j in range(len(models))]),
        model=np.repeat(models, n),
        row=np.tile(np.arange(n), len(models)),
        fold=np.tile(np.arange(n) % 2, len(models)),
    )


class TestBounds:
    """No number is too large to be refused in words."""

    @pytest.mark.parametrize("value", [math.inf, HUGE, -HUGE, HUGE**20], ids=NAMES)
    @pytest.mark.parametrize("name", ["span", "level", *BOUNDS])
    def test_huge_values_of_a_curve(self, name, value):
        """Each setting says its rule, and the text stays short."""
        with pytest.raises(ParameterError) as caught:
            CurveSettings("FPR", "TPR", **{name: value})
        assert (caught.value.argument, bool(caught.value.code)) == (name, True)
        assert caught.value.rule
        assert caught.value.arrived
        assert len(str(caught.value)) < 200

    @pytest.mark.parametrize("value", [HUGE, HUGE**20], ids=["huge", "larger"])
    def test_huge_values_elsewhere(self, value):
        """Parameters, limits, bands of cases and edges of bins are numbers that a float holds."""
        data = table(models=["one"])
        for ask in (
            lambda: CurveSettings("FPR", "TPR", params={"k": value}),
            lambda: roc_auc(data, max_fpr=value),
            lambda: cases_between(data, low=value),
            lambda: best_threshold(data, level=value),
            lambda: best_threshold(data, resamples=value),
            lambda: whole_number("n", -value, least=1),
            lambda: open_fraction("a", value),
            lambda: share("a", value),
        ):
            with pytest.raises(ParameterError, match=", got "):
                ask()

    @pytest.mark.parametrize("name", BOUNDS)
    def test_the_bounds_themselves_are_allowed(self, name):
        """One more, or one less, is not."""
        for step, bound in zip((-1, 1), BOUNDS[name], strict=True):
            assert getattr(CurveSettings("x", "y", **{name: bound}), name) == bound
            with refused(ParameterError, "no-whole-number", argument=name):
                CurveSettings("x", "y", **{name: bound + step})

    def test_many_resamples_are_not_laid_out_beforehand(self):
        """Drawing begins at once, however many are asked for."""

        def stop(_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            replicates(stop, units=3, resamples=10**15, entropy=0)


class TestJson:
    """Settings are strict JSON, and are read again."""

    def test_infinite_parameters(self):
        """The curve, its card and its settings say them alike, and they come back."""
        params = {"a": math.inf, "b": -math.inf, "c": math.nan, "d": 0.1}
        data = table(models=["one"])
        y = "TP if param('a', 1) > param('b', 2) or param('c', 1) > 0 else param('d', 1)"
        result = curve(data, x="threshold", y=y, params=params)
        text = json.dumps(result.to_dict(), allow_nan=False)
        assert json.loads(text)["settings"] == result.settings.to_dict()
        assert curve_spec(result, data)["settings"] == result.settings.to_dict()
        again = settings_from(json.loads(text)["settings"]).params
        np.testing.assert_equal(dict(again), params)

    def test_a_command_holds_every_digit(self):
        """What is copied from a page draws the same curve."""
        settings = CurveSettings("x", "y", params={"k": 0.123456789, "m": math.inf}, span=1 / 3)
        words = curve_command(settings, more={}).split()
        assert {"k=0.123456789", "m=inf", "0.3333333333333333"} <= set(words)


class TestRandomSeed:
    """`rng` is the random seed, everywhere."""

    def test_a_seed_is_refused_and_not_swallowed(self):
        """A curve and a difference have no such argument; a card names the one to use."""
        data = table()
        card = curve_spec(curve(data, "roc"), data)
        for function in (curve, curve_difference):
            with pytest.raises(TypeError, match="'seed'"):
                function(data, "roc", seed=7)
        with pytest.raises(ParameterError, check=lambda e: e.argument == "rng"):
            curve_from_spec(card, data, seed=7)

    def test_a_curve_spec_keeps_its_seed_unless_given_another(self):
        """The card's seed draws its band again; `rng` another one, which the new curve keeps."""
        data = table(models=["one"])
        given = {"band": "bootstrap", "resamples": 20}
        first, other = (curve(data, "gains", rng=seed, **given) for seed in (7, 8))
        card = curve_spec(first, data)
        assert curve_from_spec(card, data).to_dict() == first.to_dict()
        assert curve_from_spec(card, data, rng=8).to_dict() == other.to_dict()
        free = curve_from_spec(card, data, rng=np.random.default_rng(8))
        assert free.settings.seed is None
        with pytest.raises(ParameterError, check=lambda e: e.argument == "rng"):
            curve_from_spec(card, data, rng=-1)


class TestAlike:
    """The page, the picture and the terminal say the same of a curve."""

    def test_what_is_left_out(self, tmp_path):
        """One undefined point is told by all three; the state before the first row by none."""
        data = table(models=["one"])
        result = curve(data, x="threshold", y="FN / NP")
        rows = curve(data, x="probability", y="eCA", direction="unsorted")
        assert sum(result.dropped.values()) == 1
        assert START in rows.lines[0].dropped
        assert not rows.dropped
        (reason,) = result.dropped
        for one, told in ((result, True), (rows, False)):
            save_curve(one, tmp_path / "c.html", data=data)
            figure = curve_figure(one)
            drawn = " ".join(t.get_text() for t in figure.texts).replace("\n", " ")
            page = (tmp_path / "c.html").read_text("utf-8")
            for text in (drawn, page, terminal.shown([(None, one)])):
                assert ("1 point left" in " ".join(text.split())) is told
        assert reason in terminal.shown([(None, result)])

    def test_whose_a_line_is(self):
        """Model, fold and class, as far as they tell lines apart."""
        data = table()
        folds = curve(data, "roc", average="none")
        assert line_name(folds, folds.lines[0]) == "one, fold 0"
        assert line_name(folds, folds.lines[0], fold=False) == "one"
        classes = curve(data, "roc", multiclass="per-class")
        assert {line_name(classes, line) for line in classes.lines} == {
            "one, 0",
            "one, 1",
            "two, 0",
            "two, 1",
        }
        alone = curve(table(models=["m"]).select(model="m"), "roc")
        assert line_name(alone, alone.lines[0]) == "m"
        assert "one    0 " in repr(folds)


class TestWrongArguments:
    """What is passed to the wrong function is told the right one."""

    def test_arrays_and_curves(self):
        """Predictions are made from arrays, a line is one of a curve's."""
        with refused(ParameterError, "wrong-kind", "ndarray"):
            class_counts(np.zeros(3), "age")
        result = curve(table(), "roc")
        for ask in (convex_hull, pr_interpolated):
            with refused(ParameterError, "wrong-kind", "Curve"):
                ask(result)

    def test_a_difference_is_saved(self, tmp_path):
        """As points, numbers and picture; another ending is refused."""
        result = curve_difference(table(), "accuracy", points=5, resamples=20)
        for ending, start in ((".csv", b'"x"'), (".json", b"{"), (".svg", b"<?xml")):
            save_difference(result, tmp_path / f"d{ending}")
            assert (tmp_path / f"d{ending}").read_bytes().startswith(start)
        assert json.loads((tmp_path / "d.json").read_text("utf-8")) == result.to_dict()
        assert len((tmp_path / "d.csv").read_text().splitlines()) == 1 + len(result.x)
        with refused(ParameterError, "wrong-suffix", "d.html"):
            save_difference(result, tmp_path / "d.html")
        with refused(InputError, "no-such-folder", "'d.csv'"):
            save_difference(result, tmp_path / "none" / "d.csv")


class TestClasses:
    """Of more than two classes a curve says on its axes of which class it is, or how all count."""

    @pytest.mark.parametrize("name", [n for n, preset in PRESETS.items() if preset.x is not None])
    @pytest.mark.parametrize(
        ("given", "named"),
        [
            ({"target": "b"}, "(class b)"),
            ({"multiclass": "macro"}, "(mean of all classes)"),
            ({"multiclass": "micro"}, "(all classes merged)"),
        ],
    )
    def test_the_axes_name_class_and_averaging(self, name, given, named):
        """The y axis of every preset, but where it counts right answers of all classes."""
        if given.get("multiclass") == "macro" and PRESETS[name].average == "smooth":
            return
        rng = np.random.default_rng(5)
        prob = rng.dirichlet(np.ones(3), 60)
        actual = [rng.choice(list("abc"), p=row) for row in prob]
        data = Predictions.from_arrays(actual, prob, classes=["a", "b", "c"])
        drawn = curve(data, name, **given)
        if PRESETS[name].y != "eCA":
            assert named in drawn.y_title
        assert named not in curve(data, name, **given, y_title="mine").y_title

    def test_two_classes_need_no_name(self):
        """The positive class is said once, in the line below the formulas."""
        drawn = curve(table(), "roc")
        assert drawn.y_title == PRESETS["roc"].y_title
