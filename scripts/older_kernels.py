"""Runs a command with the kernels of an older processor: what differs then is rounding.

    python scripts/older_kernels.py python -m pytest -k snapshot

NumPy chooses loops, and OpenBLAS its kernels, by the processor that they run on. Here NumPy may
take none but its baseline, and OpenBLAS those of 2008 (on x86; elsewhere only NumPy's change).
NumPy itself tells the names of what can be left out: they change between releases, and it refuses
those that it does not know.
"""

import os
import platform
import subprocess
import sys

# Prints what can be left out; and what is still in use, with the architecture of each BLAS.
NAMES = "from numpy._core._multiarray_umath import __cpu_dispatch__ as d; print(*d)"
STILL_USED = """
from numpy._core._multiarray_umath import __cpu_dispatch__ as d, __cpu_features__ as f
import scipy.linalg, threadpoolctl
print(*(name for name in d if f[name]))
libraries = threadpoolctl.threadpool_info()
print(*(one["architecture"] for one in libraries if one["user_api"] == "blas"))
"""
CORE = "Nehalem"


def main() -> int:
    """Run the command, after looking that the kernels are other ones indeed."""
    command = sys.argv[1:]
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    names = _printed(NAMES, os.environ)[0]
    env = os.environ | {"NPY_DISABLE_CPU_FEATURES": names, "OPENBLAS_CORETYPE": CORE}
    used, blas = _printed(STILL_USED, env)
    print(f"NumPy without {names or 'nothing'}; BLAS: {blas}", flush=True)
    if used or (platform.machine() == "x86_64" and set(blas.split()) - {CORE}):
        print(f"The kernels are not those asked for: NumPy {used}, BLAS {blas}.", file=sys.stderr)
        return 2
    return subprocess.run(command, env=env, check=False).returncode


def _printed(code: str, env: "os._Environ[str] | dict[str, str]") -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True
    )
    return done.stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
