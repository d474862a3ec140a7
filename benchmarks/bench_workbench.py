"""The workbench on a million rows in a browser: first view, a changed formula, a drag.

python benchmarks/bench_workbench.py
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright
from timing import compare, finish

import plumbline as pb
from plumbline.workbench import TableQuestions

ROWS = 1_000_000
FORMULA = "cumm(amount * {} if eP else -amount)"
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S+")
SLIDER = re.compile("^Threshold on")
BROWSERS = ("chromium", "chromium-browser", "chromium-headless-shell")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
CHANGES, VIEWS, DRAG_SECONDS = 15, 5, 3.0
MOST_REDRAW, MOST_FRAME, MOST_VIEW = 0.3, 1000 / 30, 1.5  # seconds; milliseconds a frame

# From the change of the state, which the URL holds, to the frame after the chart is painted.
CHANGE = """
formula => new Promise((done, fail) => {
  const fields = new URLSearchParams(location.hash.slice(1));
  fields.set("room", "curves");
  fields.set("curve", JSON.stringify({preset: null, x: "threshold", y: formula}));
  const start = performance.now();
  const observer = new PerformanceObserver(list => {
    if (!list.getEntriesByName("plumbline:drawn").some(mark => mark.startTime > start)) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => {
      const titles = [...document.querySelectorAll(".chart-title")].map(t => t.textContent);
      const drawn = titles.some(title => title.startsWith(formula.slice(0, 16)));
      if (drawn) done(performance.now() - start);
      else fail(new Error("another chart was drawn: " + titles));
    }, 0));
  });
  observer.observe({entryTypes: ["mark"]});
  location.hash = fields.toString();
  // Where the answer before took long, the room waits for a word.
  const buttons = () => [...document.querySelectorAll(".plumbline button")];
  const ask = () => buttons().find(button => button.textContent.startsWith("Compute"))?.click();
  requestAnimationFrame(() => setTimeout(ask, 0));
  setTimeout(() => fail(new Error("nothing was drawn in 30 s")), 30000);
})
"""
COUNT_FRAMES = """
() => {
  const seen = window.seen = {frames: 0, moves: 0, start: performance.now(), told: null};
  const slider = document.querySelector(".chart-plot[role=slider]");
  const look = () => {
    seen.frames += 1;
    const told = slider.getAttribute("aria-valuetext");
    if (told !== seen.told) [seen.told, seen.moves] = [told, seen.moves + 1];
    if (!seen.stop) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""
COUNTED = """
() => {
  const seen = window.seen, seconds = (performance.now() - seen.start) / 1000;
  seen.stop = true;
  return [seen.frames / seconds, seen.moves / seconds];
}
"""
FIRST_DRAWN = "() => performance.getEntriesByName('plumbline:drawn')[0].startTime"


def table() -> pb.Predictions:
    """Return a million rows that are calibrated, with an amount each."""
    rng = np.random.default_rng(0)
    p = rng.random(ROWS)
    event = (rng.random(ROWS) < p).astype(np.int64)
    amount = rng.integers(10, 130, ROWS).astype(np.float64)
    return pb.Predictions.from_arrays(event, p, attributes={"amount": amount})


@contextmanager
def serving(path: Path) -> Iterator[str]:
    """Run `plumbline serve` on a file and yield its address."""
    command = [sys.executable, "-m", "plumbline", "serve", "--no-open", "--port", "0", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        found = next(found for said in process.stdout or () if (found := ADDRESS.search(said)))
        yield found.group()
    finally:
        process.terminate()
        process.wait(20)


def first_view(browser: Any, address: str) -> float:
    """Return the seconds from navigation to the first drawn chart, in a window of its own."""
    with browser.new_context(viewport={"width": 1360, "height": 900}) as context:
        page = context.new_page()
        page.goto(f"{address}#room=curves")
        page.get_by_role("slider", name=SLIDER).first.wait_for()
        return float(page.evaluate(FIRST_DRAWN)) / 1000


def redraws(page: Page) -> list[float]:
    """Return the seconds that each changed formula took to be drawn."""
    page.evaluate(CHANGE, FORMULA.format(1.5))
    times = []
    for number in range(CHANGES):
        page.wait_for_timeout(150)
        times.append(float(page.evaluate(CHANGE, FORMULA.format(2 + number / 100))) / 1000)
    return times


def drag(page: Page) -> tuple[float, float]:
    """Return frames and moves of the marker per second while a pointer drags the threshold."""
    box: Any = page.get_by_role("slider", name=SLIDER).first.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 0.5 * box["height"])
    page.mouse.down()
    page.evaluate(COUNT_FRAMES)
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < DRAG_SECONDS:
        share = abs((spent / 1.5) % 2 - 1)
        page.mouse.move(box["x"] + (0.05 + 0.9 * share) * box["width"], box["y"] + 60 + 90 * share)
    frames, moves = page.evaluate(COUNTED)
    page.mouse.up()
    return float(frames), float(moves)


def floors(data: pb.Predictions) -> list[float]:
    """Return the seconds that the answer alone takes, without network and browser."""
    questions, times = TableQuestions(data), []
    for number in range(6):
        curve = {"x": "threshold", "y": FORMULA.format(3 + number / 100)}
        start = time.perf_counter()
        questions.answer({"kind": "curve", "data": {}, "curve": curve, "width": 800})
        times.append(time.perf_counter() - start)
    return times[1:]


def main() -> None:
    """Measure, print, and fail where a limit is missed."""
    data = table()
    path = Path(tempfile.mkdtemp()) / "million.parquet"
    data.write(path)
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    with serving(path) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        views = [first_view(browser, address) for _ in range(VIEWS)]
        page = browser.new_page(viewport={"width": 1360, "height": 900})
        page.goto(f"{address}#room=curves")
        page.get_by_role("slider", name=SLIDER).first.wait_for()
        changed = redraws(page)
        frames, moves = drag(page)
        browser.close()
    shutil.rmtree(path.parent)
    floor = floors(data)
    print(f"{ROWS:,} rows, medians; floor: the answer alone {1000 * median(floor):.0f} ms")
    print(f"first view right after the start: {1000 * views[0]:.0f} ms")
    size = f"{ROWS:,} rows"
    compare(f"formula changed until drawn, {size}", median(changed), "limit", MOST_REDRAW)
    compare(f"a frame while dragging, {size}", 1000 / frames, "limit", MOST_FRAME, unit="ms")
    compare(f"address opened until drawn, {size}", median(views), "limit", MOST_VIEW)
    print(
        f"the marker moved {moves:.0f} times a second; redraws "
        + ", ".join(f"{1000 * value:.0f}" for value in sorted(changed))
        + " ms"
    )
    finish()


if __name__ == "__main__":
    main()
