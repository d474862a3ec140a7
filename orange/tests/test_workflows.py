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
