"""Print the oldest version of every package that pyproject.toml allows, as pip's constraints."""

import re
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))[
    "project"
]
EXTRAS = ("plot", "report", "sklearn", "onnx", "sql", "serve", "notebook", "test")

wanted = PROJECT["dependencies"] + [
    line for extra in EXTRAS for line in PROJECT["optional-dependencies"][extra]
]
bounds = [re.fullmatch(r"([\w.-]+)>=([\w.]+)", line) for line in wanted]
for name, version in sorted({bound.groups() for bound in bounds if bound}):
    print(f"{name}=={version}")
