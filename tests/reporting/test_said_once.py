"""What holds for all models of a report stands on its page once."""

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import plumbline as pb
from html_pages import undrawn
from plumbline._result import Result

MODELS = ("forest", "tree", "bayes")
WORDS = 8  # a shorter line may stand with each model: a caption, a heading of a table
PARAGRAPHS = ("p", "li", "dd", "caption", "figcaption", "pre")


class Paragraphs(HTMLParser):
    """The paragraphs of a page, their white space made even."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open, self.found = 0, [""]
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        """Begin a paragraph."""
        if tag in PARAGRAPHS:
            self.open += 1
            self.found.append("")

    def handle_data(self, data):
        """Put text where it stands."""
        if self.open:
            self.found[-1] = f"{self.found[-1]} {data}"

    def handle_endtag(self, tag):
        """End a paragraph."""
        if tag in PARAGRAPHS:
            self.open -= 1
            self.found[-1] = " ".join(self.found[-1].split())


def answers_of(result: object) -> Iterator[str]:
    """Yield the answer of every result within a report; two models may have the same."""
    if isinstance(result, Result):
        yield result.present().summary
        result = vars(result)
    if isinstance(result, dict):
        result = result.values()
    if not isinstance(result, str | bytes | np.ndarray) and hasattr(result, "__iter__"):
        for part in result:
            yield from answers_of(part)


def three_models(k: int, **others) -> pb.Predictions:
    """Return a table of three models: one fits, one is bold and rounded, one timid."""
    rng = np.random.default_rng(k)
    n = 90
    prob = rng.dirichlet(np.ones(k), n)
    actual = [rng.choice(k, p=row) for row in prob]
    bold, timid = (prob**power / (prob**power).sum(axis=1, keepdims=True) for power in (2.5, 0.6))
    return pb.Predictions.from_arrays(
        np.tile(np.array([f"c{j}" for j in range(k)])[actual], 3),
        np.concatenate([prob, np.eye(k)[bold.argmax(axis=1)], timid]),
        classes=[f"c{j}" for j in range(k)],
        model=np.repeat(MODELS, n),
        attributes={
            "site": np.tile(rng.choice(["north", "south"], n), 3),
            "age": np.tile(rng.normal(50, 10, n).round(), 3),
            "week": np.tile(np.datetime64("2026-01-05") + 7 * (np.arange(n) // 30), 3),
        },
        **others,
    )


@pytest.mark.parametrize(
    "data",
    [three_models(2), three_models(3, weight=np.tile(np.arange(90) % 3 + 1, 3))],
    ids=["two classes", "three weighted classes"],
)
def test_no_paragraph_of_a_report_stands_twice(tmp_path: Path, data):
    """Only answers and next steps of three models may read alike; all else long stands once."""
    with undrawn():
        made = pb.report(data, tmp_path / "page.html", resamples=9, recalibrate="temperature")
    found = Counter(Paragraphs(Path(made.path).read_text("utf-8")).found)
    answers = {answer for one in made.chapters for answer in answers_of(one)}
    long = {text for text in found if len(text.split()) > WORDS and not text.startswith("Next:")}
    assert [text for text in long - answers if found[text] > 1] == []
