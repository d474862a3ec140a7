"""Text of a map's file whose content a test has changed, with a checksum that fits."""

import json
from collections.abc import Mapping
from typing import Any

from plumbline.recalibration.export.json_file import checksum


def sealed(content: Mapping[str, Any]) -> str:
    """Return the text of a file that holds this content, checksum and all."""
    return json.dumps({**content, "checksum": checksum(content)})
