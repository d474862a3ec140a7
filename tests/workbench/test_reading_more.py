"""The best threshold, lines of equal cost, cases, differences and subgroups in the workbench."""

import json
from dataclasses import replace

import numpy as np
import pytest
from loans import loans

import plumbline as pb
from plumbline.binning import group_rows
from plumbline.curves import best_thresholds
from plumbline.errors import FormulaError, InputError, ParameterError
from plumbline.workbench import TableQuestions, decode, encode
from plumbline.workbench.questions.cases import cases_of
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.selection import Selection, filtered
from refusals import refused

LOANS = loans(240, models=("careful", "hasty"))
PROFIT = "cumm(amount_requested ** 2 / 30 if eP else -amount_requested)"
FEW = {"resamples": 30}


def ask(kind, *, data=LOANS, sections=None, curve=None, **more):
    """Ask a question and return the answer as a browser gets it."""
    curve = {"preset": "roc", **FEW} if curve is None else curve
    question = {"kind": kind, "data": sections or {}, "curve": curve, **more}
    return decode(encode(TableQuestions(data).answer(question)))


def plain(result):
    """Return a result as it comes out of JSON."""
    return json.loads(json.dumps(result.to_dict()))


# ------------------------------------------------------------------ the best threshold


def test_the_optimum_is_that_of_the_library_for_every_model():
    """The same numbers, words and plateau, under a constraint, by a formula of sums."""
    curve = {"x": "threshold", "y": PROFIT, "resamples": 30, "level": 0.9}
    asked = {"goal": "max", "subject_to": "recall >= 0.5"}
    found = ask("optimum", curve=curve, **asked)["results"]
    assert [one["model"] for one in found] == ["careful", "hasty"]
    for one in found:
        best = pb.best_threshold(
            LOANS.select(model=one["model"]), PROFIT, level=0.9, resamples=30, **asked
        )
        known = plain(best) | {"notes": list(best.present().notes)}
        assert {name: one[name] for name in known} == known
        assert one["point"]["y"] == best.value
        for stretch, (low, high) in zip(one["stretches"], best.plateau, strict=True):
            assert (stretch["low"], stretch["high"]) == (low, high if high < np.inf else "inf")
            assert stretch["y"].min() >= best.values[best.in_plateau].min()


def test_another_measure_than_y_may_be_the_best():
    """On a ROC curve the best accuracy is marked where it stands on that curve."""
    (one, _) = ask("optimum", goal="max", y="CA")["results"]
    best = pb.best_threshold(LOANS.select(model="careful"), "CA", resamples=30)
    assert one["value"] == best.value
    assert one["point"]["x"] == best.FP / (best.FP + best.TN)
    assert one["point"]["y"] == best.TP / (best.TP + best.FN)


def test_one_model_alone_and_no_threshold_that_will_do():
    """A constraint that nothing satisfies gives a reason, not a number."""
    asked = {"goal": "min", "y": "FPR", "subject_to": "recall > 1", "model": "hasty"}
    (one,) = ask("optimum", **asked)["results"]
    assert "threshold" in one["reason"]
    assert one["point"]["threshold"] is None
    assert one["stretches"] == []


@pytest.mark.parametrize(
    ("curve", "why"),
    [
        ({"preset": "roc", "multiclass": "macro"}, ("best-of-other-curve", "one class")),
        ({"preset": "roc", "average": "none"}, ("best-of-other-curve", "folds")),
        (
            {"x": "cumm(1)", "y": "cumm(eP)", "direction": "unsorted"},
            ("best-of-other-curve", "sort"),
        ),
    ],
)
def test_a_curve_without_one_threshold_has_no_best_one(curve, why):
    """Several lines a model, or no order: what to change."""
    with refused(ParameterError, *why):
        ask("optimum", curve=curve, goal="max")


def test_progress_is_reported_and_cancels():
    """The search says how far it is, and stops where whoever listens says so."""
    told = []
    curve = {"preset": "accuracy", **FEW}
    question = {"kind": "optimum", "data": {}, "curve": curve, "goal": "max"}
    TableQuestions(LOANS).answer(question, progress=lambda done, total: told.append(done / total))
    assert told == sorted(told)
    assert told[-1] == 1

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        TableQuestions(LOANS).answer(question, progress=stop)


def test_the_command_line_and_the_workbench_search_by_one_function():
    """`best_thresholds` takes a curve's settings to the best threshold of every model."""
    settings = replace(pb.curve(LOANS, "accuracy").settings, resamples=30)
    found = best_thresholds(LOANS, settings, goal="max")
    assert list(found) == ["careful", "hasty"]
    assert (
        found["hasty"].verdict
        == pb.best_threshold(LOANS.select(model="hasty"), "CA", resamples=30).verdict
    )


# ------------------------------------------------------------------ costs


@pytest.mark.parametrize(("fp", "fn"), [(1, 1), (1, 5), (7, 2), (0, 1), (1, 0)])
def test_the_cheapest_point_is_the_cheapest_by_a_literal_count(fp, fn):
    """The cost at every threshold, row by row; the line through it stays in the unit square."""
    for line in ask("iso-cost", fp=fp, fn=fn)["lines"]:
        part = LOANS.select(model=line["model"])
        prob, yes = part.prob[:, part.positive], part.actual == part.positive
        costs = [
            (fp * (~yes & (prob >= t)).sum() + fn * (yes & (prob < t)).sum()) / part.n
            for t in [*np.unique(prob), np.inf]
        ]
        assert line["cost"] == pytest.approx(min(costs))
        (left, right), (low, high) = line["ends"]["x"], line["ends"]["y"]
        assert all(-1e-12 <= v <= 1 + 1e-12 for v in (left, right, low, high))
        cost = [
            fp * (~yes).sum() * x + fn * yes.sum() * (1 - y)
            for x, y in zip(line["ends"]["x"], line["ends"]["y"], strict=True)
        ]
        assert cost == pytest.approx([line["cost"] * part.n] * 2)


@pytest.mark.parametrize(
    ("curve", "costs", "why"),
    [
        ({"preset": "lift"}, {"fp": 1, "fn": 1}, "draw a ROC curve"),
        ({"preset": "roc"}, {"fp": 0, "fn": 0}, "both 0"),
        ({"preset": "roc"}, {"fp": -1, "fn": 1}, "a number from 0 up"),
    ],
)
def test_costs_that_mean_nothing_are_refused(curve, costs, why):
    """Only on a ROC curve, only with costs."""
    with pytest.raises(ParameterError, match=why):
        ask("iso-cost", curve=curve, **costs)


def test_one_class_has_no_line_of_equal_costs():
    """Why, instead of a line."""
    data = pb.Predictions.from_arrays(["1"] * 20, np.linspace(0, 1, 20), classes=["0", "1"])
    (line,) = ask("iso-cost", data=data, fp=1, fn=1)["lines"]
    assert "no row" in line["reason"]


# ------------------------------------------------------------------ cases


def test_cases_are_those_of_the_library():
    """The same rows, classes and differences; a list is cut, its number is not."""
    asked = {"low": 0.3, "high": 0.6, "model": "careful"}
    found = ask("cases", sections={"where": "age > 30"}, most=7, **asked)
    known = pb.cases_between(
        LOANS.select(model="careful"), low=0.3, high=0.6, where="age > 30", target="yes", most=7
    )
    expected = plain(known) | {"notes": list(known.present().notes)}
    assert {name: found[name] for name in expected} == expected
    assert found["n"] > found["listed"] == len(found["cases"]) == 7
    assert found["columns"] == list(known.cases[0])


@pytest.mark.parametrize("weighted", [True, False])
def test_rows_of_every_class_are_counted_whatever_they_weigh(weighted):
    """Rows inside and outside; their weights beside them where they have any."""
    data = pb.Predictions.from_arrays(
        [0, 1, 1, 0], [0.1, 0.4, 0.6, 0.5], weight=[5, 2, 3, 7] if weighted else None
    )
    found = ask("cases", data=data, curve={"preset": "accuracy"}, low=0.3, high=0.55)
    assert found["rows_inside"] == {"0": 1, "1": 1}
    assert found["rows_outside"] == {"0": 1, "1": 1}
    assert found["weighted"] == weighted
    assert found["inside"] == ({"0": 7, "1": 2} if weighted else {"0": 1, "1": 1})


def test_cases_of_a_policy_lie_between_its_values():
    """The two ends are of what the rows are sorted by; an end may be infinite."""
    curve = {"x": "threshold", "y": "TP", "sort_by": "probability * income"}
    found = ask("cases", curve=curve, low=20, high="inf", model="careful")
    part = LOANS.select(model="careful")
    value = part.prob[:, part.positive] * np.asarray(part.attributes["income"])
    assert found["n"] == (value >= 20).sum()
    assert found["high"] == "inf"


def test_all_cases_are_listed_for_a_file():
    """`cases_of` without a limit, which an export asks for; no curve is needed."""
    asked = {"kind": "cases", "data": {}, "low": "-inf", "high": "inf"}
    cases = cases_of(Inquiry(LOANS, asked), most=None)
    assert len(cases.cases) == cases.n == 240


def test_an_empty_band_says_so():
    """No rows: a reason; an impossible band is refused."""
    assert ask("cases", low=2, high=3)["reason"].startswith("no row")
    with pytest.raises(ParameterError, match="below"):
        ask("cases", low=0.6, high=0.3)


# ------------------------------------------------------------------ differences


def test_a_difference_is_that_of_the_library():
    """The same band and verdict, whatever band the curve itself is drawn with."""
    curve = {"preset": "accuracy", "band": "bootstrap", **FEW, "points": 21, "seed": 3}
    found = ask("difference", curve=curve, models=["hasty", "careful"])
    known = pb.curve_difference(
        LOANS, "accuracy", models=["hasty", "careful"], points=21, rng=3, **FEW
    )
    for name in ("x", "difference", "low", "high", "se"):
        np.testing.assert_array_equal(found[name], getattr(known, name))
    expected = plain(known)
    expected["notes"] = list(known.present().notes)
    for name in ("verdict", "higher", "factor", "n", "notes", "models"):
        assert found[name] == expected[name]


def test_two_models_are_needed():
    """One of them left out by the data panel: the library says what is missing."""
    with refused(InputError, "unknown-label", "'careful'"):
        ask("difference", sections={"models": ["hasty"]}, models=["hasty", "careful"])


# ------------------------------------------------------------------ subgroups


@pytest.mark.parametrize("by", ["purpose", "age", "income"])
def test_every_group_is_the_curve_of_its_filter(by):
    """Categories and quarters; together they are all examples, each model drawn of all of them."""
    found = ask("subgroups", sections={"where": "amount_requested > 20"}, by=by)
    whole = LOANS.select(where=np.asarray(LOANS.attributes["amount_requested"]) > 20)
    assert len(found["groups"][0]["lines"]) == 2
    assert sum(group["n"] for group in found["groups"]) == whole.n / 2
    for group in found["groups"]:
        known = pb.curve(LOANS, "roc", where=f"(amount_requested > 20) and ({group['where']})")
        assert all(line["n"] == group["n"] for line in group["lines"])
        for line, own, area in zip(group["lines"], known.lines, known.areas, strict=True):
            assert (line["model"], line["n"], line["area"]) == (own.model, own.n, area)
            np.testing.assert_array_equal(line["y"], own.y)
    assert found["x_domain"] == found["y_domain"] == [0, 1]


def test_the_most_frequent_names_are_drawn_and_the_rest_counted():
    """Rare names, missing ones, quotes and back-ticks in names."""
    names = ["it's"] * 9 + ['"x\\y"'] * 8 + ["rare"] * 2 + [None]
    data = pb.Predictions.from_arrays(
        [0, 1] * 10, np.linspace(0, 1, 20), attributes={"a`b c": np.array(names, object)}
    )
    found = ask("subgroups", data=data, by="a`b c", most=2)
    assert {group["name"]: group["n"] for group in found["groups"]} == {"it's": 9, '"x\\y"': 8}
    assert all(group["reason"] is None for group in found["groups"])
    (note,) = found["notes"]
    assert note.startswith("2 rarer")
    assert note.endswith("3 rows.")
    every = ask("subgroups", data=data, by="a`b c")["groups"]
    assert [(group["name"], group["n"]) for group in every][-1] == ("missing", 1)


N = 48
COLUMNS = {
    "few": np.arange(N) % 8,
    "real": np.random.default_rng(0).normal(size=N),
    "repeats": np.array([18, 25, 25, 36, 36, 50, 61, 70] * 6)[np.arange(N) % 11],
    "holes": np.where(np.arange(N) % 5 == 0, np.nan, np.arange(N)),
    "day": np.datetime64("2024-01-01") + np.arange(N),
    "hour": np.datetime64("2024-01-01T07:30", "s") + 5000 * np.arange(N),
    "noon": np.datetime64("2024-01-01T12", "h") + 12 * np.arange(N),  # edges are midnights, too
    "late": np.where(
        np.arange(N) % 7, np.datetime64("2024-01-01") + np.arange(N), np.datetime64("NaT")
    ),
    "new": np.arange(N) < 30,
    "site": np.array(["b", "a", None] * 16, object),
    "called": np.array(["missing", "a", None] * 16, object),
}


@pytest.mark.parametrize("by", COLUMNS)
@pytest.mark.parametrize("weighted", [False, True])
def test_groups_are_those_of_the_library(by, weighted):
    """Same groups, same names, same rows; the formula of each keeps exactly its rows."""
    weight = np.random.default_rng(1).integers(1, 5, N) if weighted else None
    data = pb.Predictions.from_arrays(
        np.arange(N) // 2 % 2, np.linspace(0, 1, N), attributes=COLUMNS, weight=weight
    )
    known = group_rows(data, by)
    found = ask("subgroups", data=data, by=by, most=24)["groups"]
    assert [group["n"] for group in found] == [len(rows) for _, rows in known]
    for group, (name, rows) in zip(found, known, strict=True):
        assert group["name"].endswith(name)
        where = Selection(where=group["where"])
        kept = filtered(data, where)
        assert kept.prob[:, 1].tolist() == data.prob[rows, 1].tolist()


def test_a_group_that_cannot_be_drawn_says_why():
    """A group of one class only, beside groups that are drawn."""
    y = np.array([0, 1] * 10 + [1] * 5)
    data = pb.Predictions.from_arrays(
        y, np.linspace(0, 1, 25), attributes={"ward": ["a"] * 20 + ["b"] * 5}
    )
    drawn, empty = ask("subgroups", data=data, by="ward")["groups"]
    assert drawn["reason"] is None
    assert "'1'" in empty["reason"]


def test_an_unknown_attribute_is_refused_by_name():
    """With the nearest one."""
    with refused(ParameterError, "unknown-name", "'income'", argument="by"):
        ask("subgroups", by="incom")
    with pytest.raises(FormulaError):
        ask("subgroups", by="age", sections={"where": "age >"})
