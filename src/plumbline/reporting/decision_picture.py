"""The answers of a model as the page shows them: its confusion matrix, and missing rates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plumbline.formatting import counted, printed
from plumbline.plots import confusion_figure
from plumbline.reporting.decisions import DecisionChapter
from plumbline.reporting.gallery import Gallery

if TYPE_CHECKING:
    from markupsafe import Markup

MOST_CLASSES = 30  # whose cells still can be told apart on a page
MOST_REASONS = 4  # that a caption holds; a convention


@dataclass(frozen=True, slots=True)
class DecisionPicture:
    """The confusion matrix, None where it has too many cells, and why rates are missing."""

    picture: "Markup | None"
    reasons: Sequence[str]


def decision_picture(gallery: Gallery, name: str, decisions: DecisionChapter) -> DecisionPicture:
    """Draw the answers of the model of this name."""
    k = len(decisions.matrix.classes)
    label = (
        f"Confusion matrix of {name}: {counted(k, 'class')}, accuracy "
        f"{printed(decisions.overall.value('accuracy'))}; the tables beside it hold its rates"
    )
    picture = None
    if k <= MOST_CLASSES:
        of_many = k > 2  # of two classes the counts say it all
        figure = confusion_figure(decisions.matrix, normalize="actual" if of_many else None)
        title = f"Confusion matrix, {name}"
        picture = gallery.draw(figure, label, title=title, rows=decisions.matrix.rows())
    rates = (decisions.overall, decisions.shares, decisions.means)
    whys = [one.reason for of in rates for one in of.entries if one.value != one.value]
    return DecisionPicture(picture, list(dict.fromkeys(filter(None, whys)))[:MOST_REASONS])
