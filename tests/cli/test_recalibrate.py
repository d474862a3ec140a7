"""The command `recalibrate`: a map from one file, applied to another, with what it did."""

import json
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from pyarrow import csv, parquet

import plumbline as pb
from html_pages import undrawn
from plumbline.cli import main
from plumbline.recalibration import METHODS, fit_map
from printed_pages import check_answers

DOCS = Path(__file__).parents[2] / "docs"


def written(folder, name, n, seed, *, labelled=True, **others):
    """Write rows whose log-odds are three times too large; return their true chances."""
    rng = np.random.default_rng(seed)
    p_true = rng.uniform(size=n)
    bold = p_true**3 / (p_true**3 + (1 - p_true) ** 3)
    actual = np.where(rng.uniform(size=n) < p_true, "rain", "dry")
    data = pb.Predictions.from_arrays(actual, bold, classes=["dry", "rain"], **others)
    data.write(folder / name)
    if not labelled:
        lines = (folder / name).read_text().splitlines()
        place = lines[0].split(",").index('"actual"')
        kept = [",".join(c for j, c in enumerate(line.split(",")) if j != place) for line in lines]
        (folder / name).write_text("\n".join(kept) + "\n")
    return p_true


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> Path:
    """Return a folder with the files that the examples in the help text name."""
    folder = tmp_path_factory.mktemp("mended")
    written(folder, "holdout.csv", 300, 1)
    written(folder, "new.csv", 200, 2)
    place = {"attributes": {"place": np.resize(["coast", "hills"], 90)}}
    written(folder, "batch.csv", 90, 3, labelled=False, row=np.arange(90), **place)
    written(folder, "models.csv", 200, 4, model=np.repeat(["bold", "other"], 100))
    fit_map(pb.read(folder / "holdout.csv"), "temperature").save(folder / "map.json")
    return folder


@pytest.fixture
def here(samples, tmp_path, monkeypatch) -> Path:
    """Work in a folder of one's own that holds the sample files."""
    for file in samples.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def _two_methods(monkeypatch):
    """Let `auto` try two methods alone, which is quicker than all."""
    from plumbline import advisor

    whole = advisor.recalibration_advice
    monkeypatch.setattr(
        advisor,
        "recalibration_advice",
        lambda data, **params: whole(data, **params | {"methods": ["temperature", "isotonic"]}),
    )


def invoke(*words):
    """Run the command line and return what it did."""
    return CliRunner().invoke(main, list(words), catch_exceptions=False)


def answer(*words: str) -> dict:
    """Return the one entry of --json, read strictly: no NaN, no Infinity."""
    tested = "--apply" in words or "--method" not in words  # a named method is only fitted
    result = invoke("recalibrate", *words, *(["--resamples", "19"] if tested else []), "--json")
    assert result.exit_code == 0, result.stderr
    whole = json.loads(result.stdout, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    assert whole["command"] == "recalibrate"
    (entry,) = whole["results"]
    return entry


@pytest.mark.usefixtures("_two_methods")
def test_the_answer_is_the_librarys(here):
    """Map, advice and effect of --json are those of the library, and so is the mended file."""
    entry = answer("holdout.csv", "--apply", "new.csv", "--out", "mended.parquet")
    fit, new = pb.read("holdout.csv"), pb.read("new.csv")
    advice = pb.recalibration_advice(fit, methods=["temperature", "isotonic"], resamples=19)
    fitted = pb.recalibrate(fit, advice.chosen)
    effect = pb.recalibration_effect(fitted, new, resamples=19)
    assert entry["advice"] == advice.to_dict()
    assert entry["effect"] == effect.to_dict()
    assert {name: entry[name] for name in fitted.to_dict()} == fitted.to_dict()
    assert (entry["out"], entry["maps"]) == ("mended.parquet", [])
    assert np.array_equal(pb.read(here / "mended.parquet").prob, fitted(new).prob)


@pytest.mark.usefixtures("here", "_two_methods")
def test_seed_and_workers_are_those_of_the_library():
    """They are read as numbers; the seed decides the parts and the draws, workers nothing."""
    fit = pb.read("holdout.csv")
    advice = pb.recalibration_advice(fit, methods=["temperature", "isotonic"], resamples=19, rng=5)
    for workers in ("1", "2"):
        entry = answer("holdout.csv", "--seed", "5", "--workers", workers)
        assert entry["advice"] == advice.to_dict()


@pytest.mark.usefixtures("here")
def test_rows_without_truth_are_recalibrated_and_keep_their_columns():
    """A batch of a service keeps every column and gets its probabilities mended, no more."""
    entry = answer("holdout.csv", "--method", "beta", "--apply", "batch.csv", "--out", "out.csv")
    assert (entry["advice"], entry["effect"]) == (None, None)
    before, after = (Path(name).read_text().splitlines() for name in ("batch.csv", "out.csv"))
    assert before[0].replace('"', "") == after[0].replace('"', "") == "row,p:dry,p:rain,place"
    assert [line.split(",")[0] for line in before] == [line.split(",")[0] for line in after]
    old = np.loadtxt("batch.csv", delimiter=",", skiprows=1, usecols=[1, 2])
    new = np.loadtxt("out.csv", delimiter=",", skiprows=1, usecols=[1, 2])
    fitted = fit_map(pb.read("holdout.csv"), "beta")
    assert np.allclose(new, fitted.transform(old), rtol=1e-12, atol=0)
    text = invoke("recalibrate", "--map", "map.json", "--apply", "batch.csv").stdout
    assert re.search(r"^batch\.csv: 90 [^.]+ rain,", text, re.MULTILINE)
    assert "log loss" not in text


@pytest.mark.usefixtures("here")
def test_given_shares_do_not_tell_whose_probability_a_single_column_is():
    """Without true classes too the positive class is the usual one, or the one that is named."""
    Path("few.csv").write_text("y_prob,id\n0.9,x\n0.2,y\n")

    def shift(first, last, *options):
        prior = f'prior={{"{first}": 0.3, "{last}": 0.7}}'
        training = f'training={{"{first}": 0.5, "{last}": 0.5}}'
        words = ["--method", "prior-shift", "--option", prior, "--option", training, *options]
        return invoke("recalibrate", "few.csv", *words, "--json")

    refused = shift("fraud", "legit")
    assert refused.exit_code == 2
    assert re.findall(r"--positive (\w+)", refused.stderr) == ["fraud", "legit"]
    for result, name in (
        (shift("fraud", "legit", "--positive", "fraud"), "fraud"),
        (shift("control", "case"), "case"),
    ):
        assert json.loads(result.stdout)["results"][0]["positive"] == name


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    ("header", "values", "options"),
    [
        ("id,p:rain", "x,0.9", []),
        ("id,p:dry,p:rain", "x,0.1,0.9", []),
        ("y_prob,id", "0.9,x", []),
        ("id,chance", "x,0.9", ["--prob", "chance=rain"]),
        ("id,chance", "x,0.9", ["--rename", "chance=p:rain"]),
    ],
)
@pytest.mark.usefixtures("here")
def test_however_a_batch_names_its_probability(count, header, values, options):
    """One row or more, one column or two, under any name: the positive class is the map's."""
    Path("few.csv").write_text(f"{header}\n" + f"{values}\n" * count)
    result = invoke(
        "recalibrate", "--map", "map.json", "--apply", "few.csv", "--out", "o.csv", *options
    )
    assert result.exit_code == 0, result.stderr
    lines = [line.replace('"', "").split(",") for line in Path("o.csv").read_text().splitlines()]
    assert len(lines) == count + 1
    expected = fit_map(pb.read("holdout.csv"), "temperature").transform(np.array([0.9]))[0]
    row = dict(zip(lines[0], lines[1], strict=True))
    assert float(row["p:rain"]) == pytest.approx(expected[1])
    assert float(row["p:dry"]) == pytest.approx(expected[0])
    assert "chance" not in row
    assert row["id"] == "x"


@pytest.mark.usefixtures("here")
def test_ratings_become_probabilities():
    """A decision function of one file maps that of a batch, whose class is the map's positive."""
    rng = np.random.default_rng(5)
    rating = rng.normal(size=200)
    actual = np.where(rng.logistic(size=200) < 2 * rating, "a", "b")
    lines = [f"{one},{r}" for one, r in zip(actual, rating, strict=True)]
    Path("rated.csv").write_text("\n".join(["actual,score", *lines]) + "\n")
    Path("batch.csv").write_text("score,id\n2.0,x\n-2.0,y\n")
    entry = answer("rated.csv", "--positive", "a", "--method", "platt", "--save-map", "m.json")
    assert (entry["on"], entry["positive"], entry["maps"]) == ("score", "a", ["m.json"])
    result = invoke("recalibrate", "--map", "m.json", "--apply", "batch.csv", "--out", "o.csv")
    assert result.exit_code == 0, result.stderr
    rows = [line.replace('"', "").split(",") for line in Path("o.csv").read_text().splitlines()]
    assert rows[0] == ["score", "id", "p:a", "p:b"]
    place = rows[0].index("p:a")
    assert float(rows[1][place]) > 0.9 > 0.1 > float(rows[2][place])


@pytest.mark.usefixtures("here")
def test_options_of_a_method_are_typed_values():
    """Numbers, truth values and mappings reach the method as what they are."""
    entry = answer(
        "holdout.csv",
        "--method",
        "histogram-equal-size",
        "--option",
        "bins=5",
        "--option",
        "bounded=false",
    )
    assert entry["options"] == {"bins": 5, "bounded": False}
    prior = '{"dry": 0.7, "rain": 0.3}'
    entry = answer("holdout.csv", "--method", "prior-shift", "--option", f"prior={prior}")
    assert entry["options"]["prior"] == {"dry": 0.7, "rain": 0.3}


@pytest.mark.usefixtures("here", "_two_methods")
def test_models_are_chosen_in_both_files():
    """Of a file of several models one is named, in NEW too where it tells models apart."""
    entry = answer("models.csv", "--models", "bold", "--method", "platt", "--apply", "new.csv")
    assert (entry["model"], entry["n"], entry["effect"]["n"]) == ("bold", 100, 200)
    line = ("recalibrate", "models.csv", "--models", "bold", "--method", "platt", "--apply")
    assert invoke(*line, "models.csv", "--resubstitution", "--resamples", "9").stderr == ""
    Path("other.csv").write_text("model,p:rain\nother,0.9\n")
    assert re.findall(r"'(\w+)'", invoke(*line, "other.csv").stderr) == ["bold", "other"]
    pb.read("models.csv").select(model="bold").write("one.csv")
    output = invoke("recalibrate", "one.csv", "--method", "platt", "--apply", "other.csv").stderr
    assert output.startswith("plumbline: warning: ")
    assert re.findall(r"'(\w+)'", output) == ["bold", "other"]
    result = invoke("recalibrate", "holdout.csv", "--method", "platt", "--apply", "models.csv")
    assert result.exit_code == 2
    assert "--models" in result.stderr


@pytest.mark.usefixtures("here")
def test_the_rows_of_the_fit_are_refused():
    """Rows that the map was fitted on take --resubstitution, and then the answer says so."""
    line = ("recalibrate", "holdout.csv", "--method", "platt", "--apply", "holdout.csv")
    refused = invoke(*line)
    assert refused.exit_code == 2
    assert "--resubstitution" in refused.stderr
    entry = answer(*line[1:], "--resubstitution")
    assert entry["effect"]["honest"] is False


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("ending", ["parquet", "csv", "arrow"])
def test_many_rows_are_written_batch_by_batch(ending, monkeypatch):
    """A large NEW is never held: probabilities are those of the whole, other columns stay."""
    for file in ("new", "batch"):
        parquet.write_table(csv.read_csv(f"{file}.csv"), f"{file}.parquet")
    out = f"out.{ending}"
    line = ("--map", "map.json", "--apply", "new.parquet", "--out")
    answer(*line, "whole.parquet")
    monkeypatch.setattr(sys.modules["plumbline.frames.read"], "MOST_ROWS", 10)
    monkeypatch.setattr("plumbline.frames.batches.ROWS_AT_ONCE", 64)
    entry = answer(*line, out)
    assert (entry["effect"], entry["out"]) == (None, out)
    whole, parts = (pb.read(file, engine="memory") for file in ("whole.parquet", out))
    assert np.array_equal(whole.actual, parts.actual)
    assert whole.prob == pytest.approx(parts.prob, rel=1e-12)
    assert "batch by batch" in invoke("recalibrate", *line, out).stdout
    for place in ("whole.parquet", "held.parquet"):
        monkeypatch.setattr(
            sys.modules["plumbline.frames.read"], "MOST_ROWS", 1000 * (place == "whole.parquet")
        )
        answer("--map", "map.json", "--apply", "batch.parquet", "--out", place)
    tables = [parquet.read_table(place) for place in ("whole.parquet", "held.parquet")]
    assert tables[0].to_pydict() == tables[1].to_pydict()


@pytest.mark.usefixtures("here")
def test_a_bad_row_of_many_is_named(monkeypatch):
    """The number of the row is that in the file, and nothing is written."""
    table = csv.read_csv("new.csv")
    prob = table["p:rain"].to_numpy().copy()
    prob[150] = 1.5
    table = table.set_column(table.column_names.index("p:rain"), "p:rain", [prob])
    parquet.write_table(table, "bad.parquet")
    monkeypatch.setattr(sys.modules["plumbline.frames.read"], "MOST_ROWS", 10)
    monkeypatch.setattr("plumbline.frames.batches.ROWS_AT_ONCE", 64)
    refused = invoke(
        "recalibrate", "--map", "map.json", "--apply", "bad.parquet", "--out", "out.parquet"
    )
    assert refused.exit_code == 2
    assert "row 150 of" in refused.stderr
    assert not Path("out.parquet").exists()


@pytest.mark.usefixtures("here")
def test_a_saved_map_is_applied_next():
    """And not fitted again."""
    words = ("holdout.csv", "--method", "platt", "--save-map", "next.json")
    text = invoke("recalibrate", *words).stdout
    assert "plumbline recalibrate --map next.json --apply NEW.csv" in text


@pytest.mark.usefixtures("here", "_two_methods")
def test_a_map_of_counted_rows():
    """Rows that are counted give the map, its files, and what it does to other rows."""
    counts = ("holdout.csv", "--engine", "counts", "--save-map", "map.sql", "--save-map", "map.py")
    one, other = (answer(*words, "--apply", "new.csv") for words in (counts, counts[:1]))
    assert one["method"] == other["method"] == "temperature"
    assert one["n"] == other["n"]
    assert one["effect"]["changes"][0]["difference"] == pytest.approx(
        other["effect"]["changes"][0]["difference"], rel=1e-3
    )
    assert '"p:rain"' in Path("map.sql").read_text("utf-8")
    refused = invoke("recalibrate", *counts, "--apply", "holdout.csv")
    assert refused.exit_code == 2
    assert "--resubstitution" in refused.stderr
    answer(*counts, "--apply", "holdout.csv", "--resubstitution")


@pytest.mark.usefixtures("here")
def test_nothing_changed_is_said():
    """`--method none` writes the rows as they are and shows their numbers once."""
    line = ("holdout.csv", "--method", "none", "--apply", "new.csv", "--out", "same.csv")
    entry = answer(*line)
    assert entry["method"] == "none"
    losses = entry["effect"]["changes"][0]
    assert losses["before"] == losses["after"] == pb.log_loss(pb.read("new.csv"))
    with undrawn():
        files = ("--picture", "n.svg", "--report", "n.html")
        text = invoke("recalibrate", *line, *files, "--verbose").stdout
    assert re.search(r"^log loss +0\.\d{4} +-$", text, re.MULTILINE)
    assert "difference" not in text
    assert entry["effect"]["verdict"].partition(".")[0] in text
    assert "n.svg" in text.split()
    assert entry["effect"]["verdict"].partition(".")[0] in Path("n.html").read_text("utf-8")
    assert np.array_equal(pb.read("same.csv").prob, pb.read("new.csv").prob)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "recalibrate needs FIT"),
        ("holdout.csv new.csv", "give the other with --apply"),
        ("holdout.csv --map map.json --apply new.csv", "nothing to fit on FIT"),
        ("holdout.csv --map map.json", "nothing to fit on FIT"),
        ("--map map.json", "--apply NEW"),
        ("--map map.json --apply new.csv --method platt", "--method is about fitting"),
        ("holdout.csv --out x.csv", "give them with --apply NEW"),
        ("holdout.csv --report x.html", "give them with --apply NEW"),
        ("holdout.csv --method isotonik", "Did you mean 'isotonic'"),
        ("holdout.csv --option bins=5", "name it with --method"),
        ("holdout.csv --method beta --option bins=5", "no option 'bins'"),
        ("holdout.csv --method beta --on score", "not ratings"),
        ("holdout.csv --on rating", "--on must be one of"),
        ("holdout.csv --dialect duckdb", "--save-map"),
        ("holdout.csv --method platt --level 95", "--level"),
        ("holdout.csv --method platt --apply new.csv --out new.csv", "would overwrite"),
        ("holdout.csv --method platt --save-map x.yaml", "must end in"),
        ("holdout.csv --method platt --apply batch.csv --report x.html", "which NEW lacks"),
        ("holdout.csv --method platt --apply nowhere.csv", "there is no file"),
        ("models.csv", "recalibrate models.csv --models other"),
        ("--map new.csv --apply new.csv", "map"),
        ("--map map.json --apply others.csv", "classes 'dry', 'rain', but NEW has 'no', 'yes'"),
        ("--map map.json --apply named.csv", "classes 'dry', 'rain', but NEW has 'no', 'yes'"),
        ("--map map.json --apply batch.csv --prob p:rain=gone", "but NEW has 'gone'"),
        ("--map map.json --apply head.csv", "NEW has no rows below its header"),
        ("--map map.json --apply gap.csv", "in line 3 of 'gap.csv'"),
        ("--map map.json --apply gaps.csv --models b", "in line 4 of 'gaps.csv'"),
        ("--map map.json --apply new.csv --models foo", "NEW has no column model"),
        ("--map map.json --apply new.csv --folds 1", "with --map there is no FIT"),
        ("holdout.csv --method histogram-equal-size --option bins=0", "--option bins=... must be"),
        ("holdout.csv --method platt --save-map a.sql --save-map a.sql", "more than once"),
        ("batch.csv --method prior-shift --option prior=em", "--option 'training={"),
        ("batch.csv --method platt", "no column is known to hold the true classes"),
    ],
)
@pytest.mark.usefixtures("here")
def test_refusals_are_one_line_that_teaches(line, message):
    """Exit status 2 and one line on standard error, with options as they are typed."""
    Path("others.csv").write_text("y_true,y_prob\nyes,0.9\nno,0.3\n")
    Path("named.csv").write_text("p:no,p:yes,id\n0.1,0.9,a\n")
    Path("head.csv").write_text("id,p:rain\n")
    Path("gap.csv").write_text("id,p:rain\n\n1,1.5\n")
    Path("gaps.csv").write_text("model,p:rain,actual\na,0.4,rain\na,1.5,dry\nb,1.5,dry\n")
    result = invoke("recalibrate", *shlex.split(line))
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert re.fullmatch(r"plumbline: error: .{12,}\n(  plumbline .+\n)*", result.stderr)
    assert message in result.stderr
    assert result.stderr.count("'actual'") == result.stderr.count("column 'actual'")


@pytest.mark.usefixtures("here")
def test_shares_are_found_without_true_classes():
    """`prior=em` reads a batch of today, and mends that very batch: it saw no classes."""
    shares = '{"dry": 0.5, "rain": 0.5}'
    line = ("--method", "prior-shift", "--option", "prior=em", "--option", f"training={shares}")
    entry = answer("batch.csv", *line, "--apply", "batch.csv", "--out", "shifted.csv")
    assert (entry["n"], entry["effect"]) == (90, None)
    rain = np.loadtxt("shifted.csv", delimiter=",", skiprows=1, usecols=2)
    assert entry["details"]["prior"]["rain"] == pytest.approx(rain.mean(), abs=1e-6)
    output = invoke("recalibrate", "batch.csv", *line).stdout
    assert re.match(r"batch\.csv: 90 [^.]+ rain,", output)
    assert "prior (dry " in output
    given = ("--method", "prior-shift", "--option", f"prior={shares}")
    assert answer("batch.csv", *given)["details"]["prior"] == json.loads(shares)
    result = invoke("recalibrate", "batch.csv", *given, "--folds", "1")
    assert "error: --folds " in result.stderr


@pytest.mark.usefixtures("here")
def test_rows_with_truth_keep_the_order_of_their_columns():
    """Columns stand where they stood, a new probability beside the old one."""
    Path("mine.csv").write_text("note,p:rain,y_true,id\na,0.9,rain,1\nb,0.2,dry,2\n")
    assert answer("--map", "map.json", "--apply", "mine.csv", "--out", "o.csv")["out"] == "o.csv"
    header = Path("o.csv").read_text().splitlines()[0].replace('"', "")
    assert header == "note,p:rain,p:dry,actual,id"


@pytest.mark.usefixtures("here")
def test_notes_on_many_classes_are_one_paragraph():
    """And the line of the map names shares as people write them."""
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(6), 120)
    actual = (p.cumsum(axis=1) < rng.random((120, 1))).sum(axis=1)
    pb.Predictions.from_arrays(actual, p).write("six.csv")
    text = invoke("recalibrate", "six.csv", "--method", "isotonic").stdout
    (note,) = pb.recalibrate(pb.read("six.csv"), "isotonic").present().notes
    assert note in " ".join(text.split())
    assert re.search(r"and \d+ others", note)
    text = " ".join(invoke("recalibrate", "six.csv", "--method", "prior-shift").stdout.split())
    assert re.search(r"factors \(0 [\d.]+, 1 ", text)
    spline = " ".join(invoke("recalibrate", "holdout.csv", "--method", "spline").stdout.split())
    assert "knots automatic" in spline


def test_the_list_has_every_method():
    """The same table as in the library."""
    text = invoke("recalibrate", "--list").stdout
    assert all(name in text for name in METHODS)
    rows = json.loads(invoke("recalibrate", "--list", "--json").stdout)["results"]
    assert [row["method"] for row in rows] == list(METHODS)


def test_the_help_is_light():
    """No heavy library is imported to say what can be asked."""
    code = (
        "import sys\nfrom plumbline.cli import main\n"
        "try: main(['recalibrate', '--help'])\nexcept SystemExit: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"numba", "pyarrow", "sklearn", "matplotlib", "scipy"}.isdisjoint(done.stdout.split())


class TestPages:
    """docs/recalibration.md and the part of docs/cli.md."""

    def test_the_worked_example_can_be_repeated(self, tmp_path, monkeypatch):
        """The page's own code makes the files, and every command prints what stands below it."""
        monkeypatch.chdir(tmp_path)
        page = (DOCS / "recalibration.md").read_text("utf-8")
        first, *others = re.findall(r"^```python\n(.+?)^```", page, re.MULTILINE | re.DOTALL)
        known: dict = {}
        exec(compile(first, "recalibration.md", "exec"), known)  # noqa: S102  # the page's own
        check_answers(DOCS / "recalibration.md", least=3)
        for code in others:
            exec(compile(code, "recalibration.md", "exec"), known)  # noqa: S102  # the page's own

    def test_the_table_of_methods_is_that_of_the_code(self):
        """Every method with what it reads, keeps, takes and comes from."""
        page = (DOCS / "recalibration_methods.md").read_text("utf-8")
        for row in METHODS.values():
            assert method_line(row) in page

    def test_every_key_of_the_json_is_explained(self, here):
        """The table of keys in docs/json.md leaves out none that is printed."""
        page = (DOCS / "json.md").read_text("utf-8")
        entry = answer("holdout.csv", "--method", "temperature", "--apply", "new.csv")
        advice = pb.recalibration_advice(pb.read("holdout.csv"), methods=["temperature"]).to_dict()
        effect = entry["effect"]
        keys = [*entry, *advice, *advice["methods"][0], *effect, *effect["changes"][0]]
        assert not [key for key in keys if f"`{key}`" not in page]
        keys = list(json.loads(invoke("recalibrate", "--list", "--json").stdout)["results"][0])
        assert not [key for key in keys if f"`{key}`" not in page]


def _option(value) -> str:
    """Return the default of an option as the table has it."""
    if isinstance(value, float):
        return f"{value:.3g}"
    return json.dumps(value).strip('"')


def method_line(row) -> str:
    """Return the line of the table in docs/recalibration_methods.md that a method has."""
    order = {"kept": "kept", "ties": "kept, with ties", "free": "free"}[row.order]
    options = ", ".join(f"`{k}={_option(v)}`" for k, v in row.options.items())
    cells = [
        f"`{row.name}`",
        row.text,
        " or ".join(row.on),
        row.several,
        order,
        options or "–",
        row.source,
    ]
    return f"| {' | '.join(cells)} |"


def test_a_method_that_was_not_tried_is_named(tmp_path):
    """With the reason, in which there is no word of the library."""
    rng = np.random.default_rng(0)
    prob = rng.dirichlet(np.ones(3), 200)
    actual = (prob.cumsum(axis=1) < rng.random((200, 1))).sum(axis=1)
    path = tmp_path / "true.csv"
    pb.Predictions.from_arrays(actual, prob, classes=range(3)).write(path)
    text = invoke("recalibrate", str(path), "--verbose").output
    assert "Not tried: " in text
    assert "`" not in text


@pytest.fixture
def foreign(tmp_path, monkeypatch):
    """Work beside a file to fit on and new rows, under names of their own, and their map."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(7)
    score = rng.random(300).round(4)
    churned = (rng.random(300) < score**2).astype(int)
    lines = [f"{i},{c},{p},{i % 2}" for i, (c, p) in enumerate(zip(churned, score, strict=True))]
    Path("fit.csv").write_text("\n".join(["customer_id,churned,score,member", *lines]))
    new = [f"{i},{p},{i % 2}" for i, p in enumerate(rng.random(20).round(4))]
    Path("new.csv").write_text("\n".join(["customer_id,score,member", *new]))
    answer("fit.csv", "--method", "platt", "--save-map", "map.json", "--save-map", "fit.sql")
    return tmp_path


@pytest.mark.parametrize("by", [("fit.csv", "--method", "platt"), ("--map", "map.json")])
@pytest.mark.usefixtures("foreign")
def test_rows_under_names_of_their_own_are_recalibrated(by):
    """With a map or a fit, with or without the true classes; other columns keep their names."""
    rows = {}
    for name in ("new", "fit"):
        more = ["--resubstitution"] if name == "fit" else []
        done = invoke("recalibrate", *by, "--apply", f"{name}.csv", "--out", "out.csv", *more)
        assert done.exit_code == 0, done.stderr
        assert "probability = score" in done.stdout
        head, *lines = Path("out.csv").read_text().splitlines()
        actual = ["actual"] if name == "fit" else []
        marked = ["model"] if name == "fit" else []  # results on the rows of the fit are optimistic
        names = [one.strip('"') for one in head.split(",")]
        assert names == ["customer_id", *actual, "p:0", "p:1", "member", *marked]
        rows[name] = len(lines)
    assert rows == {"new": 20, "fit": 300}


@pytest.mark.usefixtures("foreign")
def test_sql_of_a_map_reads_the_columns_of_the_file():
    """Those that were recognised in FIT, or in NEW."""
    answer("--map", "map.json", "--apply", "new.csv", "--save-map", "new.sql")
    for name in ("fit.sql", "new.sql"):
        text = Path(name).read_text("utf-8")
        assert 't."score"' in text
        assert "p:1" not in text


@pytest.mark.usefixtures("foreign")
def test_an_attribute_of_two_values_is_no_true_class():
    """Only a column that is called as one is; else the gain is not measured on it."""
    done = invoke("recalibrate", "--map", "map.json", "--apply", "new.csv", "--json")
    assert json.loads(done.stdout)["results"][0]["effect"] is None


@pytest.mark.usefixtures("foreign")
def test_a_large_file_under_names_of_its_own_is_read_batch_by_batch(monkeypatch):
    """With the same columns as a small one."""
    parquet.write_table(csv.read_csv("new.csv"), "new.parquet")
    words = ("--map", "map.json", "--apply", "new.parquet", "--out", "out.parquet")
    answer(*words)
    small = parquet.read_table("out.parquet")
    monkeypatch.setattr(import_module("plumbline.frames.read"), "MOST_ROWS", 10)
    text = invoke("recalibrate", *words).stdout
    assert "batch by batch" in text
    assert parquet.read_table("out.parquet").to_pydict() == small.to_pydict()
