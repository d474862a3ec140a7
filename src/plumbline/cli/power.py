"""The command `power`: how often calibration tests find a classifier whose faults are known."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from plumbline.cli import options, terminal
from plumbline.cli.generic import list_option, options_of, print_names
from plumbline.cli.messages import complain, progress
from plumbline.cli.terminal import print_json
from plumbline.errors import ParameterError
from plumbline.file_endings import POINT_ENDINGS
from plumbline.formatting import counted, printable
from plumbline.requests import REQUESTS

POWER = REQUESTS["power"]
FITTED = {"7", "8"}  # experiments that fit classifiers
EXAMPLES = """\b
Examples:
  plumbline power --experiments 1,4 --datasets 200
  plumbline power --bins thesis --like thesis --out power.csv
  plumbline power --experiments 9 --bins equal-size:10,equal-width:15 --distances log --json
  plumbline power --statistic ece --experiments 1 --datasets 100
"""


def _need_classifiers(values: Mapping[str, Any]) -> None:
    """Refuse the data of classifiers where no experiment fits one."""
    if "covertype" in values and FITTED.isdisjoint(map(str, values.get("experiments", ()))):
        raise ParameterError(
            "--covertype is the data of experiments 7 and 8, and none of these is studied",
            code="argument-needs-another",
            argument="covertype",
            remedy="leave it out, or add --experiments 7,8",
        )


@options.command(epilog=EXAMPLES)
@options_of(POWER)
@click.option(
    "--out",
    type=options.OutFile(*POINT_ENDINGS),
    metavar="CSV",
    help="File to write. Finished parts are kept in the folder CSV.parts, so that an "
    "interrupted run continues.",
)
@list_option
@options.output_options
def power(as_json: bool, list_names: bool, out: Path | None, **given: Any) -> None:
    """Estimate how often calibration tests detect known faults (their power).

    Power is the share of simulated data sets on which a test rejects. The nine experiments are
    those of the thesis "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).
    All settings use the same data sets and draws. p = (1 + draws at least as large) / (M + 1).
    """
    from plumbline.power import power_study

    if list_names:
        print_names(POWER, as_json=as_json)
        return
    values = POWER.checked("command", given)
    covertype = values.get("covertype")
    _need_classifiers(values)
    options.need_other_file([out], [None if covertype is None else Path(covertype)])
    try:
        with progress(POWER.doing) as bar:
            table = power_study(**values, out=out, progress=bar)
    except KeyboardInterrupt:
        if out is not None:
            complain("finished parts are kept; the same command continues from there")
        raise
    if as_json:
        entries, more = table.json_entries()
        print_json("power", entries, **more, out=None if out is None else str(out))
        return
    presented = table.present()
    if out is not None:  # it holds the tables
        presented = replace(presented, tables=(), legend=())
    click.echo(terminal.laid_out([presented]))
    if out is not None:
        click.echo(f"\nPower: {printable(out)} ({counted(len(table.rows()), 'row')})")
