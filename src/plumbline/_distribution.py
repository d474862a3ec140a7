"""The name of the distribution on the package index, which is not the name of the import."""

from functools import cache

# `plumbline` there is somebody else's package: whoever installs it gets a stranger's code.
DISTRIBUTION = "plumbline-eval"


@cache  # a look at every installed package, 8 ms
def installed_version() -> str:
    """Return the version of Plumbline that is installed."""
    from importlib.metadata import version

    return version(DISTRIBUTION)


def install_command(*extras: str) -> str:
    """Return the command that installs Plumbline with these extras.

    >>> install_command("sklearn", "report")
    "python -m pip install 'plumbline-eval[sklearn,report]'"
    """
    return f"python -m pip install '{DISTRIBUTION}[{','.join(extras)}]'"
