"""`compare`: the design it finds, the test it takes, what it refuses, and what it says."""

import pickle
import re
import warnings
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import plumbline as pb
from laws import law
from plumbline.calibration_errors import adjusted_p_values
from plumbline.comparison import (
    DESIGNS,
    TESTS,
    ComparisonParams,
    Pair,
    PairComparison,
    advice_on,
    aligned,
    compare,
    corrected_t,
    delong_t,
    design_of,
    five_by_two_f,
    five_by_two_t,
    friedman,
    mcnemar,
    tables_by_model,
    wilcoxon,
)
from plumbline.comparison.advice import ADVICE
from plumbline.comparison.compare import after_recalibration
from plumbline.comparison.remarks import CALIBRATION_ONLY, ComparisonRemarks, judged, remarks
from plumbline.comparison.run_test import draws_of
from plumbline.formatting import RESUBSTITUTED
from plumbline.recalibration import fit_map
from refusals import refused, warned

DOCS = Path(__file__).parents[2] / "docs"
PAGES = DOCS / "comparison.md", DOCS / "comparison_tests.md"
N = 240


def coded(answer, code):
    """Return the first remark of an answer that has this code."""
    told = dict(zip(answer.remark_codes[::-1], answer.remarks[::-1], strict=True))
    assert code in told, answer.remark_codes
    return told[code]


def rows_of(seed=0, n=N, sharper=1.0, noise=0.0):
    """Outcomes, and probabilities of them that are blurred in two ways."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(0.02, 0.98, n)
    y = (rng.random(n) < p).astype(int)
    z = np.log(p / (1 - p)) * sharper + noise * rng.normal(size=n)
    return y, p, 1 / (1 + np.exp(-z))


def tables(seed=0, n=N, noise=0.8, **columns):
    """Two models of the same rows: one that is true, one with noise."""
    y, p, q = rows_of(seed, n, noise=noise)
    return tuple(pb.Predictions.from_arrays(y, one, **columns) for one in (p, q))


def splits(design, n=N):
    """The columns `row`, `repeat` and `fold` of a design of n rows, and which rows they pick."""
    rng = np.random.default_rng(5)
    if design == "holdout":
        return np.arange(n), {}
    if design == "cross-validation":
        return np.arange(n), {"fold": np.arange(n) % 6, "row": np.arange(n)}
    if design == "leave-one-out":
        return np.arange(n), {"fold": np.arange(n), "row": np.arange(n)}
    if design == "repeated splits":
        parts = [rng.choice(n, n // 3, replace=False) for _ in range(8)]
        rows = np.concatenate(parts)
        return rows, {"repeat": np.repeat(np.arange(8), n // 3), "fold": 0 * rows, "row": rows}
    repeats, folds = (5, 2) if design == "5x2 cross-validation" else (3, 4)
    rows = np.tile(np.arange(n), repeats)
    fold = np.concatenate([rng.permutation(n) % folds for _ in range(repeats)])
    return rows, {"repeat": np.repeat(np.arange(repeats), n), "fold": fold, "row": rows}


def designed(design, n=N, **columns):
    """Two models under a design; over data sets the design is a holdout with a column `set`."""
    y, p, q = rows_of(n=n, noise=0.8)
    if design == "data sets":
        rows, found = np.arange(n), {"attributes": {"set": np.arange(n) % 8}}
    else:
        rows, found = splits(design, n)
    given = found | columns
    return tuple(pb.Predictions.from_arrays(y[rows], one[rows], **given) for one in (p, q))


def _study_rows(name):
    """Cells of the first table of a study's results, the head first."""
    text = (DOCS.parent / "studies" / "results" / name).read_text("utf-8")
    (first, *_) = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in first.splitlines()]
    return [rows[0], *rows[2:]]


class TestDesign:
    """What a table tells of how its predictions came about."""

    @pytest.mark.parametrize("design", [name for name in DESIGNS if name != "data sets"])
    def test_every_design_is_found(self, design):
        """Folds, repeats and rows tell the designs apart, and the share of a test part."""
        found = design_of(designed(design)[0])
        assert found.name == design
        share = {
            "cross-validation": 1 / 6,
            "leave-one-out": 1 / N,
            "5x2 cross-validation": 0.5,
            "repeated cross-validation": 0.25,
            "holdout": None,
        }
        if design in share:
            assert found.test_share == (share[design] and pytest.approx(share[design]))
            assert not found.worked_out

    def test_data_sets_are_recognised_by_an_attribute(self):
        """`over` names it, whatever folds there are; another name is refused with those known."""
        assert design_of(designed("data sets")[0], over="set").name == "data sets"
        with refused(pb.ParameterError, "unknown-name", "'set'", argument="over"):
            design_of(designed("data sets")[0], over="sett")

    @pytest.mark.parametrize(("share", "repeats"), [(0.3, 10), (0.1, 30), (0.5, 4)])
    def test_the_share_is_worked_out_from_how_often_examples_recur(self, share, repeats):
        """Of a repeated holdout the estimate is within 3 % of the truth."""
        rng = np.random.default_rng(1)
        n = 3000
        parts = [rng.choice(n, round(share * n), replace=False) for _ in range(repeats)]
        row = np.concatenate(parts)
        repeat = np.repeat(np.arange(repeats), round(share * n))
        data = pb.Predictions.from_arrays(row % 2, np.full(len(row), 0.5), row=row, repeat=repeat)
        found = design_of(data)
        assert (found.name, found.worked_out) == ("repeated splits", True)
        assert found.test_share == pytest.approx(share, rel=0.03)

    def test_several_runs_on_one_test_part_are_a_holdout(self):
        """Five seeds measured on the same rows: the examples are drawn whole, by permutation."""
        y, p, q = rows_of()
        columns = {"row": np.tile(np.arange(N), 5), "repeat": np.repeat(np.arange(5), N)}
        a, b = (pb.Predictions.from_arrays(np.tile(y, 5), np.tile(x, 5), **columns) for x in (p, q))
        assert design_of(a).name == "holdout"
        answer = compare(a, b, metrics=["accuracy", "brier-score"], resamples=99)
        assert [one.test for one in answer.pairs] == ["permutation"] * 2
        assert answer.pairs[0].units == N

    def test_without_rows_repeats_are_recognised_by_their_sizes(self):
        """Equal repeats of several folds are repeated cross-validation, others ask for a share."""
        data = pb.Predictions.from_arrays(
            [0, 1] * 12, [0.2, 0.7] * 12, fold=[0, 1, 2] * 8, repeat=[0] * 12 + [1] * 12
        )
        assert design_of(data).name.startswith("repeated cross")
        odd = replace(data, fold=None).select(where=np.arange(20))
        assert design_of(odd).name == "repeated splits"
        with refused(pb.ParameterError, "share-missing", argument="test_share"):
            compare(odd, odd)


class TestAdvice:
    """The table of designs and tests, which `compare`, its messages and the page share."""

    @pytest.mark.parametrize("design", DESIGNS)
    @pytest.mark.parametrize("test", TESTS)
    def test_every_pair_has_one_answer_that_holds(self, test, design):
        """What fits is done, what is too optimistic warns, what is refused names what to take."""
        told = [row for row in ADVICE if test in row.tests and design in row.designs]
        assert len(told) == 1
        a, b = designed(design, n=60)
        third = replace(b, prob=np.array(b.prob[:, ::-1], order="F"))
        metric = {"mcnemar": "accuracy", "delong": "roc-auc", "delong-t": "roc-auc"}.get(
            test, "brier-score"
        )
        given = {"metrics": metric, "test": test, "resamples": 49}
        given |= {"rope": 0.01} if test == "bayesian-t" else {}
        given |= {"over": "set"} if design == "data sets" else {}
        everyone = {"a": a, "b": b, "c": third} if test == "friedman" else {"a": a, "b": b}
        if told[0].answer == "refused":
            with refused(pb.ParameterError, "test-not-for-design", f"`test={told[0].instead!r}`"):
                compare(everyone, **given)
            assert advice_on(told[0].instead, design).answer != "refused"
        elif told[0].answer == "too optimistic":
            with warned("optimistic-test", told[0].instead or test):
                answer = compare(everyone, **given)
            if told[0].instead:
                assert advice_on(told[0].instead, design).answer == "fits"
            assert "optimistic-test" in answer.remark_codes
        else:
            assert compare(everyone, **given).design == design

    def test_the_page_has_the_whole_table(self):
        """Two pages of docs show every cell of the table, and every reason, as they stand."""
        page = "\n".join(page.read_text("utf-8") for page in PAGES)
        short = {"fits": "fits", "too optimistic": "optimistic", "refused": "no"}
        lines = ["| test | " + " | ".join(DESIGNS) + " |"]
        lines += [
            f"| `{test}` | "
            + " | ".join(short[advice_on(test, design).answer] for design in DESIGNS)
            + " |"
            for test in TESTS
        ]
        lines += [
            f"| {', '.join(f'`{test}`' for test in row.tests)} | {', '.join(row.designs)} | "
            f"{row.answer} | {row.why}{f' Take `{row.instead}`.' if row.instead else ''} |"
            for row in ADVICE
        ]
        missing = [line for line in lines if line not in page]
        assert not missing, "\n".join(missing)
        reasons = re.findall(
            r"^\| `[^|]*\|[^|]*\| (?:fits|too optimistic|refused) \|[^|]*\|$", page, re.M
        )
        assert len(reasons) == len(ADVICE)

    def test_the_numbers_it_names_are_those_of_the_studies(self):
        """What is said of simulations, and the page's tables, stand in studies/results."""
        page = "\n".join(page.read_text("utf-8") for page in PAGES)
        tables = {name: _study_rows(f"comparison_{name}.md") for name in ("folds", "pooled")}
        head, *rows = tables["folds"]
        of_five = [row for row in rows if row[0] == "5 x 2-fold"]
        repeated = [row for row in rows if row[0] in ("10 x 10-fold", "15 holdouts of 30 %")]
        percent = {
            "18": max(float(cell) for row in of_five if row[1][:3] == "5x2" for cell in row[2:]),
            "4": max(float(cell) for row in of_five if row[1] == "corrected-t" for cell in row[2:]),
            "11": max(float(c) for row in repeated if row[1] == "corrected-t" for c in row[2:]),
        }
        assert {said: str(round(found)) for said, found in percent.items()} == {
            said: said for said in percent
        }
        assert "18 of 100" in advice_on("5x2-f", "5x2 cross-validation").why
        assert "corrected-t rejected 4" in advice_on("5x2-f", "5x2 cross-validation").why
        assert "11 of 100" in advice_on("corrected-t", "repeated splits").why
        keep = [0, 1, *(j for j, name in enumerate(head) if name.endswith("accuracy"))]
        shown = [[row[j] for j in keep] for row in rows if len(row) == len(head)]
        for row in [*shown, *tables["pooled"]]:
            assert f"| {' | '.join(row)} |" in page

    @pytest.mark.parametrize(
        ("design", "metric", "test"),
        [
            ("holdout", "accuracy", "mcnemar"),
            ("holdout", "error-rate", "mcnemar"),
            ("holdout", "roc-auc", "delong-t"),
            ("holdout", "log-loss", "permutation"),
            ("holdout", "brier-skill-score", "bootstrap"),
            ("leave-one-out", "accuracy", "mcnemar"),
            ("leave-one-out", "roc-auc", "delong-t"),
            ("cross-validation", "accuracy", "corrected-t"),
            ("repeated cross-validation", "roc-auc", "corrected-t"),
            ("repeated splits", "brier-score", "corrected-t"),
            ("5x2 cross-validation", "accuracy", "corrected-t"),
            ("data sets", "accuracy", "wilcoxon"),
        ],
    )
    def test_the_best_test_is_taken(self, design, metric, test):
        """By design and metric, and the answer says why."""
        over = "set" if design == "data sets" else None
        warns = pytest.warns(pb.PlumblineWarning) if design == "leave-one-out" else nullcontext()
        with warns:
            answer = compare(*designed(design, n=120), metrics=metric, over=over, resamples=99)
        assert answer.pairs[0].test == test
        assert advice_on(test, design).why in " ".join([answer.why, *answer.remarks])
        assert answer.design == design

    def test_weights_leave_tests_of_plain_rows_out(self):
        """Accuracies of weighted rows are compared by permutation."""
        a, b = tables(weight=np.arange(1.0, N + 1))
        assert compare(a, b, metrics="accuracy", resamples=99).pairs[0].test == "permutation"


class TestNumbers:
    """What stands in the answer is what the tests themselves say."""

    def test_of_rows(self):
        """McNemar's and DeLong's numbers, of error rates with the sign turned."""
        a, b = tables()
        pair = Pair(a, b, np.arange(N))
        answer = compare(a, b, metrics=["accuracy", "error-rate", "roc-auc"])
        own = [mcnemar(pair), mcnemar(pair), delong_t(pair)]
        for one, other, sign in zip(answer.pairs, own, (1, -1, 1), strict=True):
            assert one.p_value == other.p_value
            assert one.difference == pytest.approx(sign * other.difference, abs=1e-15)
            assert one.difference == pytest.approx(one.values[0] - one.values[1], abs=1e-12)
            low, high = (sign * end for end in other.interval_range)
            assert one.interval_range == pytest.approx((min(low, high), max(low, high)))

    @pytest.mark.parametrize("design", ["cross-validation", "repeated cross-validation"])
    def test_of_folds(self, design):
        """The corrected t-test of the folds' differences, computed here one by one."""
        a, b = designed(design)
        d = []
        for key, part in a.by_fold().items():
            d.append(pb.brier_score(part) - pb.brier_score(b.by_fold()[key]))
        own = corrected_t(d, test_share=1 / len(set(a.folds)))
        one = compare(a, b).pairs[0]
        assert (one.test, one.units) == ("corrected-t", len(d))
        assert one.p_value == pytest.approx(own.p_value, rel=1e-12)
        assert one.interval_range == pytest.approx(own.interval_range)

    def test_of_five_times_two(self):
        """Rows of the (5, 2) table are repeats."""
        a, b = designed("5x2 cross-validation")
        d = [
            [
                pb.accuracy(a.select(repeat=r, fold=f)) - pb.accuracy(b.select(repeat=r, fold=f))
                for f in range(2)
            ]
            for r in range(5)
        ]
        with warned("optimistic-test", "5x2-f"):
            one = compare(a, b, metrics="accuracy", test="5x2-f").pairs[0]
        assert one.p_value == pytest.approx(five_by_two_f(d).p_value, rel=1e-12)

    def test_of_data_sets(self):
        """Wilcoxon's of two models; of three also Friedman's ranks."""
        y, p, q = rows_of(noise=0.8)
        columns = {"attributes": {"set": np.arange(N) % 8}}
        made = {
            name: pb.Predictions.from_arrays(y, x, **columns)
            for name, x in (("a", p), ("b", q), ("c", np.full(N, 0.5)))
        }
        values = np.array(
            [
                [pb.log_loss(made[name].select(where=np.arange(N) % 8 == s)) for name in "abc"]
                for s in range(8)
            ]
        )
        answer = compare(made, metrics="log-loss", over="set")
        own = wilcoxon(values[:, 0] - values[:, 1])
        assert answer.pairs[0].p_value == own.p_value
        assert answer.pairs[0].units == 8
        ranks = friedman(values, ["a", "b", "c"], better="lower")
        assert answer.ranks["log-loss"].to_dict() == ranks.to_dict()
        assert compare(made, models=["a", "b"], over="set").ranks == {}

    def test_the_other_way_round(self):
        """Models exchanged: differences change sign, the better one stays the better one."""
        a, b = tables(noise=2.0)
        forth = compare({"a": a, "b": b}, metrics=["accuracy", "roc-auc", "brier-score"])
        back = compare({"b": b, "a": a}, metrics=["accuracy", "roc-auc", "brier-score"])
        for one, other in zip(forth.pairs, back.pairs, strict=True):
            assert one.difference == pytest.approx(-other.difference, abs=1e-15)
            assert one.better == other.better == "a"
            if one.test != "permutation":
                assert one.p_value == pytest.approx(other.p_value)

    @pytest.mark.parametrize("design", ["cross-validation", "5x2 cross-validation"])
    def test_rows_may_come_in_any_order(self, design):
        """With `row` they are paired by name; classes by name too."""
        a, b = designed(design)
        mixed = b.select(where=np.random.default_rng(2).permutation(b.n))
        turned = replace(
            mixed,
            classes=mixed.classes[::-1],
            actual=1 - mixed.actual,
            prob=np.asfortranarray(mixed.prob[:, ::-1]),
            positive=0,
        )
        for metric in ("brier-score", "roc-auc"):
            one, other = (compare(a, x, metrics=metric).pairs[0] for x in (b, turned))
            assert one.p_value == pytest.approx(other.p_value, rel=1e-9)
            assert one.values == pytest.approx(other.values, rel=1e-9)

    def test_p_values_are_adjusted_over_all_tests(self):
        """Holm's of pairs times metrics; without adjustment they stay."""
        y, p, q = rows_of(noise=0.6)
        made = {
            name: pb.Predictions.from_arrays(y, x, fold=np.arange(N) % 8)
            for name, x in (("a", p), ("b", q), ("c", np.full(N, 0.4)))
        }
        found = compare(made, metrics=["brier-score", "log-loss"])
        assert len(found.pairs) == 6
        p_values = [one.p_value for one in found.pairs]
        expected = adjusted_p_values(p_values, "holm")
        assert [one.adjusted_p_value for one in found.pairs] == expected
        plain = compare(made, metrics=["brier-score", "log-loss"], adjust=None)
        assert [one.adjusted_p_value for one in plain.pairs] == p_values

    def test_an_infinite_loss_has_a_reason_and_counts_for_no_other(self):
        """No number is made up, and the number of tests is of those that were made."""
        y, p, q = rows_of()
        never = np.where(np.arange(N) == 7, 1 - y, q).astype(float)
        columns = {"fold": np.arange(N) % 5}
        a, b = (pb.Predictions.from_arrays(y, x, **columns) for x in (p, never))
        loss, score = compare({"a": a, "b": b}, metrics=["log-loss", "brier-score"]).pairs
        assert "b in fold 2" in loss.reason
        assert np.isnan([loss.p_value, loss.adjusted_p_value, loss.difference]).all()
        assert loss.to_dict()["p_value"] is None
        assert loss.verdict.endswith(f": {loss.reason}.")
        assert score.adjusted_p_value == score.p_value

    def test_an_infinite_loss_is_no_lost_test_of_the_best_model(self):
        """Of pairs without a test none is counted among the comparisons; the summary says why."""
        y, p, q = rows_of()
        never = [
            np.where(np.isin(np.arange(N), rows), 1 - y, q).astype(float) for rows in ([7], [8, 9])
        ]
        tables = {
            name: pb.Predictions.from_arrays(y, x)
            for name, x in zip("abcd", (y * 0.9 + 0.05, p, *never), strict=True)
        }
        answer = compare(tables, metrics="log-loss")
        untested = [one for one in answer.pairs if np.isnan(one.p_value)]
        assert len(untested) == 5
        assert answer.best == "a"
        assert "1 of its 1 comparison," in answer.present().summary
        assert "2 more" in answer.present().summary
        both = next(one for one in untested if one.models == ("c", "d"))
        one_sided = next(one for one in untested if one.models == ("a", "c"))
        assert tuple("against" in one.verdict for one in (one_sided, both)) == (True, False)

    def test_accuracies_are_shares_to_the_last_digit(self):
        """A perfect model has the accuracy 1, an always wrong one the Brier score 1."""
        y = np.arange(49) % 2
        a, b = (pb.Predictions.from_arrays(y, p) for p in (y.astype(float), 1.0 - y))
        answer = compare(a, b, metrics=["accuracy", "error-rate", "brier-score"], resamples=99)
        assert [one.values for one in answer.pairs] == [(1.0, 0.0), (0.0, 1.0), (0.0, 1.0)]
        assert "95 % CI" not in answer.pairs[2].verdict

    def test_groups_are_exchanged_and_drawn_whole(self):
        """Rows copied eight times, with their group, give the answer of the rows alone."""
        y, p, q = rows_of(n=12, noise=1.0)
        columns = {"attributes": {"patient": np.repeat(np.arange(12), 8)}}
        a, b = (
            pb.Predictions.from_arrays(np.repeat(y, 8), np.repeat(x, 8), **columns) for x in (p, q)
        )
        alone = compare(*(pb.Predictions.from_arrays(y, x) for x in (p, q)), resamples=99).pairs[0]
        answer = compare(a, b, groups="patient", metrics=["brier-score", "accuracy"], resamples=99)
        one = answer.pairs[0]
        assert (one.units, answer.pairs[1].test) == (12, "permutation")
        assert one.p_value == pytest.approx(alone.p_value)
        assert one.interval_range == pytest.approx(alone.interval_range)
        assert "96 rows in 12" in answer.why
        assert "independent-rows" not in answer.remark_codes
        assert "`groups`" in coded(compare(a, b, resamples=9), "independent-rows")
        with refused(pb.InputError, "examples-come-again", "96 rows", "12 examples"):
            compare(a, b, groups="patient", metrics="accuracy", test="mcnemar")
        with refused(pb.ParameterError, "unknown-name", "'patient'", "'patent'", argument="groups"):
            compare(a, b, groups="patent")

    def test_the_answer_cannot_be_changed_and_can_be_kept(self):
        """Its mappings refuse new values, survive pickling, and become JSON."""
        answer = compare(*designed("cross-validation"), rope=0.01)
        for facts in (answer.pairs[0].more, answer.pairs[0].posterior, answer.ranks):
            with pytest.raises(TypeError, match="item assignment"):
                facts["x"] = 1
        again = pickle.loads(pickle.dumps(answer))  # noqa: S301
        assert again.to_dict() == answer.to_dict()
        assert again.to_dict()["pairs"][0]["more"]["df"] == 5


def mended(*tables_and_examples, **options):
    """The tables after temperature scaling."""
    return after_recalibration(*tables_and_examples, method="temperature", **options)


class TestAfter:
    """`after="temperature"`, or another method: both models mended by maps of other rows."""

    def test_a_fold_is_scaled_by_the_other_folds(self):
        """The temperature of a fold is the one fitted without it."""
        a, b = designed("cross-validation")
        made, example = aligned({"a": a, "b": b})
        scaled = mended(made, example, entropy=0).tables["b"]
        for fold in a.folds:
            inside = b.fold.where("fold", fold)
            own = fit_map(b.select(where=~inside), "temperature").applied(b.select(where=inside))
            np.testing.assert_allclose(scaled.prob[inside], own.prob, rtol=1e-12)

    @pytest.mark.parametrize("design", ["cross-validation", "repeated cross-validation"])
    def test_no_label_reaches_its_own_row(self, design):
        """Another outcome of an example leaves the probabilities of all its rows as they were."""
        a, b = designed(design)
        made, example = aligned({"a": a, "b": b})
        before = mended(made, example, entropy=3).tables["b"].prob
        flipped = np.where(example == 11, 1 - a.actual, a.actual).astype(np.int32)
        made = {name: replace(table, actual=flipped) for name, table in made.items()}
        after = mended(made, example, entropy=3).tables["b"].prob
        np.testing.assert_array_equal(before[example == 11], after[example == 11])
        assert not np.array_equal(before, after)

    def test_examples_that_come_again_are_cut_as_examples(self):
        """Parts of a repeated holdout that `fold` names: all rows of an example have one part."""
        rng = np.random.default_rng(0)
        y, _, q = rows_of(n=60)
        row = np.concatenate([rng.choice(60, 40, replace=False) for _ in range(8)])
        data = pb.Predictions.from_arrays(y[row], q[row], row=row, fold=np.repeat(np.arange(8), 40))
        made, example = aligned({"a": data, "b": data})
        prob = mended(made, example, entropy=3).tables["b"].prob
        ratio = np.log(prob[:, 1] / prob[:, 0]) / np.log(data.prob[:, 1] / data.prob[:, 0])
        assert len(np.unique(ratio.round(9))) == 5
        assert max(np.ptp(ratio[row == one]) for one in range(60)) < 1e-9

    def test_data_sets_have_temperatures_of_their_own(self):
        """With `over` no label of one data set reaches another."""
        a, b = designed("data sets")
        other = a.attributes["set"] == 2
        probs = []
        for y in (a.actual, np.where(other, 1 - a.actual, a.actual).astype(np.int32)):
            made, example = aligned({"a": replace(a, actual=y), "b": replace(b, actual=y)})
            scaled = mended(made, example, entropy=3, over="set").tables["b"]
            probs.append(scaled.prob[~other])
        np.testing.assert_array_equal(*probs)
        lone = replace(b, attributes={"set": np.arange(N)})
        with refused(pb.InputError, "no-other-rows", "than 1"):
            mended({"b": lone}, np.arange(N), entropy=3, over="set")

    def test_a_holdout_is_cut_into_five_stratified_parts(self):
        """Five temperatures, each of the other parts; each part has its share of either class."""
        a, b = tables()
        made, example = aligned({"a": a, "b": b})
        scaled = mended(made, example, entropy=0).tables["b"]
        ratio = np.log(scaled.prob[:, 1] / scaled.prob[:, 0]) / np.log(b.prob[:, 1] / b.prob[:, 0])
        found, part = np.unique(ratio.round(9), return_inverse=True)
        assert len(found) == 5
        counts = np.array([np.bincount(a.actual[part == j], minlength=2) for j in range(5)])
        assert np.ptp(counts, axis=0).max() <= 1
        for j in range(5):
            fitted = fit_map(b.select(where=part != j), "temperature")
            assert 1 / fitted.details["temperature"] == pytest.approx(found[j], rel=1e-6)

    def test_raw_and_scaled_stand_side_by_side(self):
        """A bold model loses as it is, and not once its temperature is mended."""
        y, p, _ = rows_of(n=2000)
        z = 3 * np.log(p / (1 - p))
        a, b = (pb.Predictions.from_arrays(y, x) for x in (p, 1 / (1 + np.exp(-z))))
        raw, scaled = compare({"true": a, "bold": b}, after="temperature", resamples=999).pairs
        assert (raw.after, scaled.after) == (None, "temperature")
        assert raw.better == "true"
        assert scaled.better is None
        assert " after temperature " in scaled.verdict

    def test_what_scaling_cannot_change_is_tested_once(self):
        """Predicted labels stay, so accuracy and rates count one test each in Holm's number."""
        asked = ["accuracy", "recall", "log-loss"]
        answer = compare(*tables(n=80), metrics=asked, after="temperature", resamples=99)
        told = [(one.metric, one.after) for one in answer.pairs]
        assert told == [*((name, None) for name in asked), ("log-loss", "temperature")]
        same = coded(answer, "same-labels")
        assert [name for name in asked if name in same] == ["accuracy", "recall"]
        assert coded(answer, "several-tests").startswith("4 tests")

    def test_another_method_may_move_labels(self):
        """After vector scaling the accuracy is tested again, and the verdict names the method."""
        a, b = tables(n=200, noise=2.0)
        a, b = (
            replace(
                one,
                prob=np.asfortranarray(
                    one.prob**2 / [4.0, 1.0] / (one.prob**2 / [4.0, 1.0]).sum(1)[:, None]
                ),
            )
            for one in (a, b)
        )
        raw, mended = compare({"a": a, "b": b}, metrics="accuracy", after="vector").pairs
        assert (raw.after, mended.after) == (None, "vector")
        assert raw.values != mended.values
        assert " after vector " in mended.verdict

    def test_notes_of_the_maps_are_reported(self):
        """What a fit says of itself stands among the remarks, with the model's name."""
        y, p, _ = rows_of(n=60)
        sure = pb.Predictions.from_arrays(y, np.where(y == 1, 0.8, 0.2))
        other = pb.Predictions.from_arrays(y, p)
        answer = compare(
            {"a": other, "sure": sure}, metrics="log-loss", after="temperature", resamples=99
        )
        assert "sure: " in coded(answer, "recalibrated")


class TestWords:
    """What is said, and what is not."""

    def test_a_difference_and_its_limits(self):
        """Which is better, by how much, between which values, p, and what it is about."""
        a, b = tables(noise=3.0)
        one = compare({"a": a, "b": b}, metrics="accuracy").pairs[0]
        assert one.better == "a"
        told = [float(text) for text in re.findall(r"\d+\.\d+(?:e-\d+)?", one.verdict)]
        (high, low), ends = one.values, one.interval_range
        assert told == pytest.approx([high, low, high - low, *ends, one.p_value], rel=0.05)

    def test_the_difference_is_the_first_models_minus_the_second_ones(self):
        """The interval holds it and leaves out 0, whichever model comes first."""
        a, b = tables(noise=3.0)
        for made in ({"a": a, "b": b}, {"b": b, "a": a}):
            (one,) = compare(made, resamples=999).pairs
            ends = re.search(r"CI ([\d.-]+) to ([\d.-]+)", one.verdict).groups()
            low, high = map(float, ends)
            assert low < one.difference < high
            assert low * high > 0
            assert one.better == "a"

    def test_no_difference_shown_is_no_equality(self):
        """It says so, with the differences that remain possible."""
        one = compare(*tables(noise=0.1), metrics="accuracy").pairs[0]
        assert one.better is None
        low, high = one.interval_range
        assert low < 0 < high

    @pytest.mark.parametrize(("rope", "equal"), [(0.2, True), (0.0001, False)])
    def test_equality_is_shown_by_the_region_alone(self, rope, equal):
        """Only an interval within the region of practical equivalence says "equal"."""
        one = compare(*tables(noise=0.1), metrics="accuracy", rope=rope).pairs[0]
        assert one.practically_equal is equal
        assert ("Practically equal: " in one.verdict) is equal

    def test_folds_with_a_region_have_a_posterior(self):
        """The probabilities of better, equal and worse sum to 1, and a lower score is better."""
        a, b = designed("cross-validation")
        one = compare({"a": a, "b": b}, rope=0.001).pairs[0]
        assert sum(one.posterior.values()) == pytest.approx(1)
        assert one.posterior["first"] > one.posterior["second"]
        assert "Posterior " in one.verdict
        alone = compare({"a": a, "b": b}, rope=0.001, test="bayesian-t").pairs[0]
        assert alone.posterior == one.posterior
        assert np.isnan(alone.p_value)

    def test_calibration_errors_alone_warn(self):
        """They do not rank models; beside a score nothing is warned of."""
        a, b = designed("cross-validation")
        with warned("calibration-only", "brier-score", "log-loss"):
            answer = compare(a, b, metrics="ece")
        assert CALIBRATION_ONLY in answer.remarks
        assert CALIBRATION_ONLY not in compare(a, b, metrics=["ece", "brier-score"]).remarks

    def test_a_metric_that_ranks_nothing_says_so(self):
        """A calibration slope may differ; which is better it does not say."""
        y, p, _ = rows_of(n=1200)
        z = 3 * np.log(p / (1 - p))
        a, b = (
            pb.Predictions.from_arrays(y, x, fold=np.arange(1200) % 6)
            for x in (p, 1 / (1 + np.exp(-z)))
        )
        one = compare(a, b, metrics="calibration-slope").pairs[0]
        assert one.adjusted_p_value < 0.05
        assert one.better is None
        assert one.verdict

    def test_it_reads_as_a_table_and_as_rows(self):
        """The text holds the reason, the table, the verdicts; rows and JSON the same numbers."""
        answer = compare({"a": tables()[0], "b": tables()[1]}, metrics="accuracy")
        text = repr(answer)
        assert answer.pairs[0].verdict in text
        assert answer.why in answer.present().legend
        (row,) = answer.rows()
        assert (row["model"], row["other_model"]) == ("a", "b")
        assert row["p_value"] == answer.pairs[0].p_value == answer.to_dict()["pairs"][0]["p_value"]
        assert "interval_low" in row
        assert "<table>" in answer._repr_html_()

    @pytest.mark.parametrize(
        ("test", "d"),
        [
            ("5x2-f", [[0.2, 0.22], [-0.2, -0.21], [0.2, 0.21], [-0.2, -0.2], [0.02, 0.0]]),
            ("5x2-t", [[-0.25, -0.2], [0.1, 0.11], [0.1, 0.12], [0.11, 0.1], [0.12, 0.11]]),
        ],
    )
    def test_no_winner_is_named_that_was_not_tested(self, test, d):
        """The tests of 5 x 2 folds may find a difference whose sign they leave open."""
        d = np.array(d)
        found = {"5x2-f": five_by_two_f, "5x2-t": five_by_two_t}[test](d)
        pair = told(
            test=test,
            difference=found.difference,
            more=found.more,
            interval_range=found.interval_range,
            p_value=found.p_value,
            adjusted_p_value=found.p_value,
        )
        assert found.p_value < 0.01
        assert pair.better is None

    def test_the_level_is_met_whatever_rounding_does(self):
        """1 - 0.9 is less than 0.1 as a float; p = 0.1 is shown at the level 0.9 all the same."""
        assert told(level=0.9, p_value=0.1, adjusted_p_value=0.1, difference=0.1).better == "b"

    def test_names_stand_on_one_line(self):
        """Line ends and other unprintable characters of names are escaped in every sentence."""
        a, b = tables(noise=3.0)
        answer = compare({"a\nb": a, "c\x1b": b}, metrics="accuracy")
        assert all(name in answer.pairs[0].verdict for name in (r"a\nb", r"c\x1b"))
        assert r"a\nb" in repr(answer)
        assert "a\nb" not in repr(answer)
        assert answer.pairs[0].better == "a\nb"

    def test_training_data_is_no_fair_comparison(self):
        """Tables that `estimate` marks so are warned of, beside the verdict."""
        a, b = tables()
        with warned("not-honest"):
            answer = compare({"a" + RESUBSTITUTED: a, "b": b}, resamples=99)
        assert "not-honest" in {note.code for note in answer.present().notes}

    def test_training_data_is_reported_whatever_name_a_table_is_given(self):
        """The mark of a table stays with its model, and the design is not called honest."""
        y, p, q = rows_of()
        marked = pb.Predictions.from_arrays(y, p, model=["m" + RESUBSTITUTED] * N)
        plain = pb.Predictions.from_arrays(y, q, model=["b"] * N)
        both = pb.Predictions.from_arrays(
            np.tile(y, 2), np.concatenate([p, q]), model=["m" + RESUBSTITUTED] * N + ["b"] * N
        )
        for given, names in (
            (({"own": marked, "b": plain},), ("own" + RESUBSTITUTED, "b")),
            ((marked, marked), ("m (a)" + RESUBSTITUTED, "m (b)" + RESUBSTITUTED)),
            ((both,), ("m" + RESUBSTITUTED, "b")),
        ):
            with warned("not-honest"):
                answer = compare(*given, resamples=9)
            assert answer.models == names
            assert "training data" in answer.why

    def test_ratings_that_point_the_other_way_are_reported(self):
        """Where every area is below 0.5 the other class is asked after; named, nothing is."""
        y, p, q = rows_of(noise=0.8)
        names = np.array(["ill", "well"])[1 - y]
        for positive, low in (("well", True), ("ill", False)):
            a, b = (pb.Predictions.from_arrays(names, score=s, positive=positive) for s in (p, q))
            with pytest.warns(pb.PlumblineWarning) if low else nullcontext():
                answer = compare(a, b)
            assert any("(`positive='ill'`)" in remark for remark in answer.remarks) == low
            assert answer.to_dict()["pairs"][0]["target"] == positive
            assert f" '{positive}'" in coded(answer, "one-class")

    def test_the_class_that_a_metric_looks_at_is_named(self):
        """Of two classes the positive one; of all classes none, unless one is asked for."""
        a, b = tables()
        answer = compare(a, b, metrics=["brier-score", "recall", "kappa"], resamples=9)
        assert answer.remark_codes.count("one-class") == 1
        said = coded(answer, "one-class")
        assert said.count("recall") == 1
        assert all(fact in said for fact in ("'1'", "`target`"))
        assert [one.target for one in answer.pairs] == ["1", "1", None]
        assert compare(a, b, target=0, resamples=9).pairs[0].target == "0"

    def test_the_share_of_test_parts_is_reported(self):
        """What folds are taken for is said, with how to say otherwise; given, it is not."""
        a, b = designed("cross-validation")
        answer = compare(a, b)
        assert "0.167" in coded(answer, "test-share")
        assert answer.pairs[0].more["test_share"] == pytest.approx(1 / 6)
        assert compare(a, b, test_share=0.2).remarks == ()


def told(**changes):
    """A comparison with its verdict, of a lower score, as changed."""
    given = {
        "models": ("a", "b"),
        "n": 10,
        "units": 10,
        "metric": "brier-score",
        "after": None,
        "test": "corrected-t",
        "design": "5x2 cross-validation",
        "values": (0.2, 0.1),
        "interval_range": (np.nan, np.nan),
        "effect": "",
        "effect_size": 0.0,
        "better": None,
        "rope": None,
        "practically_equal": None,
        "posterior": None,
        "verdict": "",
        "method": "",
        "more": {},
    }
    level = changes.pop("level", 0.95)
    pair = PairComparison(**(given | changes))
    return judged(pair, title="Brier score", direction="lower", level=level)


class TestOptimistic:
    """Tests that find too many differences say so in a note, and are never the default."""

    @pytest.mark.parametrize("test", ["5x2-t", "5x2-f", "paired-t"])
    def test_a_note_names_the_test_to_take(self, test):
        """Asked for by name, they come with a remark of a stable code."""
        a, b = designed("5x2 cross-validation")
        with warned("optimistic-test", test):
            found = compare(a, b, metrics="accuracy", test=test)
        assert "optimistic-test" in found.remark_codes
        assert len(found.remark_codes) == len(found.remarks)
        assert "optimistic-test" in {note.code for note in found.present().notes}
        usual = compare(a, b, metrics="accuracy")
        assert usual.pairs[0].test == "corrected-t"
        assert "optimistic-test" not in usual.remark_codes

    def test_5x2_tests_are_recommended_nowhere(self):
        """In no row of the table do they fit, and none names them instead of another."""
        assert all(row.answer != "fits" for row in ADVICE if {"5x2-t", "5x2-f"} & set(row.tests))
        assert not {"5x2-t", "5x2-f"} & {row.instead for row in ADVICE}


class TestTables:
    """What may be compared with what."""

    def test_models_have_their_names(self):
        """One table of several, two tables, a dictionary; a name twice says whose it is."""
        a, b = tables()
        named = [pb.Predictions.from_arrays(x.actual, x.prob, model=["m"] * N) for x in (a, b)]
        stacked = pb.Predictions.from_arrays(
            np.tile(a.actual, 3),
            np.concatenate([a.prob, b.prob, a.prob]),
            model=np.repeat(["x", "y", "z"], N),
        )
        assert list(tables_by_model(a, b, None)) == ["a", "b"]
        assert list(tables_by_model(*named, None)) == ["m (a)", "m (b)"]
        assert list(tables_by_model(stacked, None, None)) == ["x", "y", "z"]
        assert list(tables_by_model(stacked, None, ["z", "x"])) == ["z", "x"]
        assert list(tables_by_model({"u": a, "v": b}, None, None)) == ["u", "v"]
        answer = compare(stacked, metrics="accuracy")
        assert [one.models for one in answer.pairs] == [("x", "y"), ("x", "z"), ("y", "z")]

    def test_labels_alone_are_compared_by_accuracy(self):
        """McNemar's test, whatever one of the models has besides."""
        y, p, q = rows_of(noise=2)
        a = pb.Predictions.from_arrays(y, predicted=(p > 0.5).astype(int), classes=[0, 1])
        b = pb.Predictions.from_arrays(y, q)
        one = compare(a, b).pairs[0]
        assert (one.metric, one.test) == ("accuracy", "mcnemar")

    def test_ratings_alone_are_compared_by_the_area(self):
        """DeLong's test of scores that have no scale."""
        y, p, q = rows_of(noise=2)
        a, b = (pb.Predictions.from_arrays(y, score=100 * x - 3, classes=[0, 1]) for x in (p, q))
        one = compare(a, b).pairs[0]
        assert (one.metric, one.test) == ("roc-auc", "delong-t")

    def test_profit_is_compared_where_payoffs_are_given(self):
        """The mean payoff of a row at a threshold, by permutation."""
        a, b = tables(noise=2)
        one = compare(a, b, payoffs={"TP": 10, "FP": -5}, threshold=0.3, resamples=99).pairs[0]
        hit = a.prob[:, 1] >= 0.3
        assert one.metric == "profit"
        assert one.values[0] == pytest.approx(np.mean(np.where(hit, np.where(a.actual, 10, -5), 0)))

    def test_one_class_against_the_rest(self):
        """`target` goes to the metrics that have a class, and is refused where none has."""
        rng = np.random.default_rng(4)
        prob = rng.dirichlet(np.ones(3), 200)
        y = np.array([rng.choice(3, p=row) for row in prob])
        names = ["x", "y", "z"]
        a = pb.Predictions.from_arrays(np.array(names)[y], prob, classes=names)
        b = replace(a, prob=prob[:, [1, 2, 0]].copy())
        answer = compare(a, b, metrics=["accuracy", "roc-auc"], target="y")
        assert [one.test for one in answer.pairs] == ["mcnemar", "delong-t"]
        with refused(pb.ParameterError, "target-of-all-classes", argument="target"):
            compare(a, b, metrics="accuracy", target="y")

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"row": None}, ("rows-of-one-table", "`row`")),
            ({"fold": None}, ("rows-of-one-table", "`fold`")),
            ({"weight": np.full(N, 2.0)}, ("rows-of-one-table", "`weight`")),
            ({"classes": ("0", "2")}, ("classes-differ",)),
        ],
    )
    def test_what_cannot_be_paired_is_refused(self, change, said):
        """A column that one of them lacks, other classes: each with its remedy."""
        a, b = designed("cross-validation")
        with refused(pb.InputError, *said):
            compare(a, replace(b, **change))

    def test_one_model_is_no_comparison(self):
        """A table of one model says what to give, and so does a dictionary of none or of one."""
        a, b = tables()
        with refused(pb.InputError, "one-model-to-compare"):
            compare(a)
        with refused(pb.InputError, "one-model-to-compare"):
            compare({})
        with refused(pb.ParameterError, "named-twice", "'1'"):
            compare({1: a, "1": b})

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({"test": "mcnemar"}, ("test-not-for-metric", "`test`", "'brier-score'")),
            (
                {"test": "permutation", "metrics": "f1"},
                ("test-not-for-metric", "`test`", "`test='bootstrap'`"),
            ),
            (
                {"test": "paired-t", "metrics": "f1"},
                ("test-not-for-design", "`test`", "`test='bootstrap'`"),
            ),
            ({"test": "mcnemmar"}, ("unknown-name", "`test`", "'mcnemar'")),
            ({"test": "friedman"}, ("test-not-for-design", "`test`")),
            ({"test": "bayesian-t"}, ("test-not-for-design", "`test`")),
            ({"models": ["a"]}, ("too-few-models", "`models`")),
            ({"models": ["a", "x"]}, ("unknown-name", "`models`", "each once")),
            ({"metrics": "briar-score"}, ("unknown-metric", "`metrics`", "'brier-score'")),
            ({"metrics": []}, ("nothing-named", "`metrics`")),
            ({"after": "isotonik"}, ("unknown-name", "`after`", "'isotonic'")),
            ({"adjust": "bonferroni"}, ("unknown-name", "`adjust`")),
            ({"level": 95}, ("no-fraction", "`level`", "between 0", "and 1")),
            ({"rope": -1}, ("out-of-range", "`rope`")),
            (
                {"payoffs": {"TP": 1}, "metrics": ["accuracy", "log-loss"]},
                ("profit-missing", "`payoffs`", "'profit'"),
            ),
            ({"test_share": 30}, ("no-fraction", "`test_share`")),
        ],
    )
    def test_refusals_teach(self, given, said):
        """Each names the argument and what would be right."""
        with refused(pb.ParameterError, *said):
            compare(*tables(), **given)

    def test_too_few_draws_are_reported(self):
        """Nine draws can show nothing at the level 0.05."""
        answer = compare(*tables(), resamples=9)
        assert "9 resamples" in coded(answer, "too-few-resamples")

    def test_as_many_draws_as_the_work_allows(self):
        """Without a number the exchanges are 9,999, of many rows fewer, which is said."""
        one = compare(*tables(n=40)).pairs[0]
        assert one.more["exchanges"] == 10_000
        exact = compare(*tables(n=40), resamples=49).pairs[0]
        assert exact.more["exchanges"] == 50
        assert (draws_of("permutation", None, 20_001), draws_of("permutation", 5, 10**7)) == (
            1999,
            5,
        )
        design = design_of(tables()[0])
        notes = remarks(
            ComparisonParams(design=design, level=0.95, resamples=None, entropy=0, workers=None),
            [False],
            ["permutation"],
            summed=[True],
            p_values=200,
            adjust="holm",
            after=None,
            notes=(),
            rows_alone=False,
            models=("a", "b"),
            n=20_001,
            more=ComparisonRemarks((), ()),
        )
        assert "1,999 resamples" in notes.others[0].text
        assert "20,001 rows" in notes.others[0].text
        assert "least 4,000" in notes.others[1].text
        assert [note.code for note in notes.others[:2]] == ["fewer-resamples", "too-few-resamples"]

    @pytest.mark.parametrize(("resamples", "too_few"), [(18, True), (19, False)])
    def test_19_resamples_are_the_fewest_of_one_test(self, resamples, too_few):
        """Its least p-value is then 0.05, which is significant."""
        answer = compare(*tables(n=40), metrics="log-loss", resamples=resamples)
        assert ("too-few-resamples" in answer.remark_codes) is too_few

    @law("metric", ["ece", "mce", "brier-score", "f1", "roc-auc"], number=3)
    @pytest.mark.parametrize("level", [0.9994, 0.9997])
    def test_remarks_count_the_draws_that_are_made(self, metric, level):
        """Whether they suffice for a level is judged by the draws of the metric's own test."""
        test = "permutation" if metric == "roc-auc" else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # calibration errors alone rank no models
            answer = compare(*tables(n=40), metrics=metric, test=test, level=level)
        (one,) = answer.pairs
        made = one.more["exchanges"] if one.test == "permutation" else one.more["draws"] + 1
        too_few = made < round(1 / (1 - level))
        assert ("too-few-resamples" in answer.remark_codes) is too_few

    @pytest.mark.parametrize("metrics", ["ece", "ece,brier-score"])
    def test_a_calibration_error_stands_beside_its_null(self, metrics):
        """A line has the range of the difference of equal models; of means, which are 0, none."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # calibration errors alone rank no models
            answer = compare(*tables(n=40), metrics=metrics.split(","), resamples=99)
        first, *others = answer.pairs
        low, high = first.more["null_range"]
        assert (first.more["null_mean"], low) == (0.0, -high)
        assert (abs(first.difference) < high) == (first.p_value > 0.05)
        names = [{one.key for one in pair.details(0.95)} for pair in answer.pairs]
        assert ["null_range" in own for own in names] == [True, *(False for _ in others)]
        (table,) = answer.present().tables
        (column,) = (cells for name, cells in table.columns.items() if name.endswith("if equal"))
        assert column[1:] == ["-" for _ in others]
