"""Chart libraries on the workbench's hardest charts: first draw, cursor, size, security policy.

python benchmarks/bench_charts.py [--rows 1000000] [--repeat 9] [--pictures FOLDER]

Each candidate of benchmarks/charts draws a ROC curve with its band, profit by threshold with a
second y axis, and a stacked histogram by month in headless Chromium, under the policy that the
workbench sends; npm builds the page first. Times are medians in milliseconds until the third frame
afterwards, less those of a page that does nothing; the candidates take turns. The pointer moves
over the ROC curve and the profit follows.
"""

import argparse
import gzip
import http.server
import re
import shutil
import subprocess
import threading
from functools import partial
from pathlib import Path
from statistics import median

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from plumbline.workbench.server.access import HEADERS

ROOT = Path(__file__).parent.parent
TRIAL = ROOT / "benchmarks" / "charts"
BUILT = TRIAL / "dist"
CANDIDATES = {
    "own": "own painting",
    "uplot": "uPlot",
    "canvas": "ECharts, canvas",
    "svg": "ECharts, SVG",
    "plot": "Observable Plot",
}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ENOUGH = 60_000.0  # milliseconds of drawing, after which a candidate is not asked again


class Handler(http.server.SimpleHTTPRequestHandler):
    """The built page, with the headers of the workbench's server."""

    def end_headers(self) -> None:
        """Send the workbench's headers too."""
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Write nothing."""


def build() -> None:
    """Build the page of all candidates."""
    for command, folder in (("ci", "frontend"), ("ci", "benchmarks/charts")):
        if not (ROOT / folder / "node_modules").is_dir():
            subprocess.run(["npm", command], cwd=ROOT / folder, check=True, capture_output=True)
    subprocess.run(["npm", "run", "build"], cwd=TRIAL, check=True, capture_output=True)


def opened(browser: Browser, address: str) -> Page:
    """Return a page with its three charts drawn."""
    page = browser.new_page(viewport={"width": 1000, "height": 1300})
    page.goto(address)
    page.locator("html[data-ready]").wait_for(state="attached", timeout=300_000)
    return page


def moves(page: Page, candidate: str, repeat: int) -> list[float]:
    """Return how long each of some moves of the pointer over the ROC curve took."""
    left, top = page.evaluate(
        "(({x, y}) => [x, y])(document.querySelector('#roc').getBoundingClientRect())"
    )
    across = [left + 120 + 60 * place for place in range(repeat + 1)]
    y = top + 120
    page.mouse.move(across[0], y)
    if candidate == "own":  # its linked cursor is held by a press
        page.mouse.down()
    times = []
    for x in across[1:]:
        page.evaluate("trial.listen()")
        page.mouse.move(x, y)
        times.append(page.evaluate("trial.moved().then(time => time - trial.empty)"))
    if candidate == "own":
        page.mouse.up()
    return times


def size_of(candidate: str) -> float:
    """Return the kilobytes, gzipped, of the scripts that only this candidate needs."""
    entry = "echarts" if candidate in ("canvas", "svg") else candidate
    text = {path.name: path.read_text() for path in (BUILT / "assets").glob("*.js")}
    first, common = (
        next(name for name in text if name.startswith(f"{key}-")) for key in (entry, "index")
    )
    own = _reached(first, text) - _reached(common, text)
    return sum(len(gzip.compress(text[name].encode(), 9)) for name in own) / 1000


def _reached(name: str, text: dict[str, str]) -> set[str]:
    """Return the scripts that a script imports before it runs, itself among them."""
    found = {name}
    for other in re.findall(r'from"\./([^"]+)"', text[name]):
        if other not in found:
            found |= _reached(other, text)
    return found


def picture(page: Page, folder: Path, candidate: str) -> None:
    """Write a page as it is, in the dark, and its ROC curve as SVG where it can."""
    page.screenshot(path=folder / f"{candidate}.png", full_page=True)
    vectors = page.evaluate("trial.vectors()")
    if vectors:
        (folder / f"{candidate}.svg").write_text(vectors)
    page.evaluate("document.getElementById('main').dataset.theme = 'dark'; trial.recolor()")
    page.wait_for_timeout(200)
    page.screenshot(path=folder / f"{candidate}-dark.png", full_page=True)


def measure(browser: Browser, address: str, options: argparse.Namespace, *, all_rows: bool) -> None:
    """Print a line for every candidate, with the points as the server thins them or all."""
    draws: dict[str, list[float]] = {candidate: [] for candidate in CANDIDATES}
    last = {}
    for turn in range(options.repeat):
        for candidate, times in draws.items():
            if sum(times) > ENOUGH:
                continue
            rows = "all" if all_rows else "thinned"
            query = f"?with={candidate}&rows={rows}&n={options.rows}"
            page = opened(browser, address + query)
            times.append(page.evaluate("trial.first - trial.empty"))
            if turn == options.repeat - 1 or sum(times) > ENOUGH:
                last[candidate] = _facts(page, candidate, options, slow=all_rows)
            page.close()
    for candidate, name in CANDIDATES.items():
        points, moved, refused, faults = last[candidate]
        draw, least = median(draws[candidate]), min(draws[candidate])
        numbers = f"{points:>10,}{draw:>8.0f}{least:>8.0f}{moved:>8.0f}"
        facts = f"{numbers}{size_of(candidate):>9.1f}{refused:>5}{faults:>5}"
        print(f"{name:16}{facts}", flush=True)


def _facts(
    page: Page, candidate: str, options: argparse.Namespace, *, slow: bool
) -> tuple[int, float, int, str]:
    """Return points, the median of the moves, refusals of the policy and faults found by axe."""
    moved = median(moves(page, candidate, options.repeat))
    faults = "" if slow else str(Axe().run(page, "#main").violations_count)
    if options.pictures and not slow:
        picture(page, options.pictures, candidate)
    return page.evaluate("trial.points"), moved, page.evaluate("trial.violations.length"), faults


def main() -> None:
    """Print a table for thinned and for all points."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--pictures", type=Path)
    options = parser.parse_args()
    build()
    if options.pictures:
        options.pictures.mkdir(exist_ok=True)
    handler = partial(Handler, directory=str(BUILT))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/index.html"
    path = next(filter(None, map(shutil.which, BROWSERS)))
    print(
        f"{'':16}{'points':>10}{'draw':>8}{'least':>8}{'move':>8}{'gzip kB':>9}{'CSP':>5}{'axe':>5}"
    )
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        for all_rows in (False, True):
            measure(browser, address, options, all_rows=all_rows)
        browser.close()


if __name__ == "__main__":
    main()
