from fractions import Fraction
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loans import loans, loans_accepted, loans_optimum, loans_profit

import plumbline as pb
from laws import law
from plumbline.synthetic.example_tables import SEED, example

MODELS = ("careful", "boastful", "hasty")
AMOUNTS = {10 * j: Fraction(14 - j, 91) for j in range(1, 14)}
N = 100_000


@pytest.fixture(scope="module")
def many():
    """Return what many applications earn where accepted, and the table of each model."""
    data = loans(N, models=MODELS, rng=11).by_model()
    return {name: (earnings(table), table) for name, table in data.items()}


def earnings(data, divisor=30.0):
    """Return what every loan earns if it is accepted."""
    amount = data.attributes["amount_requested"]
    return np.where(data.actual == 1, amount**2 / divisor, -amount)


def near(values, expected, errors=4.0):
    """Assert that a mean of independent values is within some standard errors of what it should."""
    error = np.std(values) / np.sqrt(len(values))
    assert abs(np.mean(values) - expected) <= errors * error


class TestTable:
    """The applications are a prediction table like any other."""

    def test_it_has_classes_folds_rows_and_attributes(self):
        """Every model sees the same applications, paired by row."""
        data = loans(203, models=MODELS)
        assert (data.n, data.classes, data.positive) == (609, ("no", "yes"), 1)
        assert data.models == MODELS
        assert data.folds == tuple(map(str, range(1, 11)))
        first, *others = data.by_model().values()
        for other in others:
            assert np.array_equal(other.row, first.row)
            assert np.array_equal(other.actual, first.actual)
            for name, column in first.attributes.items():
                assert np.array_equal(other.attributes[name], column)

    def test_a_table_survives_its_file(self, tmp_path):
        """Writing and reading gives the same table."""
        data = loans(300, models=["careful", "hasty"])
        data.write(tmp_path / "loans.csv")
        back = pb.read(tmp_path / "loans.csv")
        assert np.array_equal(back.prob, data.prob)
        assert np.array_equal(back.actual, data.actual)
        assert list(back.attributes) == list(data.attributes)

    @given(st.integers(2, 60), st.integers(1, 60), st.integers(0, 2**40))
    def test_the_first_rows_do_not_depend_on_how_many_there_are(self, n, more, seed):
        """A longer table of the same seed begins with the shorter one."""
        short, long = loans(n, rng=seed), loans(n + more, rng=seed)
        assert np.array_equal(short.prob, long.prob[:n])
        assert np.array_equal(short.actual, long.actual[:n])
        for name, column in short.attributes.items():
            assert np.array_equal(column, long.attributes[name][:n])

    def test_the_workbench_shows_the_same_loans(self):
        """Its own few lines draw what the script draws."""
        shown, drawn = example("loans"), loans(1500, models=MODELS, rng=SEED)
        assert shown.models == drawn.models
        assert shown.folds == drawn.folds
        assert np.array_equal(shown.prob, drawn.prob)
        assert np.array_equal(shown.actual, drawn.actual)
        for name, values in drawn.attributes.items():
            assert np.array_equal(shown.attributes[name], values), name

    def test_other_seeds_give_other_loans(self):
        """A seed is all the chance there is."""
        assert np.array_equal(loans(50, rng=3).prob, loans(50, rng=3).prob)
        assert not np.array_equal(loans(50, rng=3).prob, loans(50, rng=4).prob)

    @pytest.mark.parametrize(
        ("wrong", "words"),
        [
            ({"n": 1}, "`n` must be"),
            ({"models": ["careful", "lucky"]}, "'boastful'"),
            ({"models": []}, "at least one"),
            ({"models": ["hasty", "hasty"]}, "each once"),
            ({"rng": -1}, "`rng` must be"),
        ],
    )
    def test_bad_arguments_are_named(self, wrong, words):
        """The error says what would do."""
        with pytest.raises(pb.ParameterError, match=words):
            loans(**wrong)


class TestDesign:
    """The distributions are those the docstring states."""

    def test_probabilities_are_beta(self, many):
        """Mean 1/2, variance 1/20, and every decile where Beta(2, 2) has it."""
        p = many["careful"][1].prob[:, 1]
        near(p, 0.5)
        near((p - 0.5) ** 2, 0.05)
        for t in np.arange(1, 10) / 10:
            near(p < t, 3 * t**2 - 2 * t**3)

    def test_amounts_have_their_proportions_and_do_not_depend_on_p(self, many):
        """14 - j in 91 are loans of 10 j; within an amount the mean of p is 1/2."""
        _, data = many["careful"]
        amount, p = data.attributes["amount_requested"], data.prob[:, 1]
        assert set(amount) == set(AMOUNTS)
        for a, share in AMOUNTS.items():
            near(amount == a, float(share))
            near(p[amount == a], 0.5)

    def test_every_purpose_has_its_share_of_every_amount(self, many):
        """Of loans of a, 140 - a, 60 and a in 200 are for a holiday, a car and a home."""
        attributes = many["careful"][1].attributes
        for a in AMOUNTS:
            purpose = attributes["purpose"][attributes["amount_requested"] == a]
            for name, part in (("holiday", 140 - a), ("car", 60), ("home", a)):
                near(purpose == name, part / 200)

    def test_attributes_tell_nothing_beyond_p(self, many):
        """Within every value of an attribute, the outcome less p has mean 0."""
        _, data = many["careful"]
        rest = data.actual - data.prob[:, 1]
        for column in data.attributes.values():
            values, codes = np.unique(column, return_inverse=True)
            if len(values) > 20:
                codes = np.searchsorted(np.quantile(column, np.arange(1, 5) / 5), column)
            for code in np.unique(codes):
                chosen = rest[codes == code]
                if len(chosen) > 1000:
                    near(chosen, 0.0)

    def test_income_and_age_grow_with_p(self, many):
        """So a classifier can learn something from them."""
        _, data = many["careful"]
        for name in ("income", "age"):
            assert np.corrcoef(data.attributes[name], data.prob[:, 1])[0, 1] > 0.3

    def test_history_is_the_number_of_missed_payments(self, many):
        """Beta-binomial: (m + 1)(5 - m) in 35, and the hasty model says (6 - m) / 8."""
        _, data = many["hasty"]
        said = dict(zip(data.attributes["history"], data.prob[:, 1], strict=True))
        for m, name in enumerate(("spotless", "good", "mixed", "poor", "bad")):
            near(data.attributes["history"] == name, (m + 1) * (5 - m) / 35)
            assert said[name] == (6 - m) / 8

    @law("model", ["careful", "hasty"], number=1)
    def test_true_models_are_not_rejected(self, model):
        """The share of small p-values of the calibration test is what chance gives."""
        p = np.array(
            [
                pb.calibration_test(loans(200, models=[model], rng=seed), resamples=99).p_value
                for seed in range(60)
            ]
        )
        assert (p <= 0.1).mean() < 0.1 + 4 * np.sqrt(0.1 * 0.9 / 60)
        near(p, 0.5)

    def test_the_overconfident_model_is_detected(self):
        """Overconfident by a factor of two in the log-odds: a few hundred loans show it."""
        data = loans(500, models=["boastful"], rng=1)
        assert pb.calibration_test(data).p_value < 0.01
        truth = loans(500, rng=1).prob[:, 1]
        odds = np.log(data.prob[:, 1] / data.prob[:, 0])
        np.testing.assert_allclose(odds, 2 * np.log(truth / (1 - truth)), rtol=1e-9, atol=1e-12)


def beta_integral(a, b, start):
    """Return the integral of 6 p^a (1 - p)^b from `start` to 1, exactly, term by term."""
    return 6 * sum(
        Fraction((-1) ** i * comb(b, i), a + i + 1) * (1 - start ** (a + i + 1))
        for i in range(b + 1)
    )


def exact_profit(start_of, divisor=30):
    """Return the profit of accepting p >= start_of(amount), in fractions."""
    return sum(
        share
        * (
            Fraction(a * a, divisor) * beta_integral(2, 1, start_of(a))
            - a * beta_integral(1, 2, start_of(a))
        )
        for a, share in AMOUNTS.items()
    )


class TestOptimum:
    """The closed forms are right, and the data follow them."""

    @given(st.fractions(0, 1, max_denominator=50), st.integers(1, 200))
    def test_the_profit_is_its_integral(self, t, divisor):
        """Of the careful model, against exact fractions."""
        result = loans_profit(float(t), divisor=divisor)
        assert float(result) == pytest.approx(float(exact_profit(lambda a: t, divisor)), abs=1e-9)

    def test_the_optimum_is_exact(self):
        """The threshold is 0.3, and the rule's profit is a sum of fractions."""
        best = loans_optimum()
        assert best.threshold == 0.3
        assert best.profit == pytest.approx(float(exact_profit(lambda a: Fraction(3, 10))))
        assert best.profit_of_all == pytest.approx(float(exact_profit(lambda a: Fraction(0))))
        rule = exact_profit(lambda a: Fraction(30, a + 30))
        assert best.rule_profit == pytest.approx(float(rule))
        assert best.rule_gain == pytest.approx(float(rule) - best.profit)

    @pytest.mark.parametrize("model", MODELS)
    @pytest.mark.parametrize("divisor", [10.0, 30.0, 75.0])
    def test_no_other_threshold_earns_more(self, model, divisor):
        """Over a fine grid; a calibrated model's rule earns at least what the threshold does."""
        best = loans_optimum(model=model, divisor=divisor)
        grid = loans_profit(np.linspace(-0.1, 1.1, 2401), model=model, divisor=divisor)
        assert grid.max() <= best.profit + 1e-9
        assert model == "boastful" or best.rule_gain > 0

    def test_what_is_said_matters_only_for_its_order(self):
        """The boastful model earns the same, at the value it says where the truth is 0.3."""
        careful, boastful = loans_optimum(), loans_optimum(model="boastful")
        assert boastful.profit == pytest.approx(careful.profit)
        assert boastful.threshold == pytest.approx(0.09 / (0.09 + 0.49))
        assert boastful.rule_profit < careful.rule_profit

    def test_the_hasty_model_follows_its_beta_binomial(self):
        """Accepting at 0.3 leaves out those who missed all four payments."""
        ways = [comb(4, m) * factorial(1 + m) * factorial(5 - m) for m in range(5)]
        share = [Fraction(6 * way, factorial(7)) for way in ways]
        earned = sum(
            s * (Fraction(350, 3) * (6 - m) - 50 * (2 + m)) / 8 for m, s in enumerate(share[:4])
        )
        best = loans_optimum(model="hasty")
        assert best.profit == pytest.approx(float(earned))
        assert best.accepted == pytest.approx(float(sum(share[:4])))

    @pytest.mark.parametrize("model", MODELS)
    def test_realised_profits_have_their_expected_means(self, many, model):
        """At the optimum, of everyone, of the rule, and the gain of the rule, pair by pair."""
        value, data = many[model]
        p, amount = data.prob[:, 1], data.attributes["amount_requested"]
        best = loans_optimum(model=model)
        single, rule = value * (p >= best.threshold), value * (p >= 30 / (amount + 30))
        near(p >= best.threshold, best.accepted)
        near(single, best.profit)
        near(value, best.profit_of_all)
        near(rule, best.rule_profit)
        near(rule - single, best.rule_gain)

    @pytest.mark.parametrize("model", MODELS)
    def test_realised_shares_have_their_expected_means(self, many, model):
        """TP / NN and FP / NN at many thresholds, outside 0 to 1 too."""
        _, data = many[model]
        at = np.array([-np.inf, 0.0, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 1.5, np.inf])
        repaid, lost = loans_accepted(at, model=model)
        for place, t in enumerate(at[2:-2], start=2):
            accepted = data.prob[:, 1] >= t
            near(accepted & (data.actual == 1), repaid[place], 4.5)
            near(accepted & (data.actual == 0), lost[place], 4.5)
        assert (repaid[:2] + lost[:2]).tolist() == pytest.approx([1.0, 1.0])
        assert np.abs([*repaid[-2:], *lost[-2:]]).max() < 1e-12

    def test_an_applicants_rule_is_to_accept_where_a_profit_is_expected(self, many):
        """Expected profit above 0, p > 30 / (a + 30) and the sort key of the policy agree."""
        _, data = many["careful"]
        p, a = data.prob[:, 1], data.attributes["amount_requested"]
        assert np.array_equal(p * a**2 / 30 - (1 - p) * a > 0, p > 30 / (a + 30))

    @pytest.mark.parametrize(
        ("call", "words"),
        [
            (lambda: loans_optimum(divisor=0), "`divisor` must be"),
            (lambda: loans_optimum(divisor="x"), "`divisor` must be"),
            (lambda: loans_profit(0.3, divisor=np.inf), "`divisor` must be"),
            (lambda: loans_optimum(model="careless"), "'careful'"),
            (lambda: loans_accepted([0.1, np.nan]), "`threshold` must be"),
        ],
    )
    def test_bad_arguments_are_named(self, call, words):
        """The error says what would do."""
        with pytest.raises(pb.ParameterError, match=words):
            call()
