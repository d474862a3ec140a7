"""Whatever the columns are called, a table is read or refused, the same through every door.

`make test` tries 300 headers drawn at random; `make test-laws` tries 10,000, or as many as HEADERS
says. A table depends on its number alone, so that a failure can be tried again by it.
"""

import csv
import json
import os
import string

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import plumbline as pb
from laws import ALL
from plumbline.errors import PlumblineError

pytestmark = pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
HEADERS = int(os.environ.get("HEADERS", 10_000 if ALL else 200))
SEED = 5
ROWS = 30
NO_TABLE = ("not-utf-8", "one-column", "uneven-lines", "ambiguous-separator")


def words(text):
    """Return the words of a text."""
    return text.split()


RESERVED = words(
    "actual y_true y_prob p: p:yes p:no p:0 p:1 p:a p:b p:c model row fold repeat weight predicted "
    "score score:yes class attribute count index level_0 __index_level_0__ __null_dask_index__"
)
KNOWN = words(
    "y Y target label churn default status correct y_pred prob proba_0 proba_1 p0 p1 p_yes p_no "
    "prob_a prob_b prob_c yes no a b c 0 1 id customer_id id_x cv_fold cv_repeat logit logit_a wt "
    "xgb rf prob_xgb prob_rf pct sex time event epoch system"
)
ODD = [
    *("", " ", "\t", "\n", "a\nb", "\r", '"', "'", '""', "a,b", "a;b", "a\tb", "|", "\\", "`"),
    *("\x00", "\x1b[31m", "\x7f", "\u202e", "\ufeff", "\u200b", "é", "e\u0301", "数", "ß", "İ"),
    *("🎲", "1.5", "-1", "1e5", "٣", "nan", "NaN", "None", "null", "NA", "true", "inf", "=1+1"),
    *("-x", "a=b", "a:b", "a.b", "..", "{}", "%s", "x" * 3000, "p" + ":" * 50, " actual", "Actual"),
    *("actual ", "P:yes", " p:yes", "p: yes", "y_prob.", ".pred_yes", ".pred_no", "P(yes)", "#"),
    *("$(x)", "--actual"),
]


def drawn_names(rng, width):
    """Return names of columns, some of them equal."""
    letters = [*string.printable, "é", "数", "p:", "prob_", "y_", "score", "id", "=", ","]
    several = [
        lambda: rng.choice(RESERVED),
        lambda: rng.choice(KNOWN),
        lambda: ODD[rng.integers(len(ODD))],
        lambda: "".join(rng.choice(letters, rng.integers(1, 5))),
        lambda: rng.choice(KNOWN) + ODD[rng.integers(len(ODD))],
    ]
    odds = rng.choice([[0.2] * 5, [0.4, 0.5, 0.05, 0.05, 0.0], [0.1, 0.8, 0.1, 0.0, 0.0]])
    names = [str(several[rng.choice(5, p=odds)]()) for _ in range(width)]
    return names if rng.random() < 0.1 else [*dict.fromkeys(names)]


def drawn_values(rng):
    """Return a column of any kind, as a list."""
    unit = rng.random(ROWS).round(3)
    labels = rng.choice(["yes", "no"], ROWS)
    values = [
        *(rng.integers(0, 2, ROWS), rng.integers(0, 2, ROWS), unit, unit, unit**3, labels, labels),
        *(rng.choice(["a", "b", "c"], ROWS), np.arange(ROWS), np.arange(ROWS) // 3),
        *(rng.normal(size=ROWS), rng.integers(0, 100, ROWS), np.zeros(ROWS), np.ones(ROWS, int)),
        *(np.where(unit < 0.1, None, labels), np.where(unit < 0.1, None, unit)),
        *(rng.choice(["NA", "nan", "x"], ROWS), [f"{100 * p:.1f}%" for p in unit]),
        *(
            [f"2024-01-{1 + i % 28:02d}" for i in range(ROWS)],
            [f"Fold{i % 5}" for i in range(ROWS)],
        ),
        *(rng.choice(["xgb", "rf"], ROWS), [" "] * ROWS, [None] * ROWS, labels == "yes"),
    ]
    column = values[rng.integers(len(values))]
    return column.tolist() if isinstance(column, np.ndarray) else column


def drawn_table(number):
    """Return names and columns of a table."""
    rng = np.random.default_rng([SEED, number])
    names = drawn_names(rng, int(rng.integers(1, 7)))
    columns = [drawn_values(rng) for _ in names]
    if rng.random() < 0.5:  # a table that would be read alone
        truth, prob = (rng.integers(0, 2, ROWS).tolist(), rng.random(ROWS).round(3).tolist())
        called = [("y_true", "y_prob"), ("actual", "p:1"), ("churned", "score"), ("y", "prob")]
        first, second = called[rng.integers(len(called))]
        kept = [place for place, name in enumerate(names) if name not in (first, second)]
        names = [first, second, *(names[place] for place in kept)]
        return names, [truth, prob, *(columns[place] for place in kept)]
    if len(columns) > 2 and rng.random() < 0.3:  # class columns that sum to 1
        columns[-1] = rng.random(ROWS).round(3).tolist()
        columns[-2] = [round(1 - p, 3) for p in columns[-1]]
    return names, columns


def outcome(read, *source, **how):
    """Return the reading and the number of rows, or the code of the refusal."""
    try:
        data = read(*source, **how)
    except PlumblineError as error:
        return error
    return data.reading, data.n


def written(names, columns, path):
    """Write a table as CSV, quoted where it has to be."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(zip(*[map(as_text, column) for column in columns], strict=True))
    return path


def as_text(value):
    """Return a value as other programs write it."""
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def agree(one, other):
    """Tell whether two doors say the same; a text may be refused as no table before it is read."""
    refused = [isinstance(found, PlumblineError) for found in (one, other)]
    if refused == [False, False]:
        return one == other
    return all(refused) or (refused[1] and other.code in NO_TABLE)


@pytest.mark.laws
@pytest.mark.parametrize("part", range(4))
def test_hostile_headers_are_read_or_refused(part, tmp_path):
    """Frame, CSV, Parquet and JSON lines: never another error, never two readings of one table."""
    for number in range(part, HEADERS, 4):
        names, columns = drawn_table(number)
        arrow = pa.Table.from_arrays([pa.array(column) for column in columns], names=names)
        found = outcome(pb.Predictions.from_frame, arrow)
        doors = {}
        if part == 0:
            frame = pd.DataFrame(dict(enumerate(columns)))
            frame.columns = names
            doors["pandas"] = outcome(pb.Predictions.from_frame, frame)
        elif part == 1:
            parquet.write_table(arrow, tmp_path / "t.parquet")
            doors["parquet"] = outcome(pb.read, tmp_path / "t.parquet")
        elif part == 2:
            doors["csv"] = outcome(pb.read, written(names, columns, tmp_path / "t.csv"))
        elif len({*names}) == len(names):
            rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
            path = tmp_path / "t.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            doors["jsonl"] = outcome(pb.read, path)
        for door, other in doors.items():
            assert agree(found, other), (number, door, names, found, other)


CLASSES = [
    *("😀", "🚀 launch", "🎲 launch", "launch", "é/ü", "e\u0301", "+", "-", "--", "-1", "1", "10"),
    *("数", "数 数", "a b", "a.b", "no", "no b", "not a b", "A", "a", "ß", "x" * 300, "x" * 299),
    *("#1", "C#", "C", "C++", ">50", "<=50", "50", "p", "prob", "class", "score"),
]


@pytest.mark.laws
def test_a_column_named_after_a_class_is_never_read_as_another():
    """Classes of signs and letters, the same but for case or one word, in any order of columns."""
    wrong = []
    for number in range(2_000 if ALL else 150):
        rng = np.random.default_rng([SEED, 1, number])
        k = int(rng.integers(3, 6))
        classes = [str(one) for one in rng.choice(CLASSES, k, replace=False)]
        labels = np.concatenate([np.arange(k), rng.integers(0, k, ROWS - k)])
        shares = rng.dirichlet(np.ones(k), ROWS)
        before = str(rng.choice(["prob_", "p_", "score ", "P.", "prob-"]))
        table = pa.table(
            {"truth": [classes[j] for j in labels]}
            | {before + one: shares[:, j] for j, one in enumerate(classes)}
        )
        try:
            readings = [pb.Predictions.from_frame(table).reading]
        except PlumblineError as error:
            readings = getattr(error, "readings", [])
        for reading in readings:
            named = {column: column.removeprefix(before) for column, _ in reading.prob}
            pairs = {column: label for column, label in reading.prob if label is not None}
            if any(named[column] != label for column, label in pairs.items()):
                wrong.append((number, pairs))
    assert not wrong
