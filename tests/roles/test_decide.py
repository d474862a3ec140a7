"""Which column plays which part: invented tables with what a careful reader makes of them."""

import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import plumbline as pb
from invented_tables import invented, table_of
from laws import ALL, law
from plumbline.binning import unasked_attributes
from plumbline.errors import PlumblineError
from plumbline.predictions.frame_tables import arrow_table
from plumbline.roles import UnclearColumns, columns_of, decide, names
from refusals import refused, warned

pytestmark = pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
SHAPES = {"list": "lists", "hard": "labels"}  # as the tables call them
SIDES = ("row", "fold", "repeat", "weight", "predicted")
# Two readings that differ by a constant 1 - p, a word of no table of names, a column `sex`, arrays
# of objects, percent under unknown names, and a weight that might be that of a body.
REFUSED_THOUGH_UNIQUE = {"complement only", "rain forecast mm", "sex as the truth, pair"}
REFUSED_THOUGH_UNIQUE |= {"bqml", "pop models", "survey vote"}


TABLES = [pytest.param(one, id=one["name"]) for one in invented()]
PARTS = 8  # of all tables, each a test: hundreds of tests that take no time are slow together


def is_as_wanted(reading, wanted):
    """Compare with what a careful reader says."""
    ours = {"actual": reading.actual, "prob": sorted(column for column, _ in reading.prob)}
    ours |= {"model": reading.parts.get("model"), "positive": reading.positive}
    ours |= {"how": reading.shape, "groups": reading.recurs}
    ours |= {part: reading.parts.get(part) for part in SIDES}
    ours["class_column"] = reading.parts.get("class")
    free = wanted["any"].split()
    for name in ("model", "weight"):  # said of no table that has none
        wanted = {name: None} | wanted if name not in free else wanted
    wanted = wanted | {"how": SHAPES.get(wanted.get("how"), wanted.get("how", reading.shape))}
    return all(ours[name] == value for name, value in wanted.items() if name != "any")


def read_or_error(read, *source, **how):
    """Return what is read, and the refusal; one of them is None."""
    try:
        return read(*source, **how), None
    except PlumblineError as error:
        return None, error


@pytest.mark.parametrize("part", range(PARTS))
def test_a_table_is_read_as_by_a_careful_reader_or_refused(part):
    """Never in another way; and what has one reading is read, six tables apart."""
    wrong = {one["name"]: _misread(one) for one in invented()[part::PARTS]}
    assert {name: found for name, found in wrong.items() if found is not None} == {}


def _misread(one):
    """Return what is made of a table against its careful reader; None where they agree."""
    table, wanted = table_of(one), one["read"]
    twice = len({*table.column_names}) < table.num_columns
    if twice:
        return read_or_error(arrow_table, table)[0]
    try:
        reading = decide(columns_of(table))
    except UnclearColumns:
        return None if wanted is None or one["name"] in REFUSED_THOUGH_UNIQUE else "refused"
    if wanted is None:  # rows without a value are refused when all of them are read
        error = read_or_error(pb.Predictions.from_frame, table)[1]
        return None if isinstance(error, UnclearColumns) else reading
    return None if is_as_wanted(reading, wanted) else reading


@pytest.mark.parametrize("part", range(PARTS))
def test_each_reading_that_a_refusal_offers_works(part):
    """Named as arguments it opens the table as it says, or is refused for its values."""
    for one in invented()[part::PARTS]:
        _try_readings(one)


def _try_readings(one):
    table = table_of(one)
    _, refusal = read_or_error(pb.Predictions.from_frame, table)
    for reading in getattr(refusal, "readings", ()):
        how = dict(refusal.extra) | reading.arguments()
        if "names" in how:  # of text files
            continue
        again, error = read_or_error(pb.Predictions.from_frame, table, **how)
        if isinstance(error, UnclearColumns):
            assert error.code == "value-missing", (one["name"], how)
        if again is not None:
            read = again.reading
            assert (read.actual, read.parts) == (reading.actual, reading.parts), one["name"]
            assert {*dict(read.prob)} == {*dict(reading.prob)}
            assert reading.positive in (None, again.classes[again.positive])


@law("one", TABLES, number=40)
def test_every_door_reads_a_file_in_the_same_way(one, tmp_path):
    """CSV and Parquet, in memory and counted, and the frame: one reading, and one log loss."""
    table = table_of(one)
    types = (pa.types.is_nested, pa.types.is_null, pa.types.is_boolean)  # not as CSV writes them
    if any(is_one(kind) for kind in table.schema.types for is_one in types):
        return
    try:
        data = pb.Predictions.from_frame(table)
    except PlumblineError:
        return
    parquet.write_table(table, tmp_path / "t.parquet")
    csv.write_csv(table, tmp_path / "t.csv")
    for name in ("t.parquet", "t.csv"):
        again = pb.read(tmp_path / name)
        assert again.reading == data.reading
        if data.prob is not None:
            for model, part in data.by_model().items():
                same = again.by_model()[model]
                assert pb.log_loss(same) == pytest.approx(pb.log_loss(part), rel=1e-12)
        counted, error = read_or_error(pb.read, tmp_path / name, engine="counts", attributes=[])
        assert error.code == "not-countable" if error else counted.reading == data.reading


@pytest.mark.parametrize(
    "several",
    [
        (names.OWN_TRUTH, names.SURE_TRUTH, names.TRUTH, names.NOT_TRUTH),
        (names.OWN_PROB, names.NOT_PROB, names.MARGIN),
        (names.MODEL, names.RUN, names.ROW, names.FOLD, names.REPEAT, names.SPLIT),
        (names.COUNTS, names.WEIGHT, names.SURE_WEIGHT, names.TIMES),
        (names.BAD, names.GOOD),
    ],
)
def test_tables_of_names_are_disjoint(several):
    """A name in two tables of one decision would mean whatever is looked up first."""
    for place, one in enumerate(several):
        for other in several[place + 1 :]:
            assert not one & other


def test_an_id_that_recurs_is_named():
    """Its rows may belong together; with a model beside it they are those of models."""
    table = pa.table(
        {"loan_id": [1, 1, 2, 2], "default": [0, 0, 1, 1], "score": [0.1, 0.1, 0.8, 0.8]}
    )
    with pytest.warns(pb.PlumblineWarning, match="'loan_id' recurs: 4 rows of 2"):
        assert pb.Predictions.from_frame(table).reading.recurs == "loan_id"
    models = table.append_column("model", pa.array(["xgb", "rf"] * 2))
    assert pb.Predictions.from_frame(models).reading.parts["row"] == "loan_id"


@pytest.mark.parametrize("name", ["patient", "Subject", "user", "question", "Kunde"])
def test_a_unit_of_several_rows_is_named_without_the_word_id(name):
    """Where there are more of them than kinds, and no model explains why they come again."""
    unit = np.repeat(np.arange(30), 2)
    columns = {"died": unit % 2, "score": np.round(0.01 * unit + 0.2, 3)}
    text = pa.array([f"u{one}" for one in unit])
    with pytest.warns(pb.PlumblineWarning, match=f"'{name}' recurs: 60 rows of 30"):
        data = pb.Predictions.from_frame(pa.table({name: text, **columns}))
    assert data.reading.recurs == name
    assert unasked_attributes(data) == ()
    few = pa.table({name: pa.array([f"u{one % 4}" for one in unit]), **columns})
    assert pb.Predictions.from_frame(few).reading.recurs is None
    alone = pa.table({name: pa.array([f"u{one}" for one in range(60)]), **columns})
    assert pb.Predictions.from_frame(alone).reading.recurs is None
    models = pa.table({name: text, "llm": pa.array(["opus-4", "mini"] * 30), **columns})
    reading = pb.Predictions.from_frame(models).reading
    assert reading.recurs is None
    assert reading.parts == {"model": "llm", "row": name}


def test_words_for_a_missing_value_are_missing_in_categories_too(tmp_path):
    """A text column is read alike as texts, as categories, and from Parquet."""
    answers = pa.array(["yes", "no", "nan", "yes"] * 6)
    prob = pa.array(np.random.default_rng(1).random(24))
    for truth in (answers, answers.dictionary_encode()):
        table = pa.table({"churned": truth, "score": prob})
        parquet.write_table(table, tmp_path / "t.parquet")
        for read, source in ((pb.Predictions.from_frame, table), (pb.read, tmp_path / "t.parquet")):
            with refused(UnclearColumns, "value-missing", "churned"):
                read(source)
            assert read(source, missing="drop").n == 18


def test_a_mark_in_one_row_of_an_id_names_the_true_class():
    """One row a class with 0 and 1 as the truth is the table with a column a class."""
    rng = np.random.default_rng(2)
    prob = rng.dirichlet(np.ones(3), 20)
    true = rng.integers(0, 3, 20)
    long = pa.table(
        {
            "image_id": np.repeat(np.arange(20), 3),
            "species": ["cat", "dog", "fox"] * 20,
            "prob": prob.ravel(),
            "is_true": (true[:, None] == np.arange(3)).ravel().astype(int),
        }
    ).take(pa.array(rng.permutation(60)))
    names = np.array(["cat", "dog", "fox"])
    wide = {f"p:{name}": prob[:, place] for place, name in enumerate(names)}
    data = pb.Predictions.from_frame(long)
    assert data.reading.parts == {"row": "image_id", "class": "species"}
    same = pb.Predictions.from_frame(pa.table({"actual": names[true], **wide}))
    assert pb.log_loss(data) == pytest.approx(pb.log_loss(same), rel=1e-12)
    marks = long.column("is_true").cast(pa.float64())  # as pandas has them beside a missing value
    floats = pb.Predictions.from_frame(long.set_column(3, "is_true", marks))
    assert floats.actual.tolist() == data.actual.tolist()


def test_a_row_predicted_in_several_repeats_is_one_row():
    """An ID that recurs only between repeats is the row; so it is known which rows are the same."""
    repeats = {"cv_repeat": [0, 0, 1, 1], "sample_idx": [3, 5, 5, 3]}
    table = pa.table({**repeats, "y": [0, 1, 1, 0], "prob": [0.1, 0.8, 0.7, 0.3]})
    reading = pb.Predictions.from_frame(table).reading
    assert reading.parts == {"repeat": "cv_repeat", "row": "sample_idx"}
    assert reading.recurs is None


def test_two_truths_with_a_probability_each_are_offered_both():
    """Which of two models is meant is never told by which name is better known."""
    rng = np.random.default_rng(3)
    table = {}
    for name in ("zeta", "xgb"):
        table[f"{name}_confidence"] = rng.random(30)
        table[f"{name}_correct"] = rng.integers(0, 2, 30)
    with pytest.raises(UnclearColumns) as refusal:
        pb.Predictions.from_frame(pa.table(table))
    assert {one.actual for one in refusal.value.readings} == {"zeta_correct", "xgb_correct"}


def test_the_same_rows_under_each_value_of_an_id_are_models():
    """An ID that numbers models is asked for, though its name says that it numbers rows."""
    rng = np.random.default_rng(4)
    truth, prob = np.tile(rng.integers(0, 2, 30), 2), rng.random(60)
    table = pa.table({"run_id": [1] * 30 + [2] * 30, "y": truth, "prob": prob})
    with refused(UnclearColumns, "column-unclear", "run_id"):
        pb.Predictions.from_frame(table)


@pytest.mark.parametrize("prob", ["y_prob", "y_proba"])
def test_columns_beside_known_names_play_the_parts_of_any_table(prob):
    """Whether the probability has the one or the other name: IDs, folds, models, predictions."""
    rng = np.random.default_rng(4)
    p = rng.uniform(size=40).round(3)
    table = {"y_true": (rng.uniform(size=40) < p).astype(int), prob: p, "id": np.arange(40)}
    table |= {"cv_fold": np.arange(40) % 4, "y_pred": (p > 0.5).astype(int)}
    reading = pb.Predictions.from_frame(pa.table(table)).reading
    assert reading.parts == {"row": "id", "fold": "cv_fold", "predicted": "y_pred"}
    assert not reading.own
    assert "row = id" in str(reading)


@pytest.mark.parametrize("how", [{"scale": 100}, {"logits": True}])
def test_a_scale_is_that_of_every_column_or_said(how):
    """Columns of two scales are refused; those that lie in [0, 1] already are said."""
    rng = np.random.default_rng(4)
    p = rng.uniform(0.05, 0.95, 40)
    y = (rng.uniform(size=40) < p).astype(int)
    other = 100 * p if "scale" in how else np.log(p / (1 - p))
    table = pa.table({"default": y, "logreg": p, "boosting": other})
    models = {"actual": "default", "prob": ["logreg", "boosting"]}
    with refused(pb.errors.InputError, "scales-differ", "logreg"):
        pb.Predictions.from_frame(table, **models, **how)
    with warned("scale-unneeded", "logreg"):
        pb.Predictions.from_frame(table, actual="default", prob="logreg", **how)
    data = pb.Predictions.from_frame(table, actual="default", prob="boosting", **how)
    np.testing.assert_allclose(data.prob[:, 1], p)


@pytest.mark.laws
def test_the_order_of_columns_does_not_matter():
    """A table whose columns stand the other way round has the same reading, or the same refusal."""

    def said(table):
        try:
            reading = decide(columns_of(table))
        except UnclearColumns as refusal:
            return refusal.code
        return reading.actual, {*reading.prob}, reading.shape, reading.positive, reading.parts

    for one in invented()[:: 1 if ALL else 5]:
        table = table_of(one)
        if len({*table.column_names}) == table.num_columns:
            assert said(table) == said(table.select(table.column_names[::-1])), one["name"]


@pytest.mark.parametrize("stem", ["feature", "x", "pc", "embedding", "dim"])
def test_features_that_are_numbered_are_no_logits_of_the_classes(stem):
    """Beside a probability that is named, whatever the features are called."""
    rng = np.random.default_rng(4)
    p = rng.uniform(size=60).round(3)
    table = {"default": (rng.uniform(size=60) < p).astype(int), "score": p}
    table |= {f"{stem}_{number}": rng.normal(size=60) for number in range(4)}
    reading = pb.Predictions.from_frame(pa.table(table)).reading
    assert (reading.actual, reading.prob) == ("default", (("score", None),))


def test_each_of_two_truths_is_offered_with_its_own_probability():
    """The confidence of one model says nothing of whether another was right."""
    rng = np.random.default_rng(3)
    table = {}
    for name in ("gpt", "llama"):
        table[f"{name}_correct"], table[f"{name}_conf"] = rng.integers(0, 2, 30), rng.random(30)
    with pytest.raises(UnclearColumns) as refusal:
        pb.Predictions.from_frame(pa.table(table))
    pairs = [(one.actual, [name for name, _ in one.prob]) for one in refusal.value.readings]
    assert pairs == [("gpt_correct", ["gpt_conf"]), ("llama_correct", ["llama_conf"])]


def test_columns_that_sum_to_1_are_offered_as_the_classes_in_their_order():
    """Labels from 1 on, and columns numbered from 0 on."""
    table = {"label": [1, 2, 3] * 5} | {
        f"p{j}": [share] * 15 for j, share in enumerate((0.2, 0.3, 0.5))
    }
    with refused(UnclearColumns, "classes-missing", "p0") as refusal:
        pb.Predictions.from_frame(pa.table(table))
    (reading,) = refusal.value.readings
    assert pb.Predictions.from_frame(pa.table(table), **reading.arguments()).k == 3


def test_a_class_called_as_a_missing_value_is_named():
    """It may be one, or a class: only the user knows."""
    table = {"status": ["good", "bad", "NA"] * 5, "score": [0.2, 0.3, 0.5] * 5}
    with refused(UnclearColumns, "classes-missing", "leave 'NA' empty"):
        pb.Predictions.from_frame(pa.table(table))


def test_a_rating_is_offered_and_taken_as_one():
    """With and without a word about the truth."""
    table = pa.table({"correct": [0, 1, 1, 0] * 5, "rating": [1, 9, 7, 4] * 5})
    with refused(UnclearColumns, "scale-unclear", "a rating?") as refusal:
        pb.Predictions.from_frame(table)
    (reading,) = refusal.value.readings
    for how in (reading.arguments(), {"rename": {"rating": "score"}}):
        assert pb.Predictions.from_frame(table, **how).score is not None
    assert "?." not in str(refusal.value)


def test_a_header_of_numbers_and_one_label_is_a_row():
    """The text is a label of its column; a name among numbers of classes is none."""
    p = np.random.default_rng(5).random(20)
    labels = ["yes", "no"] * 10
    with refused(UnclearColumns, "no-header", "0.91", "yes") as raised:
        pb.Predictions.from_frame(pa.table({"0.91": p, "yes": labels}))
    assert dict(raised.value.extra)["names"] == ["y_prob", "y_true"]
    named = pa.table({"0": 1 - p, "1": p, "label": [0, 1] * 10})
    assert pb.Predictions.from_frame(named).reading.shape == "classes"


def test_iterations_that_part_the_rows_are_folds():
    """As those of mlr3; where an ID recurs, or all labels come as often, they are repeats."""
    rng = np.random.default_rng(6)
    p = rng.random(60)
    y = rng.random(60) < p
    table = {"row_ids": rng.permutation(60), "iteration": np.repeat(range(5), 12)}
    table |= {"truth": np.where(y, "yes", "no"), "prob.no": 1 - p, "prob.yes": p}
    assert pb.Predictions.from_frame(pa.table(table)).reading.parts["fold"] == "iteration"
    truth = {"truth": np.tile(table["truth"][:12], 5)}
    for more in (truth | {"row_ids": np.tile(range(12), 5)}, truth):
        parts = pb.Predictions.from_frame(pa.table(table | more)).reading.parts
        assert parts["repeat"] == "iteration"


@pytest.mark.parametrize("written", [float, lambda value: f"{value:.1f} %"])
def test_percent_of_several_models_is_offered_as_models(written):
    """By names of known models, or by the sign under any; never one of them alone first."""
    p = np.random.default_rng(7).random(40)
    y = np.random.default_rng(8).random(40) < p
    columns = {"logreg": [written(100 * one) for one in p], "xgb": [written(90 * one) for one in p]}
    with refused(UnclearColumns, "scale-unclear", "logreg", "xgb") as raised:
        pb.Predictions.from_frame(pa.table({"label": y, **columns}))
    first = raised.value.readings[0].arguments()
    data = pb.Predictions.from_frame(pa.table({"label": y, **columns}), **first)
    assert data.models == ("logreg", "xgb")
    assert data.by_model()["logreg"].prob[:, 1] == pytest.approx(p, abs=6e-4)


def test_lists_of_labels_with_numbers_are_columns_of_classes(tmp_path):
    """Whatever the order in a row, and as a map; lists of some labels stay nested."""
    p = np.random.default_rng(9).random(30)
    y = np.where(np.random.default_rng(10).random(30) < p, "pos", "neg")
    pairs = [[("pos", one), ("neg", 1 - one)][:: 1 if j % 2 else -1] for j, one in enumerate(p)]
    objects = [[{"label": name, "score": value} for name, value in row] for row in pairs]
    tables = [pa.table({"y": y, "preds": objects})]
    tables.append(pa.table({"y": y, "preds": pa.array(pairs, pa.map_(pa.string(), pa.float64()))}))
    lines = [
        json.dumps({"y": one, "preds": row}) for one, row in zip(y.tolist(), objects, strict=True)
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(lines), "utf-8")
    parquet.write_table(tables[0], tmp_path / "t.parquet")
    read = [*map(pb.Predictions.from_frame, tables)]
    read += [pb.read(tmp_path / name) for name in ("t.jsonl", "t.parquet")]
    for data in read:
        assert dict(data.reading.prob) == {"preds.neg": "neg", "preds.pos": "pos"}
        assert data.prob[:, data.classes.index("pos")] == pytest.approx(p)
    some = [row[: 1 + j % 2] for j, row in enumerate(objects)]
    with refused(UnclearColumns, "columns-unknown"):
        pb.Predictions.from_frame(pa.table({"y": y, "preds": some}))


def test_models_of_an_unknown_positive_class_are_offered_for_either():
    """What two columns of known models are is clear; which class they are of is asked alone."""
    rng = np.random.default_rng(10)
    columns = {"new_model": rng.random(40), "old_model": rng.random(40)}
    table = pa.table({"outcome": rng.choice(["stayed", "moved"], 40), **columns})
    with pytest.raises(UnclearColumns) as refusal:
        pb.Predictions.from_frame(table)
    offered = [one.arguments() for one in refusal.value.readings]
    assert [one["positive"] for one in offered] == ["moved", "stayed"]
    for one in offered:
        assert pb.Predictions.from_frame(table, **one).models == ("new_model", "old_model")


def test_none_is_the_negative_class_beside_any_other():
    """As in a column of relapses."""
    rng = np.random.default_rng(11)
    table = {"outcome": rng.choice(["none", "relapse"], 40), "risk": rng.random(40)}
    data = pb.Predictions.from_frame(pa.table(table))
    assert data.classes[data.positive] == "relapse"


def test_the_only_column_of_two_values_is_offered_as_the_truth():
    """Where no name is known; numbers outside [0, 1] are percent, or a rating that only ranks."""
    table = {
        "case": np.arange(90) // 3,
        "reader": np.tile(["A", "B", "C"], 30),
        "malignant": np.arange(90) % 2,
        "suspicion": np.arange(90)[::-1],
    }
    offered = (
        ["--actual", "malignant", "--prob", "suspicion", "--scale", "100"],
        ["--actual", "malignant", "--rename", "suspicion=score"],
    )
    for said, code in (({}, "columns-unknown"), ({"actual": "malignant"}, "scale-unclear")):
        with refused(UnclearColumns, code) as raised:
            pb.Predictions.from_frame(pa.table(table), **said)
        assert tuple(one.options() for one in raised.value.readings) == offered


def test_a_measurement_is_no_class():
    """Millimetres of rain named as the truth: a limit makes two classes of them."""
    rain = np.round(np.linspace(0, 9, 60), 1)
    table = pa.table({"rain_mm": np.repeat(rain, 3), "p": np.linspace(0, 1, 180)})
    with refused(pb.InputError, "numbers-as-classes", "numbers with fractions"):
        pb.Predictions.from_frame(table, actual="rain_mm", prob="p")


@pytest.mark.parametrize("said", [{}, {"actual": "is_correct"}])
def test_several_answers_to_a_question_are_no_repeats(said):
    """Each is right or wrong by itself; a repeat predicts rows again whose truth stays."""
    rng = np.random.default_rng(3)
    right = rng.random(90) < 0.6
    table = {
        "question": np.repeat(np.arange(30), 3),
        "sample": np.tile(range(3), 30),
        "is_correct": right,
        "p_true": rng.random(90),
    }
    reading = pb.Predictions.from_frame(pa.table(table), **said).reading
    assert reading.recurs == "question"
    assert not {"repeat", "row"} & {*reading.parts}
    of_one_model = pa.table(table | {"model": ["m"] * 90})
    assert pb.Predictions.from_frame(of_one_model, **said).reading.unexplained == "question"
    same = pa.table(table | {"is_correct": np.repeat(right[:30], 3)})
    parts = pb.Predictions.from_frame(same, **said).reading.parts
    assert (parts["repeat"], parts["row"]) == ("sample", "question")


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("part", ["fold", "repeat", "model", None])
@pytest.mark.parametrize("visits", [1, 3])
def test_an_id_is_noted_where_it_recurs_within_what_parts_its_rows(own, part, visits):
    """Patients with several visits depend in each fold, repeat and model; those with one do not."""
    rng = np.random.default_rng(4)
    names = ("y_true", "y_prob") if own else ("died", "risk")
    times = 1 if part is None else 4
    one = {
        "patient_id": np.repeat(np.arange(40), visits),
        names[0]: rng.integers(0, 2, 40 * visits),
    }
    table = {name: np.tile(values, times) for name, values in one.items()}
    table[names[1]] = rng.random(40 * visits * times).round(3)
    if part is not None:
        table[part] = np.repeat([f"m{j}" if part == "model" else j for j in range(4)], 40 * visits)
    reading = pb.Predictions.from_frame(pa.table(table)).reading
    assert reading.unexplained == ("patient_id" if visits > 1 else None)


def test_visits_in_folds_by_patient_are_noted():
    """Each patient is in one fold with all visits, which says nothing about its visits."""
    patient = np.repeat(np.arange(60), 5)
    rng = np.random.default_rng(5)
    table = {"patient_id": patient, "fold": patient % 5, "y_true": rng.integers(0, 2, 300)}
    table |= {"y_prob": rng.random(300)}
    with warned("rows-repeat", "patient_id", "300 rows of 60"):
        pb.Predictions.from_frame(pa.table(table))


@pytest.mark.parametrize(
    ("name", "mean", "wanted"),
    [
        *((name, 1, "weight") for name in ("sampling_weight", "Design Weight", "survey_wt")),
        *((name, 1700, "weight") for name in ("ipcw_weight", "case_weight", "Sampling.Weight")),
        *((name, 1, "asked") for name in ("person_weight", "final weight", "wt", "ipw")),
        *((name, 3.4, "none") for name in ("birth_weight", "item_weight", "final_weight")),
        *((name, 1700, "asked") for name in ("fnlwgt", "pspwght")),
        *((name, 1, "none") for name in ("weightless", "weight_class", "size")),
    ],
)
def test_weights_of_a_survey_are_never_ignored_in_silence(name, mean, wanted):
    """They are taken by their whole name, else asked about by a name or by their mean 1."""
    rng = np.random.default_rng(6)
    weight = np.exp(rng.normal(0, 0.5, 80))
    table = {"voted": rng.integers(0, 2, 80), "pred_vote": rng.random(80).round(3)}
    table = pa.table(table | {name: weight / weight.mean() * mean})
    data, refusal = read_or_error(pb.Predictions.from_frame, table)
    if wanted == "asked":
        parts = {one.parts.get("weight") for one in refusal.readings}
        assert parts == {name, None}
    else:
        assert data.reading.parts.get("weight") == (name if wanted == "weight" else None)
