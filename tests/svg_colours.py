"""Colours of a picture that no page can change."""

import re


def plain_colours(svg: str) -> list[str]:
    """Return the colours of an SVG that are no variables of the page."""
    rest = re.sub(r"var\(--pl-\w+, #[0-9a-f]{6}\)", "", svg)
    painted = r"(?:fill|stroke)(?:: |=\")(?!none|;|\"| )([^;\"]+)"
    return re.findall(painted, rest)
