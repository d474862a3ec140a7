"""The chart draws what the curve has, within its pixels, and answers to mouse and keys."""

from itertools import pairwise

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPoint, QPointF, Qt
from AnyQt.QtGui import QColor, QMouseEvent, QPalette, QWheelEvent
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.widgets.tests.base import GuiTest

import plumbline as pb
from plumbline_orange.chart import CurveChart
from plumbline_orange.chart_parts import CONTRAST, contrast, readable

TREE, BAYES = QColor("#d95f02"), QColor("#1b9e77")
COLORS = {"tree": TREE, "bayes": BAYES}
KINDS = ("typical", "atypical", "a very long name of a kind of pain that nobody can read")


def table(n=400, seed=0):
    """Return the rows of two models in five folds, with an attribute of each kind."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(size=n)
    event = (rng.random(n) < 1 / (1 + np.exp(-1.5 * logit))).astype(int)
    probs = [1 / (1 + np.exp(-(logit + rng.normal(size=n) * noise))) for noise in (0.4, 1.5)]
    return pb.Predictions.from_arrays(
        np.tile(event, 2),
        np.concatenate(probs),
        model=np.repeat(["tree", "bayes"], n),
        fold=np.tile(np.arange(n) % 5, 2).astype(str),
        attributes={
            "kind": np.tile(rng.choice(KINDS, n), 2),
            "seen": np.tile(np.datetime64("2024-01-01") + rng.integers(0, 900, n), 2),
        },
    )


DATA = table()


class ChartTest(GuiTest):
    """A chart of 800 x 600 pixels for every test."""

    def setUp(self):
        self.chart = CurveChart()
        self.chart.resize(800, 600)
        self.chart.setVisible(True)
        QApplication.processEvents()

    def tearDown(self):
        self.chart.deleteLater()

    def draw(self, data=DATA, *, threshold=None, **settings):
        """Draw a curve, with a threshold to drag if asked for."""
        curve = pb.curve(data, **settings)
        self.chart.draw(curve, COLORS, threshold=threshold)
        QApplication.processEvents()
        return curve

    def items(self, kind):
        """Return the items of one kind, those of no model left out."""
        return [item for item in self.chart.plot.items if type(item) is kind]

    def lines(self, color=None):
        """Return the drawn lines, of one colour if given."""
        lines = self.items(pg.PlotCurveItem)
        return [line for line in lines if color in (None, line.opts["pen"].color())]

    def pixel(self, x, y):
        """Return where a point of the plot is in the window."""
        return self.chart.mapFromScene(self.chart.plot.vb.mapViewToScene(QPointF(x, y)))

    def send(self, kind, at, button, held):
        """Send what the mouse does to the window."""
        port = self.chart.viewport()
        world = QPointF(port.mapToGlobal(at))
        event = QMouseEvent(kind, QPointF(at), world, button, held, Qt.NoModifier)
        QApplication.sendEvent(port, event)

    def drag(self, start, *stops):
        """Press the left button, move the mouse, and let go."""
        send = self.send
        send(QEvent.MouseMove, start, Qt.NoButton, Qt.NoButton)
        send(QEvent.MouseButtonPress, start, Qt.LeftButton, Qt.LeftButton)
        for before, after in pairwise((start, *stops)):
            for share in (0.3, 0.6, 1.0):
                self.chart.lastMousePos = None
                at = before + (after - before) * share
                QTest.qWait(12)  # pyqtgraph takes no two moves within 10 milliseconds
                send(QEvent.MouseMove, at, Qt.NoButton, Qt.LeftButton)
        send(QEvent.MouseButtonRelease, stops[-1], Qt.LeftButton, Qt.NoButton)

    # -------------------------------------------------------------- what is drawn

    def test_a_line_is_drawn_through_its_points(self):
        """The corners of a ROC line are those of the curve, in the colour of its model."""
        curve = self.draw(preset="roc")
        for line in curve.lines:
            (drawn,) = self.lines(COLORS[line.model])
            x, y = drawn.getData()
            np.testing.assert_array_equal(x, line.x)
            np.testing.assert_array_equal(y, line.y)

    def test_a_value_on_thresholds_is_a_step(self):
        """The state at a threshold lasts down to the next one."""
        curve = self.draw(x="threshold", y="CA")
        x, y = self.lines(TREE)[0].getData()
        line = curve.lines[0]
        assert len(x) == 2 * len(line) - 1
        at = line.threshold[10]
        assert set(y[x == at]) == {line.y[9], line.y[10]}

    def test_folds_are_thinner_than_a_mean(self):
        """Five thin lines a model without averaging, one thick one with it, and its band."""
        self.draw(preset="roc", average="none")
        folds = self.lines(TREE)
        assert len(folds) == 5
        self.draw(preset="roc", average="vertical", band="folds")
        (mean,) = self.lines(TREE)
        assert all(fold.opts["pen"].widthF() < mean.opts["pen"].widthF() for fold in folds)
        areas = self.items(pg.QtWidgets.QGraphicsPathItem)
        assert [area.brush().color().alpha() for area in areas] == [45, 45]

    def test_an_area_reaches_from_the_lower_to_the_upper_end(self):
        """The band's outline has the lowest and the highest end of its interval."""
        curve = self.draw(x="threshold", y="CA", band="bootstrap", resamples=30)
        area = self.items(pg.QtWidgets.QGraphicsPathItem)[0].path().boundingRect()
        more = curve.lines[0].more
        assert np.isclose(area.top(), np.nanmin(more["y_low"]))
        assert np.isclose(area.bottom(), np.nanmax(more["y_high"]))

    def test_deviations_of_both_coordinates_are_crosses(self):
        """Threshold averaging has whiskers in x and y."""
        curve = self.draw(preset="roc", average="threshold", band="folds", thresholds=10)
        bars = self.items(pg.ErrorBarItem)
        assert len(bars) == 2
        sd = np.nan_to_num(curve.lines[0].more["x_sd"])
        np.testing.assert_allclose(bars[0].opts["left"] + bars[0].opts["right"], 2 * sd)

    def test_categories_stand_by_name(self):
        """Every category has its place, a name cut to its room, and a dot a model beside it."""
        curve = self.draw(x="kind", y="eCA", average="smooth", merge="none")
        ticks = dict(self.chart.plot.getAxis("bottom")._tickLevels[0])
        assert list(ticks) == list(range(len(curve.x_names)))
        assert ticks[curve.x_names.index("typical")] == "typical"
        assert "…" in ticks[curve.x_names.index(KINDS[2])]
        dots = [item for item in self.items(pg.ScatterPlotItem) if len(item.data) == len(KINDS)]
        assert len(dots) == 2
        assert (dots[0].getData()[0] < dots[1].getData()[0]).all()

    def test_days_stand_as_dates(self):
        """An axis of dates counts in seconds, with ticks of round dates."""
        curve = self.draw(x="seen", y="eCA", average="smooth", merge="none")
        x, _ = self.lines(TREE)[0].getData()
        np.testing.assert_allclose(x, curve.lines[0].x * 86_400)
        axis = self.chart.plot.getAxis("bottom")
        assert isinstance(axis, pg.DateAxisItem)
        levels = axis.tickValues(*self.chart.plot.vb.viewRange()[0], 700)
        texts = [text for step, days in levels for text in axis.tickStrings(days, 1, step)]
        assert "2025" in " ".join(texts)
        self.draw(preset="roc")
        assert not isinstance(self.chart.plot.getAxis("bottom"), pg.DateAxisItem)

    def test_guides_are_dashed_and_named_below(self):
        """The diagonal is drawn, and the legend says what it is, and each model with its area."""
        curve = self.draw(preset="roc")
        texts = [entry.text for entry in self.chart.legend.entries]
        areas = [f"{line.model}, AUC {line.area:.3g}" for line in curve.lines]
        assert texts == [*areas, "random"]
        self.chart.draw(curve, COLORS, guides=False)
        assert [entry.text for entry in self.chart.legend.entries] == areas

    def test_what_is_infinite_stands_at_the_edge(self):
        """The state before any row is accepted has a tick of its own beyond the greatest."""
        self.draw(x="threshold", y="CA")
        (edge,) = self.chart.drawing.x.edges
        axis = self.chart.plot.getAxis("bottom")
        levels = axis.tickValues(*self.chart.plot.vb.viewRange()[0], 700)
        assert edge[0] in levels[0][1]
        assert axis.tickStrings([0.5, edge[0]], 1, 0.5) == ["0.5", "∞"]
        assert self.lines(TREE)[0].getData()[0][0] == edge[0]

    def test_rates_on_normal_deviates_are_named(self):
        """The ticks of a DET curve are shares."""
        self.draw(preset="det")
        names = [name for _, name in self.chart.plot.getAxis("left")._tickLevels[0]]
        assert "40 %" in names
        assert all(name.endswith("%") for name in names)

    def test_numbers_are_written_in_full(self):
        """Great numbers have commas and no exponent, small ones a true minus sign."""
        axis = self.chart.plot.getAxis("left")
        assert axis.tickStrings([-1_250_000.0, 0.3], 1, 1.0) == ["−1,250,000", "0.3"]

    def test_titles_fit_their_axes(self):
        """A formula that is too long loses its middle, and a comparison is no HTML."""
        formula = "cumm(1 if probability < 0.5 else 0) / NN" + " + 0 * cumm(eP)" * 20
        self.draw(x="threshold", y=formula)
        axis = self.chart.plot.getAxis("left")
        assert "…" in axis.label.toPlainText()
        assert axis.label.boundingRect().width() <= self.chart.plot.vb.height() + 40
        self.draw(x="threshold", y="1 if TPR < 0.5 else 0")
        assert "TPR < 0.5" in axis.label.toPlainText()

    def test_shares_make_a_square(self):
        """Both axes of a ROC curve are as long as each other, at every size of the window."""
        self.draw(preset="roc")
        for size in ((800, 600), (1200, 500), (900, 800)):
            self.chart.resize(*size)
            QApplication.processEvents()
            box = self.chart.plot.vb
            assert abs(box.width() - box.height()) < 3, size
        self.draw(x="threshold", y="CA")
        assert self.chart.plot.vb.width() > 700

    def test_a_hull_has_the_colour_of_its_line(self):
        """A convex hull is dashed and of its line's colour; the legend names it."""
        curve = pb.curve(DATA, "roc")
        hulls = [pb.convex_hull(line) for line in curve.lines]
        self.chart.draw(curve, COLORS, hull=hulls)
        drawn = self.lines(BAYES)[1]
        np.testing.assert_array_equal(drawn.getData()[0], hulls[1].x)
        assert drawn.opts["pen"].dashPattern()
        assert "convex hull" in [entry.text for entry in self.chart.legend.entries]

    def test_the_plateau_is_shaded_and_the_best_marked(self):
        """Of one line on thresholds regions are shaded, else the part of each line."""
        best = [pb.best_threshold(rows, "CA") for rows in DATA.by_model().values()]
        name, tree = next(iter(DATA.by_model().items()))
        self.chart.draw(pb.curve(tree, x="threshold", y="CA"), {None: TREE}, optimum=best[0])
        regions = self.items(pg.LinearRegionItem)
        shaded = sorted(tuple(region.getRegion()) for region in regions)
        assert shaded == sorted(best[0].plateau), name
        curve = pb.curve(DATA, x="threshold", y="CA")
        self.chart.draw(curve, COLORS, optimum=best)
        assert not self.items(pg.LinearRegionItem)
        thick = [line for line in self.lines() if line.opts["pen"].widthF() == 11]
        drawn = {place for line in thick for place in line.getData()[0]}
        assert drawn
        assert all(
            any(low <= place <= high for one in best for low, high in one.plateau)
            for place in drawn
        )
        (mark,) = [
            item.getData()
            for item in self.items(pg.ScatterPlotItem)
            if item.opts["symbol"] == "d" and item.opts["pen"].color() == TREE
        ]
        place = curve.lines[0].place_at(best[0].threshold)
        assert (mark[0][0], mark[1][0]) == (curve.lines[0].x[place], curve.lines[0].y[place])
        self.chart.draw(pb.curve(DATA, "roc"), COLORS, optimum=best[0])
        assert not self.items(pg.LinearRegionItem)
        assert [line.opts["pen"].widthF() for line in self.lines()].count(11) == len(
            best[0].plateau
        )

    def test_a_line_without_points_is_named_with_its_reason(self):
        """Nothing is drawn of it, the legend says why."""
        data = pb.Predictions.from_arrays([1, 1, 1], [0.2, 0.5, 0.9])
        curve = pb.curve(data, "roc")
        self.chart.draw(curve, {None: TREE}, threshold=0.5)
        assert "no point" in self.chart.legend.entries[0].text

    def test_clear_takes_everything_away(self):
        """After `clear` there is nothing drawn, and drawing works again."""
        self.draw(preset="roc", threshold=0.5)
        self.chart.clear()
        assert not self.chart.plot.items
        assert not self.chart.legend.entries
        assert self.chart.threshold is None
        self.draw(preset="roc")
        assert self.lines(TREE)

    # -------------------------------------------------------------- many rows

    def test_many_rows_are_few_points_with_every_extreme(self):
        """Of 100,000 thresholds some 2,000 points are drawn, the highest and lowest among them."""
        rng = np.random.default_rng(1)
        prob = rng.random(100_000)
        data = pb.Predictions.from_arrays((rng.random(100_000) < prob).astype(int), prob)
        curve = pb.curve(data, x="threshold", y="CA + 0.001 * precision")
        self.chart.draw(curve, {None: TREE}, threshold=0.5)
        x, y = self.lines(TREE)[0].getData()
        assert len(x) <= 2 * 2_800
        assert {curve.lines[0].y.min(), curve.lines[0].y.max()} <= set(y)
        marker = self.chart._markers[0].pos()
        place = curve.lines[0].place_at(0.5)
        assert marker.y() == curve.lines[0].y[place]  # read from all of the points

    # -------------------------------------------------------------- the threshold

    def watched(self):
        """Return two lists that collect the thresholds moved to and set."""
        moved, chosen = [], []
        self.chart.threshold_moved.connect(moved.append)
        self.chart.threshold_set.connect(chosen.append)
        return moved, chosen

    def test_the_vertical_line_is_dragged(self):
        """It tells its threshold while it moves, and once when it is let go."""
        self.draw(x="threshold", y="CA", threshold=0.3)
        moved, chosen = self.watched()
        self.drag(self.pixel(0.3, 0.5), self.pixel(0.6, 0.5))
        assert len(moved) >= 2
        assert abs(moved[-1] - 0.6) < 0.01
        assert chosen == [moved[-1]]
        assert self.chart.threshold == moved[-1]

    def test_a_point_is_dragged_along_its_line(self):
        """On a ROC curve the point stays on the line, and all lines follow its threshold."""
        curve = self.draw(preset="roc", threshold=0.5)
        moved, chosen = self.watched()
        line = curve.lines[0]
        start, stop = line.place_at(0.5), line.place_at(0.8)
        aside = QPoint(25, 25)  # the mouse need not be on the line
        self.drag(
            self.pixel(line.x[start], line.y[start]), self.pixel(line.x[stop], line.y[stop]) + aside
        )
        assert moved
        assert chosen == [moved[-1]]
        assert moved[-1] in line.threshold
        assert moved[-1] > 0.6
        for one, marker in zip(curve.lines, self.chart._markers, strict=True):
            place = one.place_at(moved[-1])
            assert (marker.pos().x(), marker.pos().y()) == (one.x[place], one.y[place])

    def test_arrow_keys_move_the_threshold(self):
        """Right is up by a hundredth of the range, and what the keyboard does is a signal too."""
        self.draw(x="threshold", y="CA", threshold=0.3)
        moved, chosen = self.watched()
        QTest.keyClick(self.chart, Qt.Key_Right)
        QTest.keyClick(self.chart, Qt.Key_Left)
        assert len(moved) == len(chosen) == 2
        assert moved[0] > 0.3
        assert np.isclose(moved[1], 0.3)

    def test_a_share_along_x_is_no_threshold_where_rows_are_sorted_otherwise(self):
        """Of rows sorted by their day a probability is where a point stands, no threshold."""
        self.draw(x="probability", y="cumm(eP)", sort_by="seen", threshold=0.3)
        assert self.chart._cursor is None
        self.draw(x="probability", y="CA", threshold=0.3)
        assert self.chart._cursor.value() == 0.3

    def test_a_threshold_is_set_without_a_signal(self):
        """`set_threshold` moves what is drawn; None takes it away."""
        self.draw(x="threshold", y="CA", threshold=0.3)
        moved, chosen = self.watched()
        self.chart.set_threshold(0.7)
        assert self.chart._cursor.value() == 0.7
        self.chart.set_threshold(None)
        assert not self.items(pg.InfiniteLine)[1:]  # that of the infinite threshold stays
        assert not moved + chosen

    # -------------------------------------------------------------- reading and zooming

    def test_the_point_under_the_mouse_is_read_out(self):
        """Near a point its values are shown, elsewhere nothing."""
        curve = self.draw(preset="roc", average="none")
        line = curve.lines[2]
        vb = self.chart.plot.vb
        self.chart._read_out(vb.mapViewToScene(QPointF(line.x[7], line.y[7])))
        text = self.chart._read.toPlainText()
        assert self.chart._read.isVisible()
        assert "fold" in text
        assert "false positive rate" in text
        self.chart._read_out(vb.mapViewToScene(QPointF(0.95, 0.05)))
        assert not self.chart._read.isVisible()

    def test_a_rectangle_zooms_and_a_double_click_shows_everything(self):
        """Dragging zooms in; the wheel alone does nothing; a double click resets."""
        self.draw(preset="roc")
        vb = self.chart.plot.vb
        whole = vb.viewRange()
        wheel = QWheelEvent(
            QPointF(300, 300),
            QPointF(300, 300),
            QPoint(0, 0),
            QPoint(0, 240),
            Qt.NoButton,
            Qt.NoModifier,
            Qt.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(self.chart.viewport(), wheel)
        assert vb.viewRange() == whole
        self.drag(self.pixel(0.6, 0.4), self.pixel(0.8, 0.2))
        assert 0.15 < vb.viewRange()[0][1] - vb.viewRange()[0][0] < 0.3
        at = self.pixel(0.7, 0.3)
        for press in (QEvent.MouseButtonPress, QEvent.MouseButtonDblClick):
            self.send(press, at, Qt.LeftButton, Qt.LeftButton)
            self.send(QEvent.MouseButtonRelease, at, Qt.LeftButton, Qt.NoButton)
        np.testing.assert_allclose(vb.viewRange(), whole)

    # -------------------------------------------------------------- colours

    def test_lines_stand_out_on_light_and_dark_paper(self):
        """Every colour of Orange's is made to have contrast, and legible ones stay as they are."""
        for paper in (QColor("#ffffff"), QColor("#1e1e1e")):
            for name in ("#1b9e77", "#ffff00", "#00ffff", "#666666", "#000000", "#0000ff"):
                assert contrast(readable(QColor(name), paper), paper) >= CONTRAST, name
        assert readable(BAYES, QColor("#ffffff")) == BAYES

    def test_another_palette_draws_the_curve_again(self):
        """In dark mode the ink is light."""
        self.draw(x="threshold", y="CA", threshold=0.4)
        palette = QPalette()
        palette.setColor(QPalette.Base, QColor("#1e1e1e"))
        palette.setColor(QPalette.Text, QColor("#eeeeee"))
        self.chart.setPalette(palette)
        assert self.chart._cursor.pen.color() == QColor("#eeeeee")
        assert self.chart.threshold == 0.4

    def test_the_classes_of_one_model_differ(self):
        """Three classes of one model have three colours; those of two models three dashes."""
        rng = np.random.default_rng(2)
        prob = rng.dirichlet(np.ones(3), 90)
        label = rng.integers(0, 3, 90)
        one = pb.Predictions.from_arrays(label, prob)
        self.chart.draw(pb.curve(one, "roc", multiclass="per-class"), {})
        assert len({entry.color.name() for entry in self.chart.legend.entries[:3]}) == 3
        both = pb.Predictions.from_arrays(
            np.tile(label, 2), np.tile(prob, (2, 1)), model=np.repeat(["tree", "bayes"], 90)
        )
        self.chart.draw(pb.curve(both, "roc", multiclass="per-class"), COLORS)
        kinds = {(entry.color.name(), tuple(entry.dash)) for entry in self.chart.legend.entries[:6]}
        assert len(kinds) == 6
        assert {color for color, _ in kinds} == {TREE.name(), BAYES.name()}
