"""Draw the pictures of "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

python examples/thesis/pictures.py            # all of them, into docs/pictures/thesis
python examples/thesis/pictures.py steps dice --out . --format png

Every name draws one or a few pictures and takes less than a minute on one core. What each one shows
stands in docs/thesis.md. All chance comes from fixed seeds, so the pictures are always the same.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import plumbline as pb
from plumbline import calibration_tests, plots, power, synthetic
from plumbline.results import CalibrationTest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "thesis"
# The thesis names the top probabilities and what was right; the rest of the vectors is made up.
FIVE_POINTS = pb.Predictions.from_arrays(
    ["class 2"] * 4 + ["class 3"],
    np.array(
        [
            [0.55, 0.35, 0.10],
            [0.30, 0.45, 0.25],
            [0.04, 0.91, 0.05],
            [0.08, 0.86, 0.06],
            [0.01, 0.03, 0.96],
        ]
    ),
    classes=["class 1", "class 2", "class 3"],
)
BINS = ("equal-width:10", "equal-width:50", "equal-size:4", "equal-size:50")
DIRICHLET = ((0.1, 0.1, 0.1), (0.5, 0.5, 0.5), (0.9, 0.9, 0.9), (0.7, 0.4, 0.1))

Pictures = dict[str, Figure]


def steps() -> Pictures:
    """Figures 1 and 2: the confidence and the classwise error of five points, step by step."""
    views = {
        "figure-01-confidence-steps": "top-label",
        "figure-02-classwise-steps": "one-vs-rest:class 2",
    }
    return {
        name: plots.steps_figure(
            calibration_tests.error_steps(FIVE_POINTS, view=view, bins="equal-width:5")
        )
        for name, view in views.items()
    }


def reliability() -> Pictures:
    """Figures 3 and 4: reliability diagrams of one class, the same 200 points in various bins."""
    data = data_set(2, points=200)
    curves = [pb.reliability_curve(data, bins=bins, resamples=99) for bins in BINS]
    return {
        "figure-03-reliability": plots.reliability_bars_figure(curves[:1]),
        "figure-04-bins": plots.reliability_bars_figure(curves),
    }


def dice() -> Pictures:
    """Figure 5, example 2: ten dice show eight sixes."""
    test = calibration_tests.count_test(8, 10, probability=1 / 6)
    return {"figure-05-dice": plots.count_null_figure(test)}


def null() -> Pictures:
    """Figures 6 and 7: the test of experiment 1 on a data set that it rejects and one it does not.

    Both are the first of their kind.
    """
    found: dict[bool, CalibrationTest] = {}
    for seed in count():
        test = pb.calibration_test(
            data_set(1, points=100, seed=seed),
            statistic="ece",
            view="classwise",
            bins="equal-width:10",
            alternative="greater",
            null="resample",
            resamples=1000,
        )
        found.setdefault(test.p_value <= 0.05, test)
        if len(found) == 2:
            break
    return {
        "figure-06-test-rejects": plots.null_figure(found[True]),
        "figure-07-test-does-not-reject": plots.null_figure(found[False]),
    }


def p_values(datasets: int = 1000) -> Pictures:
    """Figure 8: p-values of experiment 1 over many data sets, a histogram that shows the power."""
    found = power.p_values(1, datasets=datasets, resamples=1000, like="thesis")
    heading = "experiment 1, classwise, absolute, 10 equal-width bins"
    return {"figure-08-p-values": plots.p_values_figure({heading: found})}


def lower_tail(datasets: int = 1000) -> Pictures:
    """Figure 9: p-values of experiment 9, which pile up near 1: read the lower tail."""
    headings = {
        "cw": "experiment 9, classwise, one point a bin",
        "cf": "experiment 9, top-label, one point a bin",
    }
    found = {
        heading: power.p_values(
            9,
            view=view,
            bins="equal-size:500",
            points=500,
            resamples=200,
            datasets=datasets,
            like="thesis",
        )
        for view, heading in headings.items()
    }
    return {"figure-09-lower-tail": plots.p_values_figure(found, tail="lower")}


def one_point() -> Pictures:
    """Figure 10: where one point has a larger real than calibrated error, by formula."""
    maps = [power.one_point_excess(distance) for distance in ("absolute", "square", "log")]
    return {
        "figure-10-one-point": plots.one_point_figure(maps[:1]),
        "figure-10-distances": plots.one_point_figure(maps),
    }


def dirichlet() -> Pictures:
    """Figure 11: a thousand vectors of each of four Dirichlet distributions."""
    drawn = [synthetic.dirichlet_vectors(alpha) for alpha in DIRICHLET]
    return {"figure-11-dirichlet": plots.simplex_figure(drawn)}


def power_pictures(datasets: int = 1000) -> Pictures:
    """Figures 12, 13 and 14: power against the number of bins, for all synthetic experiments."""
    rows = pb.power_study(datasets=datasets, like="thesis").rows()
    first = [row for row in rows if (row["experiment"], row["placement"]) == (1, "equal-size")]
    return {
        "figure-12-power-experiment-1": plots.power_figure(first),
        "figure-13-power-classwise": plots.power_figure(rows),
        "figure-14-power-confidence": plots.power_figure(rows, view="cf"),
    }


def data_set(experiment: int, *, points: int, seed: int = 0) -> pb.Predictions:
    """Return one data set of an experiment, with the classes 1, 2, ..."""
    prob, labels = synthetic.data_sets(experiment, points=points, rng=seed)
    classes = np.array([f"class {c + 1}" for c in range(prob.shape[2])])
    return pb.Predictions.from_arrays(classes[labels[0]], prob[0], classes=classes)


COMMANDS: Mapping[str, Callable[..., Pictures]] = {
    "steps": steps,
    "reliability": reliability,
    "dice": dice,
    "null": null,
    "p-values": p_values,
    "lower-tail": lower_tail,
    "one-point": one_point,
    "dirichlet": dirichlet,
    "power": power_pictures,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the pictures that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(COMMANDS)}")
    parser.add_argument("--out", type=Path, default=FOLDER, help="a folder (default: %(default)s)")
    parser.add_argument("--format", choices=("svg", "png", "pdf"), default="svg")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in COMMANDS]
    if unknown:
        parser.error(f"no picture {unknown[0]!r}; choose from {', '.join(COMMANDS)}")
    for name in given.names or COMMANDS:
        for stem, figure in COMMANDS[name]().items():
            path = given.out / f"{stem}.{given.format}"
            plots.save_figure(figure, path)
            print(f"Drew {path}")


if __name__ == "__main__":
    main()
