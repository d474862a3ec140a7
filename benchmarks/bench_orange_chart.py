"""How long Orange's chart takes to draw curves of many rows: computed, thinned, drawn, painted.

QT_QPA_PLATFORM=offscreen python benchmarks/bench_orange_chart.py [--rows 100000] [--models 2]
    [--repeat 7]

Medians in milliseconds, in Orange's environment with the add-on. "compute" is `plumbline.curve`,
which the widget does in the background; "draw" is what the window waits for: thinning, items and
painting; "drag" one step of the threshold, with painting; "read" one reading under the mouse.
"""

import argparse
import time
from statistics import median

import numpy as np
from AnyQt.QtCore import QPointF
from AnyQt.QtWidgets import QApplication
from Orange.widgets.utils import colorpalettes

import plumbline as pb
from plumbline_orange.chart import WIDTH, CurveChart

CURVES = {
    "ROC": {"preset": "roc"},
    "precision-recall": {"preset": "precision-recall"},
    "CA by threshold": {"x": "threshold", "y": "CA"},
    "CA, bootstrap band": {"x": "threshold", "y": "CA", "band": "bootstrap", "resamples": 50},
    "profit by threshold": {"x": "threshold", "y": "cumm(amount**2/30 if eP else -amount)"},
    "ROC, a line a fold": {"preset": "roc", "average": "none"},
    "eCA by amount, smooth": {"x": "amount", "y": "eCA", "average": "smooth", "merge": "none"},
    "cloud of rows": {"x": "amount", "y": "probability", "merge": "none", "direction": "unsorted"},
}


def table(rows: int, models: int) -> pb.Predictions:
    """Return the rows of some models in ten folds, with an amount."""
    rng = np.random.default_rng(0)
    logit = rng.normal(size=rows)
    event = (rng.random(rows) < 1 / (1 + np.exp(-1.5 * logit))).astype(int)
    noise = rng.normal(size=(models, rows)) * np.linspace(0.4, 1.5, models)[:, None]
    return pb.Predictions.from_arrays(
        np.tile(event, models),
        (1 / (1 + np.exp(-(logit + noise)))).ravel(),
        model=np.repeat([f"model {number + 1}" for number in range(models)], rows),
        fold=np.tile(np.arange(rows) % 10, models).astype(str),
        attributes={"amount": np.tile(rng.gamma(2, 20, rows), models)},
    )


def timed(repeat: int, work) -> float:
    """Return the median of some times in milliseconds, after one that warms up."""
    times = []
    for _ in range(repeat + 1):
        start = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - start))
    return median(times[1:])


def main() -> None:
    """Print a row a curve."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--models", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=7)
    asked = parser.parse_args()
    app = QApplication.instance() or QApplication([])
    data = table(asked.rows, asked.models)
    names = data.models or ("model 1",)
    colors = dict(zip(names, colorpalettes.get_default_curve_colors(len(names)), strict=True))
    chart = CurveChart()
    chart.resize(900, 650)
    chart.setVisible(True)
    app.processEvents()

    def painted() -> None:
        app.processEvents()
        chart.grab()

    columns = ("compute", "thin", "draw", "drag", "read", "points", "drawn")
    print(f"{asked.rows:,} rows, {asked.models} models, milliseconds")
    print(f"{'curve':24}" + "".join(f"{column:>10}" for column in columns))
    for name, settings in CURVES.items():
        curve = pb.curve(data, **settings)
        compute = timed(1, lambda settings=settings: pb.curve(data, **settings))
        thin = timed(asked.repeat, lambda curve=curve: curve.drawing(WIDTH))

        def draw(curve=curve) -> None:
            chart.draw(curve, colors, threshold=0.5)
            painted()

        whole = timed(asked.repeat, draw)
        places = iter(np.linspace(0.2, 0.8, asked.repeat + 1))

        def drag(places=places) -> None:
            chart.set_threshold(float(next(places)))
            painted()

        dragged = timed(asked.repeat, drag)
        line = chart.drawing.groups[0].thinned[0]
        middle = len(line) // 2
        at = chart.plot.vb.mapViewToScene(QPointF(line.x[middle], line.y[middle]))
        read = timed(asked.repeat, lambda at=at: chart._read_out(at))
        points = sum(len(line) for line in curve.lines)
        drawn = sum(len(few) for group in chart.drawing.groups for few in group.thinned)
        times = "".join(f"{value:10.1f}" for value in (compute, thin, whole, dragged, read))
        print(f"{name:24}{times}{points:10,}{drawn:10,}")


if __name__ == "__main__":
    main()
