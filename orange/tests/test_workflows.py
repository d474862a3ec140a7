"""The example workflows load and run without an error, and say what they promise."""

from pathlib import Path

import running
from Orange.widgets.tests import base

import plumbline_orange.workflows

FOLDER = Path(plumbline_orange.workflows.__file__).parent


class TestWorkflows(base.WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.registry = running.registered()

    def run_one(self, name):
        scheme = running.load(FOLDER / name, self.registry)
        self.addCleanup(scheme.clear)
        widgets = running.widgets_of(scheme)
        running.finish(scheme)
        for title, widget in widgets.items():
            shown = [str(one) for group in widget.message_groups for one in group.active]
            errors = [str(one) for one in widget.Error.active]
            assert not errors, (title, errors, shown)
        return scheme, widgets

    def test_heart_disease(self):
        _, widgets = self.run_one("100-heart-disease.ows")
        assert widgets["ROC curve"].data.models == ("Naive Bayes", "Classification Tree")
        assert len(widgets["ROC curve"].data.folds) == 10
        assert widgets["ROC curve"].data.n == 2 * 303
        for title in ("Accuracy by chest pain", "Ill patients found", "Ill patients missed by age"):
            assert widgets[title].preset == "user"
            assert widgets[title].drawn is not None, title
            assert all(len(line) > 3 for line in widgets[title].drawn.curve.lines)

    def test_loans(self):
        _, widgets = self.run_one("110-loans.ows")
        profit = widgets["Profit"]
        assert profit.data.n == 2 * 1500
        optima = profit.drawn.optima
        assert set(optima) == {"Naive Bayes", "Logistic Regression"}
        for best in optima.values():
            assert any(low <= 0.3 <= high for low, high in best.plateau)

    def test_comparison(self):
        _, widgets = self.run_one("120-comparison.ows")
        models = widgets["Reliability Diagram"].data.models
        assert len(models) == 4
        assert models[:3] == ("Naive Bayes", "Logistic Regression", "Random Forest")

    def test_every_workflow_is_tested(self):
        names = {path.stem[4:].replace("-", "_") for path in FOLDER.glob("*.ows")}
        assert names == {name[5:] for name in dir(self) if name[5:] in names}


def test_the_loans_are_those_of_the_example():
    rows = (FOLDER / "loans.tab").read_text().splitlines()
    assert rows[0].split("\t")[-1] == "repaid"
    assert len(rows) == 3 + 1500
