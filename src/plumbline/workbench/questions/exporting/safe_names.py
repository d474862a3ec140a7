"""Names that come from a reader and end up in files: harmless wherever they stand."""

import re
import unicodedata

from plumbline.formatting import printable

LONGEST = 60  # letters of a file's name


def slug(title: str, default: str = "plumbline") -> str:
    """Return a title as the name of a file: small Latin letters, digits and hyphens.

    >>> slug("Profit at 0.30 (new model)"), slug("../../etc"), slug("图")
    ('profit-at-0-30-new-model', 'etc', 'plumbline')
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].rstrip("-") or default


def remark(text: str) -> str:
    r"""Return a text as a comment of one line, which nothing in it can leave.

    >>> remark("a\nimport os")
    '# a\\nimport os'
    """
    return f"# {printable(text)}"
