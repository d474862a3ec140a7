import json
import math

import numpy as np
import pytest

from every_column import table
from plumbline import InputError, ParameterError, Predictions
from plumbline.curves import (
    PRESETS,
    CurveSettings,
    average_precision,
    curve,
    curve_from_spec,
    curve_spec,
    roc_auc,
)
from plumbline.errors import FormulaError
from plumbline.reporting import save_curve
from plumbline.reporting.curve_again import chosen, curve_call
from refusals import refused, warned

ASKED = [
    {"preset": "roc"},
    {"preset": "roc", "average": "vertical", "points": 11},
    {"preset": "precision-recall", "where": "age > 40", "target": "well"},
    {"preset": "calibration", "span": 0.7, "points": 9},
    {"preset": "error-by-attribute", "x": "pain_kind"},
    {"preset": "profit", "params": {"gain": 3, "loss": math.inf}},
    {"preset": "gains", "band": "bootstrap", "resamples": 40, "rng": 7, "level": 0.8},
    {"x": "cumm(1) / NN", "y": "TPR", "sort_by": "probability * age", "direction": "ascending"},
    {"x": "age", "y": "cumm(eP)", "direction": "unsorted", "x_title": "old"},
    {"preset": "roc", "multiclass": "per-class"},
]

WRONG_SETTING = "card-with-wrong-setting"


class TestCard:
    """A card draws the same curve again."""

    @pytest.mark.parametrize("asked", ASKED, ids=lambda asked: "-".join(map(str, asked)))
    def test_a_curve_spec_gives_the_same_points(self, tmp_path, asked, recwarn):
        """From the card itself, and from the file that `save_curve` writes, without a warning."""
        data = table()
        result = curve(data, **asked)
        card = curve_spec(result, data)
        path = tmp_path / "some.curve.json"
        save_curve(result, path, data=data)
        for again in (curve_from_spec(card, data), curve_from_spec(path, data)):
            assert again.to_dict() == result.to_dict()
        whole = json.loads(path.read_text("utf-8"), parse_constant=pytest.fail)
        assert {name: whole[name] for name in card} == card
        points = [one["points"] for one in result.to_dict()["lines"]]
        assert [one["points"] for one in whole["lines"]] == points
        assert len(recwarn) == 0

    def test_other_rows_are_warned_of(self):
        """The warning says how many rows the card was made from, and the curve is of the new."""
        data, other = table(), table(seed=6)
        card = curve_spec(curve(data, "roc"), data)
        with warned("other-rows", "90 rows", "45 rows"):
            result = curve_from_spec(card, data.select(model="a"))
        assert result.to_dict() == curve(data.select(model="a"), "roc").to_dict()
        with warned("other-rows"):
            curve_from_spec(card, other)

    @pytest.mark.parametrize(
        ("given", "same"),
        [
            ({"where": "age > 40"}, {"preset": "roc", "where": "age > 40"}),
            ({"y": "TPR - FPR"}, {"preset": "roc", "y": "TPR - FPR"}),
            ({"preset": "gains"}, {"preset": "gains"}),
            ({"preset": "calibration"}, {"preset": "calibration"}),
            ({"multiclass": "macro"}, {"preset": "roc", "multiclass": "macro"}),
            ({"average": "smooth"}, {"preset": "roc", "average": "smooth"}),
        ],
    )
    def test_other_settings_overrule_those_of_a_curve_spec(self, given, same):
        """What is given wins, as if the curve had been asked so from the beginning."""
        data = table()
        card = curve_spec(curve(data, "roc"), data)
        assert curve_from_spec(card, data, **given).to_dict() == curve(data, **same).to_dict()

    def test_a_direction_can_be_overruled(self):
        """A card of sorted rows can be drawn in the order of the table, and its key is dropped."""
        data = table()
        card = curve_spec(curve(data, x="cumm(1)", y="cumm(eP)", sort_by="age"), data)
        again = curve_from_spec(card, data, direction="unsorted")
        assert again.settings.sort_by is None
        assert again.lines[0].y[-1] == curve_from_spec(card, data).lines[0].y[-1]

    @pytest.mark.parametrize(
        ("text", "code", "fact"),
        [
            ("", "no-card", "JSON"),
            ("{", "no-card", "line 1"),
            ("[1, 2]", "no-card", "[1, 2]"),
            ("[" * 100_000, "no-card", "JSON"),
            ("{}", "no-card", '"card"'),
            ('{"card": 2}', "card-of-newer-version", "is 2"),
            ('{"card": true}', "no-card", "True"),
            ('{"card": 1}', "card-incomplete", '"settings"'),
            ('{"card": 1, "settings": {"x": "FPR", "spam": 1}}', WRONG_SETTING, "'spam'"),
            ('{"card": 1, "settings": {"x": ["FPR"]}}', WRONG_SETTING, "['FPR'] as 'x'"),
            ('{"card": 1, "settings": {"points": true}}', WRONG_SETTING, "True as 'points'"),
            ('{"card": 1, "settings": {"x": "FPR", "y": "TPR"}}', "card-incomplete", '"sha256"'),
            (
                '{"card": 1, "settings": {"x": "FPR"}, "data": {"sha256": "0"}}',
                "card-not-drawable",
                "`y`",
            ),
            (
                '{"card": 1, "settings": {"x": "FPR", "y": "TPR", "span": 7}, '
                '"data": {"sha256": "0"}}',
                "card-not-drawable",
                "`span`",
            ),
        ],
    )
    @pytest.mark.filterwarnings("ignore:.*made from other rows")
    def test_what_is_no_curve_spec_is_refused_with_the_reason(self, tmp_path, text, code, fact):
        """A damaged, foreign or newer file is InputError, and says what is wrong with it."""
        path = tmp_path / "bad.json"
        path.write_text(text)
        with refused(InputError, code, fact):
            curve_from_spec(path, table(12))

    def test_bytes_and_missing_files_are_refused(self, tmp_path):
        """A picture is no card, and neither is nothing."""
        (tmp_path / "a.json").write_bytes(b"\x89PNG\xff\xfe")
        with refused(InputError, "no-card", "UTF-8"):
            curve_from_spec(tmp_path / "a.json", table(12))
        with refused(InputError, "no-such-card", "none.json"):
            curve_from_spec(tmp_path / "none.json", table(12))

    @pytest.mark.filterwarnings("ignore:.*made from other rows")
    def test_formulas_of_a_curve_spec_are_formulas_and_nothing_else(self):
        """A card from a stranger can compute what a formula can, and no more."""
        data = table(12)
        card = curve_spec(curve(data, "roc"), data)
        for evil in ("__import__('os').getcwd()", "().__class__", "open('x')"):
            with pytest.raises(FormulaError):
                curve_from_spec({**card, "settings": {**card["settings"], "y": evil}}, data)

    def test_wrong_overrides_are_the_callers(self):
        """A setting that no curve has is ParameterError where the caller gives it."""
        data = table(12)
        card = curve_spec(curve(data, "roc"), data)
        with refused(ParameterError, "unknown-setting") as unknown:
            curve_from_spec(card, data, spann=0.3)
        assert unknown.value.near == "span"


class TestWords:
    """What a curve's settings say, and how to make it again."""

    @pytest.mark.parametrize("asked", ASKED, ids=lambda asked: "-".join(map(str, asked)))
    def test_the_call_draws_the_same_curve(self, asked):
        """The Python call on the page of a curve is one that draws it."""
        data = table()
        result = curve(data, **asked)
        names = {"plumbline": type("m", (), {"curve": staticmethod(curve)}), "data": data}
        again = eval(curve_call(result.settings), names)  # noqa: S307  # the page's own words
        assert again.to_dict() == result.to_dict()

    @pytest.mark.parametrize("name", [name for name in PRESETS if PRESETS[name].x])
    def test_a_preset_needs_only_its_name(self, name):
        """Nothing that the preset says is repeated."""
        result = curve(table(), name)
        assert set(chosen(result.settings)) <= {"preset", "target"}

    def test_settings_in_words(self):
        """Filter, order, folds, classes and parameters are all said."""
        data = table()
        description = curve(
            data, "roc", where="age > 40", average="vertical", points=11, target="well"
        ).description
        for fact in ("age > 40", "probability", "11 values", "'well'"):
            assert fact in description
        assert "gain = 3" in curve(data, "profit", params={"gain": 3}).description
        others = (
            curve(data, x="1", y="2", direction="unsorted").description,
            curve(data, x="pain_kind", y="eCA").description,
        )
        assert len({description, *others}) == 3


class TestAreas:
    """Areas under lines that have been drawn."""

    @pytest.mark.parametrize("direction", ["ascending", "descending"])
    @pytest.mark.parametrize("where", [None, "age > 40"])
    def test_they_are_those_of_the_rows(self, direction, where):
        """AUC and average precision of a line are those of its rows, ties and weights included."""
        data = table().select(model="b")
        kept = data if where is None else data.select(where=data.attributes["age"] > 40)
        for preset, area in (("roc", roc_auc), ("precision-recall", average_precision)):
            result = curve(data, preset, direction=direction, where=where)
            assert result.lines[0].area == pytest.approx(area(kept), abs=1e-12)

    @pytest.mark.parametrize(
        "asked",
        [
            {"preset": "gains"},
            {"preset": "roc", "merge": "none"},
            {"preset": "roc", "y": "CA"},
            {"preset": "roc", "average": "threshold"},
            {"preset": "precision-recall", "average": "threshold"},
        ],
    )
    def test_other_curves_have_that_of_their_trapezia(self, asked):
        """It has no name but "area", and no interval where there is no band."""
        result = curve(table(), **asked)
        line = result.lines[0]
        assert (result.named_area, result.area_name) == (None, "area")
        assert line.area == pytest.approx(np.trapezoid(line.y, line.x), abs=1e-12)
        assert line.area_range is None

    def test_no_point_no_area(self):
        """One class alone has no ROC curve, so no area."""
        result = curve(Predictions.from_arrays([1, 1, 1], [0.2, 0.6, 0.7]), "roc")
        assert (result.lines[0].area, result.lines[0].area_range) == (None, None)


class TestFiles:
    """Points and refusals; pages are in test_reporting."""

    def test_points_as_csv(self, tmp_path):
        """The columns are model, fold, threshold, x, y and the band; infinity is inf."""
        data = table()
        result = curve(data, "roc", band="bootstrap", resamples=40)
        save_curve(result, tmp_path / "roc.csv")
        lines = (tmp_path / "roc.csv").read_text().splitlines()
        assert lines[0] == '"model","fold","threshold","x","y","y_low","y_high"'
        assert len(lines) == 1 + sum(map(len, result.lines))
        assert lines[1].startswith('"a",,inf,0,0')

    @pytest.mark.parametrize(
        ("name", "error", "message"),
        [
            ("roc.txt", ParameterError, "must end in"),
            ("roc.json", ParameterError, "`data` is needed"),
            ("roc.html", ParameterError, "`data` is needed"),
            ("nowhere/roc.csv", InputError, "no folder"),
        ],
    )
    def test_what_cannot_be_written_is_refused(self, tmp_path, name, error, message):
        """Nothing is left behind."""
        with pytest.raises(error, match=message):
            save_curve(curve(table(12), "roc"), tmp_path / name)
        assert list(tmp_path.iterdir()) == []

    def test_an_older_file_stays_where_the_new_one_cannot_be_made(self, tmp_path, monkeypatch):
        """A card is written whole or not at all."""
        path = tmp_path / "roc.json"
        path.write_text("old")
        data = table(12)

        def broken(_):
            raise RuntimeError

        monkeypatch.setattr(Predictions, "fingerprint", broken)
        with pytest.raises(RuntimeError):
            save_curve(curve(data, "roc"), path, data=data)
        assert path.read_text() == "old"
        assert [file.name for file in tmp_path.iterdir()] == ["roc.json"]

    def test_settings_of_a_curve_spec_are_all_settings(self):
        """A setting that is added to curves is in the cards without further doing."""
        data = table(12)
        card = curve_spec(curve(data, "roc"), data)
        assert set(card["settings"]) == set(CurveSettings("1", "1").to_dict())
