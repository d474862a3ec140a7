"""Files whose labels come later: what a state remembers of them, so that each row counts once.

That is a digest of the predictions, which stay as they are while labels come in, and which rows
were counted with which label.
"""

import base64
import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shown
from plumbline.errors import InputError
from plumbline.frames.columns import plain_name

DIGITS = 32  # of a digest, as of the bytes of a file
WAITS = 0  # code of a row without a label; the class of number j has code j + 1
Codes = NDArray[np.int32]


@dataclass(frozen=True)
class LateFile:
    """What a state remembers of a file that came with rows without a label.

    Attributes
    ----------
    name : what it was called when it came last
    columns : by which it is recognised: all that is read of it except the labels
    ends : how many rows it had each time it had become longer, and the digest of these
    sample : numbers of some rows, by which rows in another order are noticed
    classes : the labels that it has, by their code - 1
    waiting : rows without a label
    labels : the code of every row, packed, while some wait; then a digest of them
    """

    name: str
    columns: tuple[str, ...]
    ends: tuple[tuple[int, str], ...]
    sample: tuple[int, ...]
    classes: tuple[str, ...]
    waiting: int
    labels: str

    @property
    def first(self) -> str:
        """The digest by which it is known, whatever it grows to."""
        return self.ends[0][1]

    @property
    def rows(self) -> int:
        """How many rows it had when it was longest."""
        return self.ends[-1][0]

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> "LateFile":
        """Return what a state has written of it."""
        ends = tuple((rows, digest) for rows, digest in facts["ends"])
        lists = {name: tuple(facts[name]) for name in ("columns", "classes", "sample")}
        return cls(**{**facts, **lists, "ends": ends})

    def with_labels(self, codes: Codes, classes: Sequence[str]) -> "LateFile":
        """Return it with other labels."""
        waiting = int(np.count_nonzero(codes == WAITS))
        labels = _packed(codes) if waiting else digest_of_labels(codes, classes)
        return replace(self, classes=tuple(classes), waiting=waiting, labels=labels)

    def codes(self) -> Codes:
        """Return the code of every row, of which some wait."""
        return _unpacked(self.labels)

    def joined(self, other: "LateFile") -> "LateFile":
        """Return the file as two states know it: a row waits that has no label in either."""
        longer, shorter = (self, other) if self.rows >= other.rows else (other, self)
        if not longer.waiting or not shorter.waiting:
            return longer if not longer.waiting or longer.rows > shorter.rows else shorter
        classes, more = [*longer.classes], shorter.codes()
        own = longer.codes()
        more = recoded(more, shorter.classes, classes)
        part = own[: shorter.rows]
        part[part == WAITS] = more[part == WAITS]
        return longer.with_labels(own, classes)


Late = Mapping[str, LateFile]


def need_apart(held: Late, more: Late, *, again: bool = False) -> None:
    """Refuse rows of a file that another state has counted in part, unless they count `again`."""
    ends = {end for one in held.values() for end in one.ends}
    shared = [one.name for one in more.values() if not ends.isdisjoint(one.ends)]
    if shared and not again:
        raise InputError(
            f"rows of {shown(shared, 3)} are counted in both, and each counts once",
            code="rows-counted-already",
            remedy="leave one out, or let them count twice with --again",
        )


def code_of(name: str, classes: list[str]) -> int:
    """Return the code of a class, which is added to those that are known if it is new."""
    name = plain_name(name)
    if name not in classes:
        classes.append(name)
    return classes.index(name) + 1


def recoded(codes: Codes, classes: Sequence[str], known: list[str]) -> Codes:
    """Return codes as those of other classes, which are longer then by those they lack."""
    home = np.array([WAITS, *(code_of(name, known) for name in classes)], np.int32)
    recoded: Codes = home[codes]
    return recoded


def _packed(codes: Codes) -> str:
    small = codes.astype(np.uint8 if codes.max(initial=0) < 256 else np.int32)
    return f"{small.itemsize}:{base64.b85encode(zlib.compress(small.tobytes(), 9)).decode()}"


def _unpacked(text: str) -> Codes:
    size, _, packed = text.partition(":")
    raw = zlib.decompress(base64.b85decode(packed))
    return np.frombuffer(raw, np.uint8 if size == "1" else np.int32).astype(np.int32)


def digest_of_labels(codes: Codes, classes: Sequence[str]) -> str:
    """Return a digest of the label of every row."""
    made = hashlib.blake2b("\n".join(classes).encode(), digest_size=DIGITS // 2)
    made.update(np.ascontiguousarray(codes, np.int32).tobytes())
    return made.hexdigest()
