"""How often the textbook Hosmer-Lemeshow test rejects calibrated probabilities of a rare class.

python studies/rare_hosmer_lemeshow.py

Log-odds are normal with deviation 1 around the base rate's, labels are drawn from them; ten bins of
equal size, chi-square null, level 0.05. Prints a table and writes it to
studies/results/rare_hosmer_lemeshow.md. It takes a minute.
"""

import warnings
from pathlib import Path

import numpy as np

import plumbline as pb
from plumbline.random_streams import stream
from plumbline.results import CalibrationTest

RESULT = Path(__file__).parent / "results" / "rare_hosmer_lemeshow.md"
SETTINGS = ((500, 0.01), (1000, 0.01), (2000, 0.01), (5000, 0.01), (1000, 0.5))
DATA_SETS = 2000
LEVEL = 0.05


def tested(n: int, rate: float, seed: int) -> CalibrationTest:
    """Test calibrated predictions of a class of about this base rate."""
    rng = stream(seed, n, round(1000 * rate))
    p = 1 / (1 + np.exp(-(np.log(rate / (1 - rate)) + rng.normal(size=n))))
    data = pb.Predictions.from_arrays(rng.random(n) < p, p, classes=[False, True])
    return pb.calibration_test(data, statistic="hosmer-lemeshow", null="asymptotic")


def main() -> None:
    """Print and write the table."""
    lines = ["| n | base rate | rejected | standard error | warned |", "|---|---|---|---|---|"]
    for n, rate in SETTINGS:
        found = [tested(n, rate, seed) for seed in range(DATA_SETS)]
        share = np.mean([one.p_value <= LEVEL for one in found])
        error = np.sqrt(share * (1 - share) / DATA_SETS)
        warned = np.mean(["few-expected" in one.remark_codes for one in found])
        lines.append(f"| {n:,} | {rate} | {share:.3f} | {error:.3f} | {warned:.2f} |")
    text = "\n".join(lines) + "\n"
    print(text)
    RESULT.write_text(f"# Hosmer-Lemeshow on a rare class\n\n{text}", "utf-8")


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pb.PlumblineWarning)
        main()
