"""Whole commands, start included: processor seconds now, and before 27 November 2026.

python benchmarks/bench_commands.py

User and system time of a fresh process, after one that compiled the kernels. "Before" are the same
commands at 32a2493a on two cores of an AMD EPYC.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from timing import compare, finish

SIX = "ece,log-loss,brier-score,calibration-slope,ici,roc-auc"
# The report was timed at bd94279a: no change before touched it.
COMMANDS = {
    "scores t50000.parquet --metrics " + SIX + " --interval": 13.7,
    "recalibrate digits.parquet": 6.5,
    "plan t900.parquet": 11.8,
    "report t900.parquet --out report.html": 4.5,
}
READ = "import plumbline as pb; pb.read('groups.parquet', engine='counts')"
CALLS = {
    "pb.measure(d), 1e6 rows": ("pb.measure(d)", 53.5),
    "pb.measure(r), 1e6 rows of two decimals": ("pb.measure(r)", 20.6),
    "pb.calibration_test(r), the same": ("pb.calibration_test(r)", 28.6),
}
SETUP = """
import sys, time, warnings, numpy as np, plumbline as pb
warnings.simplefilter("ignore")
d = pb.read("t1000000.parquet")
p = d.prob[:, 1].round(2)
r = pb.Predictions.from_arrays(d.actual, p)
few = np.arange(2000)
{call_few}
start = time.process_time()
{call}
print(time.process_time() - start)
"""


def tables(folder: Path) -> None:
    """Write the tables of all commands."""
    rng = np.random.default_rng(0)
    for n in (900, 50_000, 1_000_000):
        p = rng.beta(0.7, 1.3, n)
        actual = (rng.random(n) < p**1.15).astype(int)
        frame = pd.DataFrame({"actual": actual, "p:1": p})
        frame.to_parquet(folder / f"t{n}.parquet")
    frame = pd.concat([frame, frame])
    frame.to_parquet(folder / "groups.parquet", row_group_size=500)
    X, y = load_digits(return_X_y=True)
    prob = cross_val_predict(GaussianNB(), X, y, method="predict_proba")
    digits = pd.DataFrame(prob, columns=[f"p:{i}" for i in range(10)])
    digits.insert(0, "actual", y)
    digits.to_parquet(folder / "digits.parquet")


def seconds_of(words: list[str], folder: Path) -> float:
    """Return the processor seconds of Python with these words, after one that compiles."""
    spent = 0.0
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run(
            [sys.executable, *words],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if run.returncode:
            raise SystemExit(run.stderr.decode())
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent


def seconds_of_call(call: str, folder: Path) -> float:
    """Return the processor seconds of a call on tables in memory, compiled before."""
    few = call.replace("(d)", "(d.select(where=few))").replace("(r)", "(r.select(where=few))")
    code = SETUP.format(call=call, call_few=few)
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, check=True
    )
    return float(json.loads(run.stdout))


def main() -> None:
    """Print all commands."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables(folder)
        for words, before in COMMANDS.items():
            spent = seconds_of(["-m", "plumbline", *words.split()], folder)
            compare(words, spent, "before", before, least=None)
        spent = seconds_of(["-c", READ], folder)
        compare("pb.read, 2e6 rows in 4,000 row groups", spent, "before", 37.8, least=None)
        for task, (call, before) in CALLS.items():
            compare(task, seconds_of_call(call, folder), "before", before, least=None)


if __name__ == "__main__":
    main()
    finish()
