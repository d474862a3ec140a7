"""Values of other packages for tables drawn by seed, as `scripts/record_peers.py` wrote them."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def recorded(package: str) -> dict[str, Any]:
    """Return what was recorded of a package: `versions`, `note` and `cases`."""
    return dict(json.loads((FOLDER / f"{package}.json").read_text(encoding="utf-8")))
