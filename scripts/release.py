"""What a release needs beside the build: .github/workflows/release.yml calls both.

    python scripts/release.py check v0.2.0
    python scripts/release.py address https://example.org/owner/name v0.2.0

`check` refuses a tag that is not the version of pyproject.toml, CITATION.cff and the newest entry
of CHANGELOG.md, and a changelog without a date or with fragments that are not in it yet. `address`
writes where the repository lives into pyproject.toml, as [project.urls], and into the links of
README.md: a package index shows both, and knows no paths of a repository.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEWEST = re.compile(r"^## (\S+) \((.*)\)$", re.MULTILINE)
DATE = re.compile(r"\d{4}-\d\d-\d\d")
LINK = re.compile(r"""(?P<before>!?\[[^\]]*\]\(|(?:href|src)=")(?P<path>[^)"#:]+)(?=[)"#])""")
PICTURES = (".svg", ".png")


def faults(root: Path, tag: str) -> Iterator[str]:
    """Yield in a sentence each what keeps a tag from being released."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    version = project["version"]
    if tag != f"v{version}":
        yield f"The tag is {tag}, the version in pyproject.toml {version}: write v{version}."
    cited = re.search(r"^version: (\S+)$", (root / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    if cited is None or cited[1] != version:
        yield f"CITATION.cff has another version than pyproject.toml: write version: {version}."
    newest = NEWEST.search((root / "CHANGELOG.md").read_text("utf-8"))
    if newest is None or newest[1] != version or not DATE.fullmatch(newest[2]):
        yield f"CHANGELOG.md must begin with ## {version} (date, such as 2026-01-31)."
    left = [path.name for paths in fragments(root).values() for path in paths]
    if left:
        yield f"Changes that CHANGELOG.md does not have yet: {len(left)}, {left[0]} among them."


def fragments(root: Path) -> dict[str, list[Path]]:
    """Return the changelog fragments by the name of their type, in its order."""
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
    folder = root / settings["directory"]
    return {
        kind["name"]: sorted(folder.glob(f"*.{kind['directory']}.md")) for kind in settings["type"]
    }


def with_addresses(root: Path, address: str, tag: str) -> dict[Path, str]:
    """Return the files that name the repository's address, as they are to be written."""
    project, readme = root / "pyproject.toml", root / "README.md"
    urls = {
        "Source": address,
        "Documentation": f"{address}/blob/{tag}/docs/index.md",
        "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    table = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    text = project.read_text("utf-8")
    if "[project.urls]" in text:
        raise ValueError("pyproject.toml has [project.urls] already: it is written once")

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link["path"].endswith(PICTURES) else "blob"
        return f"{link['before']}{address}/{kind}/{tag}/{link['path']}"

    return {
        project: text.replace("[project.scripts]", f"[project.urls]\n{table}\n[project.scripts]"),
        readme: LINK.sub(absolute, readme.read_text("utf-8")),
    }


def leave(words: list[str]) -> int:
    """Do what the words say and return the exit status."""
    match words:
        case ["check", tag]:
            found = list(faults(ROOT, tag))
            print("\n".join(found) or f"{tag} can be released.")
            return 2 if found else 0
        case ["address", address, tag] if re.fullmatch(r"https://[\w.-]+(/[\w.-]+)+", address):
            for path, text in with_addresses(ROOT, address, tag).items():
                path.write_text(text, "utf-8")
            return 0
        case _:
            print(f"{__doc__}\nArrived: {' '.join(words) or 'nothing'}", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(leave(sys.argv[1:]))
