"""How the examples in docstrings are found."""

from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent


def pytest_collect_file(file_path: Path) -> None:
    """Import a module by its name, before pytest does so by its path.

    By its path, `curves/best_threshold.py` alone would be loaded twice: by `curves/__init__.py`,
    which pytest imports first, and then by itself. The second module would take the place of the
    function in the package.
    """
    parts = file_path.relative_to(HERE).with_suffix("").parts
    if file_path.suffix == ".py" and parts[0] == "plumbline" and parts[-1] != "__main__":
        import_module(".".join(parts).removesuffix(".__init__"))
