"""Maps as SQL, Python and ONNX: what databases and interpreters answer is what the map answers."""

import json
import re
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx.reference import ReferenceEvaluator

import plumbline as pb
from laws import examples
from plumbline.errors import MissingExtraError, ParameterError
from plumbline.recalibration import (
    Logistic,
    OneVsRest,
    PiecewiseLinear,
    Softmax,
    Spline,
    Steps,
    Unchanged,
)
from plumbline.recalibration.export.dialects import DIALECTS
from refusals import refused

PAGE = Path(__file__).parents[2] / "docs" / "recalibration_services.md"
HOSTILE = ('a"b', "x'y`]", 'no\n"; DROP TABLE predictions; --', "ü\\n{}%s\u2028*/", "[0]'''\"\"\"")


def map_of(form, classes=("no", "yes"), *, on="probability", positive=None):
    """Return a map of a form, as if a method had fitted it."""
    return pb.RecalibrationMap(
        method="isotonic",
        classes=classes,
        on=on,
        form=form,
        several=None,
        parameters=1,
        n=1000,
        effective_n=1000.0,
        positive=positive or (classes[-1] if len(classes) == 2 else None),
        remembered=None,  # no question here is about rows
    )


def event_map(form, **others):
    """Return the map of two classes that a form of one event is."""
    return map_of(OneVsRest((form,)), **others)


def steps(rng, count):
    """Return steps between scores that are also asked for."""
    return Steps(
        np.sort(rng.choice(np.arange(1, 4096) / 4096, count - 1, replace=False)), rng.random(count)
    )


def line(rng, count):
    """Return a rising line with flat stretches."""
    knots = np.sort(rng.choice(np.arange(1, 16384) / 16384, count, replace=False))
    return PiecewiseLinear(knots, np.sort(rng.integers(0, count, count)) / count)


def spline(least=-3.0):
    """Return a natural spline through four points."""
    return Spline(
        least + np.array([0.0, 2.0, 4.5]),
        np.array([[-2.0, 1.0, 0.0, -0.05], [-0.4, 0.4, -0.3, 0.04]]),
    )


def events(rng):
    """Return one form of every kind, few and many pieces."""
    return [
        Steps(np.empty(0), np.array([0.3])),
        steps(rng, 7),
        steps(rng, 300),
        PiecewiseLinear(np.array([0.4]), np.array([0.3])),
        line(rng, 5),
        line(rng, 200),
        Logistic(0.1, value=0.5),
        Logistic(-0.1, log_odds=2.0),
        Logistic(0.2, log=1.5, log_rest=-0.7),
        Logistic(0.3),
        spline(),
        Unchanged(),
    ]


def pairs(rng, rows=60):
    """Return probabilities of two classes: ends, ties with breaks, and anything."""
    p = rng.integers(0, 4097, rows) / 4096
    p[:4] = 0, 1, 1e-300, np.nextafter(1, 0)
    return np.column_stack([1 - p, p])


def triples(rng, rows=40):
    """Return probabilities of three classes, some of them 0."""
    prob = rng.dirichlet([0.5] * 3, rows)
    prob[:3] = [1, 0, 0], [0, 0.5, 0.5], [1 - 1e-20, 1e-20, 0]
    return prob


def whole_cases(rng):
    """Yield maps of three classes and of ratings, with what they are asked."""
    three, forms = ("a", "b", "c"), events(rng)
    P, R, ratings = triples(rng), rng.normal(size=(30, 3)) * 60, rng.normal(size=40) * 90
    for chosen in zip(forms, forms[4:], forms[7:], strict=False):
        yield map_of(OneVsRest(chosen), three), P
    yield map_of(OneVsRest((Unchanged(),) * 3), three), P
    none = Steps(np.array([0.5]), np.array([0.0, 1.0]))
    yield map_of(OneVsRest((none,) * 3), three), P
    yield (
        map_of(
            OneVsRest((spline(), Logistic(0.1, log_odds=0.1), steps(rng, 3))), three, on="score"
        ),
        R,
    )
    for weights in (np.array(0.7), rng.random(3), rng.normal(size=(3, 3))):
        for centred in (False, True):
            form = Softmax(weights, rng.normal(size=3), centred)
            yield map_of(form, three), P
            yield map_of(form, three, on="score"), R
    for positive in ("no", "yes"):
        softmax = Softmax(rng.normal(size=(2, 2)), rng.normal(size=2))
        yield map_of(softmax, positive=positive), pairs(rng)
        yield map_of(softmax, positive=positive, on="score"), ratings
        for form in (steps(rng, 5), Logistic(0.1, log_odds=0.2), spline()):
            yield event_map(form, positive=positive, on="score"), ratings


def raised_cases(rng):
    """Yield maps that count small probabilities as their least one, with what they are asked."""
    three = ("a", "b", "c")
    for form in (Logistic(0.2, log=1.5, log_rest=-0.7), Logistic(0.1, log_odds=1.2), spline()):
        yield replace(event_map(form), least=0.01), pairs(rng)
    logistic = OneVsRest((spline(), Logistic(0.1, log_odds=0.5), Unchanged()))
    for form in (logistic, Softmax(rng.random(3), rng.normal(size=3), centred=True)):
        yield replace(map_of(form, three), least=0.02), triples(rng)


def all_cases():
    """Return maps of every form, each with what it is asked."""
    rng = np.random.default_rng(7)
    two = [
        (event_map(form, positive=positive), pairs(rng))
        for form in events(rng)
        for positive in ("no", "yes")
    ]
    return [*two, *whole_cases(rng), *raised_cases(rng)]


CASES = all_cases()


def columns_of(fitted, values):
    """Return the columns a table has for a map, by name."""
    if values.ndim == 1:
        return {"score": values}
    mark = "p" if fitted.on == "probability" else "score"
    return {f"{mark}:{name}": values[:, j] for j, name in enumerate(fitted.classes)}


def database(dialect):
    """Return an empty database that reads a dialect."""
    if dialect == "sqlite":
        return sqlite3.connect(":memory:")
    return duckdb.connect(config={"threads": 1})


def filled(connection, columns):
    """Make the table `predictions`: an id, and a row of nothing at the end."""
    arrays = {name: [*map(float, values), None] for name, values in columns.items()}
    table = pa.table({"id": range(len(next(iter(arrays.values())))), **arrays})
    connection.execute("DROP TABLE IF EXISTS predictions")
    if isinstance(connection, sqlite3.Connection):
        names = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in table.column_names)
        connection.execute(f"CREATE TABLE predictions ({names})")
        marks = ", ".join("?" * table.num_columns)
        rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
        connection.executemany(f"INSERT INTO predictions VALUES ({marks})", rows)
    else:
        connection.register("given", table)
        connection.execute("CREATE TABLE predictions AS SELECT * FROM given")
    return connection


def asked(connection, sql):
    """Return the names of a query's columns and its rows, by id."""
    cursor = connection.execute(sql)
    return [column[0] for column in cursor.description], sorted(cursor.fetchall())


def run_sql(fitted, values, dialect, connection):
    """Return what a database answers; a row of NULL must give NULL, and all columns come back."""
    columns = columns_of(fitted, values)
    names, rows = asked(filled(connection, columns), fitted.to_sql(dialect))
    k = len(fitted.classes)
    assert names == ["id", *columns, *(f"q:{name}" for name in fitted.classes)]
    assert len(rows) == len(values) + 1
    assert rows[-1][-k:] == (None,) * k
    return np.array([row[-k:] for row in rows[:-1]])


def run_python(fitted, values):
    """Return what the written module answers, row by row."""
    module = {}
    exec(compile(fitted.to_python("mended"), "map.py", "exec"), module)  # noqa: S102
    return np.array([module["mended"](row) for row in values])


def run_onnx(model, values):
    """Return what the interpreter of the format answers."""
    given = values if values.ndim == 2 else values[:, None]
    return ReferenceEvaluator(model).run(None, {model.graph.input[0].name: given})[0]


def near(fitted, values):
    """Return what the map answers, up to rounding."""
    return pytest.approx(fitted.transform(values), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_databases_answer_what_the_map_answers(dialect):
    """Every form, both places of the positive class, probabilities and ratings."""
    connection = database(dialect)
    for fitted, values in CASES if dialect == "sqlite" else CASES[::3]:
        assert run_sql(fitted, values, dialect, connection) == near(fitted, values), fitted
    connection.close()


@pytest.mark.parametrize("dialect", ["ansi", "postgres"])
def test_lateral_subqueries_answer_the_same(dialect):
    """Dialects without a database here are written as DuckDB reads them too, or nearly."""
    connection = database(dialect)
    for fitted, values in CASES[::9]:
        assert run_sql(fitted, values, dialect, connection) == near(fitted, values), fitted
    connection.close()


def test_the_module_of_python_answers_what_the_map_answers():
    """Every form, to the last bits."""
    for fitted, values in CASES:
        want = pytest.approx(fitted.transform(values), rel=1e-13, abs=1e-15)
        assert run_python(fitted, values) == want, fitted


def test_the_onnx_model_answers_what_the_map_answers():
    """Every form; NaN stays NaN in its row alone."""
    for fitted, values in CASES:
        holed = np.concatenate([values, np.full_like(values[:1], np.nan)])
        result = run_onnx(fitted.to_onnx(), holed)
        assert result[:-1] == near(fitted, values), fitted
        assert np.isnan(result[-1]).all()


def test_ten_thousand_knots_are_looked_up():
    """As many as isotonic regression of a large table gives, in both databases."""
    rng = np.random.default_rng(3)
    fitted, values = event_map(line(rng, 10_000)), pairs(rng, 300)
    for dialect in ("sqlite", "duckdb"):
        connection = database(dialect)
        assert run_sql(fitted, values, dialect, connection) == near(fitted, values)
        connection.close()


@settings(max_examples=examples(10))
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=80, unique=True), st.booleans())
def test_a_score_on_a_break_falls_on_its_side(breaks, line_through):
    """At every break and beside it, the piece is that of the map, few or many breaks."""
    breaks = np.sort(breaks)
    rising = np.linspace(0, 1, len(breaks) + 1)
    form = PiecewiseLinear(breaks, rising[1:]) if line_through else Steps(breaks, rising)
    ratings = np.unique([breaks, np.nextafter(breaks, -np.inf), np.nextafter(breaks, np.inf)])
    fitted = event_map(form, on="score")
    want = fitted.transform(ratings)
    connection = database("sqlite")
    by_query = run_sql(fitted, ratings, "sqlite", connection)
    connection.close()
    for result in (by_query, run_python(fitted, ratings), run_onnx(fitted.to_onnx(), ratings)):
        np.testing.assert_allclose(result, want, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_names_cannot_break_out_of_the_query(dialect):
    """Quotes, ends of lines and foreign letters in names of classes stay names."""
    prob = np.random.default_rng(1).dirichlet(np.ones(len(HOSTILE)), 5)
    fitted = map_of(Softmax(np.array(0.5), np.zeros(len(HOSTILE))), HOSTILE)
    connection = database(dialect)
    assert run_sql(fitted, prob, dialect, connection) == near(fitted, prob)
    connection.close()


def test_names_cannot_break_out_of_the_module():
    """The written module holds them as texts, and nothing else."""
    fitted = map_of(Softmax(np.array(0.5), np.zeros(len(HOSTILE))), HOSTILE)
    text = fitted.to_python()
    assert text.isascii()
    module = {}
    exec(compile(text, "map.py", "exec"), module)  # noqa: S102
    assert module["CLASSES"] == HOSTILE


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_quotes_names(dialect):
    """No sign that ends a name stands in one as it is, and comments end with their line."""
    fitted = map_of(Softmax(np.array(0.5), np.zeros(2)), ("no", HOSTILE[2]))
    sql = fitted.to_sql(dialect, table='my schema.ta`b"l]e')
    head, body = sql.split("SELECT", 1)
    assert all(line.startswith("-- ") for line in head.splitlines()[:3])
    quoted = DIALECTS[dialect].quoted
    assert f"{quoted('my schema')}.{quoted('ta`b' + chr(34) + 'l]e')}" in sql
    bare = body.replace(quoted(f"p:{HOSTILE[2]}"), "").replace(quoted(f"q:{HOSTILE[2]}"), "")
    assert "DROP" not in bare


def test_of_two_classes_the_positive_column_is_enough():
    """A table with one column of probabilities: the other is 1 minus it."""
    p = np.array([0.0, 0.125, 0.5, 1.0])
    fitted = event_map(Logistic(0.3, log_odds=1.5), positive="no")
    for dialect in ("sqlite", "duckdb"):
        connection = filled(database(dialect), {"risk": p})
        for columns in ("risk", {"no": "risk"}):
            names, rows = asked(connection, fitted.to_sql(dialect, columns=columns))
            assert names == ["id", "risk", "q:no", "q:yes"]
            assert np.array(rows[:-1])[:, 2:] == near(fitted, p)
        connection.close()
    assert run_python(fitted, p) == near(fitted, p)


def test_what_is_no_probability_becomes_null_or_an_error():
    """Neither query nor module makes up an answer."""
    fitted = event_map(steps(np.random.default_rng(0), 4))
    connection = filled(database("duckdb"), {"p:yes": np.array([-0.1, 1.5, np.nan, 0.5])})
    _, rows = asked(connection, fitted.to_sql("duckdb"))
    assert [row[-1] is None for row in rows] == [True, True, True, False, True]
    module = {}
    exec(compile(fitted.to_python(), "map.py", "exec"), module)  # noqa: S102
    for wrong in (1.5, np.nan, [0.5, 0.4], [0.2, 0.3, 0.5], []):
        with pytest.raises(ValueError, match="2 numbers"):
            module["calibrate"](wrong)


def test_the_module_needs_nothing_but_python(tmp_path):
    """It runs in an interpreter that sees no packages."""
    fitted = event_map(spline())
    (tmp_path / "service.py").write_text(fitted.to_python(), "utf-8")
    code = "import sys, service; print(service.calibrate(0.25)); print('numpy' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    shares, loaded = run.stdout.splitlines()
    assert json.loads(shares) == pytest.approx(fitted.transform([0.25])[0].tolist(), rel=1e-14)
    assert loaded == "False"


def test_the_model_says_what_it_is():
    """Classes and method stand in the model, which needs no more than the operators of 2021."""
    model = event_map(spline()).to_onnx()
    told = {entry.key: entry.value for entry in model.metadata_props}
    assert told == {
        "classes": '["no", "yes"]',
        "positive": '"yes"',
        "method": "isotonic",
        "on": "probability",
    }
    assert model.opset_import[0].version == 13
    assert [output.name for output in model.graph.output] == ["calibrated"]


def test_without_onnx_the_command_to_install_it_is_said(monkeypatch):
    """The extra is named."""
    monkeypatch.setitem(sys.modules, "onnx", None)
    with refused(MissingExtraError, "missing-package", "plumbline-eval[onnx]"):
        event_map(Unchanged()).to_onnx()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"dialect": "sqlit"}, ("unknown-name", "`dialect`", "'sqlite'")),
        ({"columns": {"maybe": "p"}}, ("unknown-name", "`columns`", "'no'", "'yes'")),
        ({"columns": {}}, ("class-missing", "`columns`", "'yes'")),
        ({"columns": {"yes": "a\0b"}}, ("nul-in-name",)),
        ({"table": ""}, ("nothing-named", "`table`")),
        ({"table": ("a", "")}, ("nothing-named", "`table`")),
    ],
)
def test_sql_of_what_cannot_be_is_refused(how, message):
    """The text says what was wrong."""
    with refused(ParameterError, *message):
        event_map(Unchanged()).to_sql(**how)


OWN = ["WEIGHTS", "BIAS", "BREAKS_0", "PIECES_12", "LEAST"]


@pytest.mark.parametrize("name", ["2x", "a b", "class", "sum", "math", "_x", "x\n", None, *OWN])
def test_a_function_needs_a_name_of_its_own(name):
    """Neither a keyword nor what the module needs itself."""
    with pytest.raises(ParameterError, check=lambda e: e.argument == "function"):
        event_map(Unchanged()).to_python(name)


def test_a_number_is_written_to_the_last_bit():
    """Databases read the same doubles, also where SQLite's reading of the shortest digits errs."""
    rng = np.random.default_rng(0)
    tiny = [2.2250738585072014e-308, 5e-324, -2.5e-310, 1.7976931348623157e308, -1e22, -0.0, 1e15]
    values = [*tiny, *np.exp(rng.uniform(-700, 700, 200)), *np.exp(-rng.uniform(0, 30, 400))]
    for dialect in ("sqlite", "duckdb"):
        connection = database(dialect)
        texts = ", ".join(f"({DIALECTS[dialect].number(float(value))})" for value in values)
        result = [value for (value,) in connection.execute(f"VALUES {texts}").fetchall()]
        connection.close()
        assert all(isinstance(value, float) for value in result)
        assert result == values
        with refused(ParameterError, "map-not-finite"):
            DIALECTS[dialect].number(np.inf)


def test_the_page_about_services_runs():
    """Every block of Python of the documentation does what it says."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) > 3
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})  # noqa: S102
