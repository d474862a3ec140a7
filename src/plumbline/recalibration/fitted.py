"""What a method's fit hands back: the numbers of a form, and what is to be said of them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from plumbline.recalibration.forms import EventForm, Form
from plumbline.results import Facts

NONE = Facts()


class EventFit(NamedTuple):
    """The form fitted to one class against the rest.

    Attributes
    ----------
    form : what the map computes
    parameters : how many numbers were fitted freely
    notes : what the reader should know, half sentences without a full stop
    """

    form: EventForm
    parameters: int
    notes: tuple[str, ...] = ()


class WholeFit(NamedTuple):
    """The form fitted to all classes at once; fields as in `EventFit`.

    Attributes
    ----------
    details : fitted numbers that are worth reading, by name
    """

    form: Form
    parameters: int
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = NONE
