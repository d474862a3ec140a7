"""Every reading of the columns beside one truth, with its evidence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from plumbline._checks import shown
from plumbline.formatting import quoted
from plumbline.roles import names as nm
from plumbline.roles.evidence import (
    AHEAD,
    CAN,
    FEW_ROWS,
    KNOWN,
    LIKE,
    NEARLY,
    OWN,
    PROB,
    class_groups,
    is_marked,
    rest,
    weigh_probability,
    weigh_truth,
)
from plumbline.roles.facts import NOT_AVAILABLE, Column, cut_of, falls, sums_to_one
from plumbline.roles.names import (
    affixes,
    is_model,
    is_time,
    one_affix,
    plain,
    related,
    rest_of,
    words_of,
)
from plumbline.roles.positive import both_classes, named_after_column, usual_pair
from plumbline.roles.reading import OWN_PARTS, Reading, Said, UnclearColumns
from plumbline.roles.sides import RECURS, Sides

ASKED_ROWS = 15  # from which "never below one half" says something


def readings_beside(
    truth: Column, columns: Sequence[Column], sides: Sides, said: Said
) -> list[Reading]:
    """Return the readings of the columns beside a truth; empty where it is no likely truth.

    Raises UnclearColumns where something must be said before it can be read.
    """
    return _Beside.of(truth, columns, sides, said).readings()


@dataclass(frozen=True)
class _Beside:
    """A truth and the columns beside it.

    Attributes
    ----------
    base : weight of the truth
    labels : the classes, as far as they are known
    free : the columns that may be probabilities, with `weights`
    predicted : the column of predicted labels
    """

    truth: Column
    base: int
    labels: tuple[str, ...]
    free: tuple[Column, ...]
    weights: dict[str, int]
    predicted: Column | None
    sides: Sides
    said: Said

    @classmethod
    def of(cls, truth: Column, columns: Sequence[Column], sides: Sides, said: Said) -> "_Beside":
        """Gather what the readings depend on."""
        labelled = next((c for c in columns if c.name == sides.columns.get("predicted")), None)
        shared = labelled is None or {*labelled.labels} & {*both_classes(truth.labels)}
        if not shared and "predicted" not in said.parts:  # what is done, not which class
            others = {part: name for part, name in sides.columns.items() if part != "predicted"}
            sides, labelled = replace(sides, columns=others), None
        used = {truth.name, *sides.columns.values()}
        free = tuple(
            column
            for column in columns
            if column.name not in used and (not said.prob or column.name in said.prob)
        )
        told = said.actual is not None
        weights = {
            column.name: OWN if column.name in said.prob else weigh_probability(column, truth)
            for column in free
        }
        return cls(
            truth=truth,
            base=OWN if told else weigh_truth(truth),
            labels=both_classes(truth.labels),
            free=free,
            weights=weights,
            predicted=labelled,
            sides=sides,
            said=said,
        )

    # ------------------------------------------------------------ the shapes, in this order

    def readings(self) -> list[Reading]:
        """Return the readings by the first shape that the columns have."""
        for shape in (self._by_classes, self._lists):
            found = shape()
            if found is not None:
                return found
        best, tops = self._named()
        if len(self.labels) > 2 or (len(self.labels) == 2 and not self.base):
            return self._many_labels(best, tops)
        unnamed = [c for c in self.free if self.weights[c.name] == CAN]
        if len(tops) > 1 or (not tops and len(unnamed) > 1):
            return self._several(best, tops, unnamed)
        if not tops and unnamed:
            return self._unnamed(unnamed[0])
        if not tops:
            return self._none()
        return self._single(tops[0])

    def _made(self, score: int, prob: Sequence[tuple[str, Any]] = (), **more: Any) -> Reading:
        parts = {part: name for part, name in self.sides.columns.items() if part != RECURS}
        used = dict(prob)
        own = (c.name for c in self.free if c.name in OWN_PARTS and c.name not in used)
        return Reading(
            self.truth.name,
            tuple(prob),
            parts=parts,
            attributes=tuple(own),  # named beside truth and probabilities it would play its part
            recurs=self.sides.columns.get(RECURS),
            explained=self.sides.explained,
            score=self.base + score,
            **more,
        )

    def _usual(self) -> str | None:
        """Return the positive class that the user or the names of the classes tell."""
        if self.said.positive is not None:
            return self.said.positive
        if len(self.labels) != 2:
            return None
        pair = usual_pair(self.labels)
        return pair[1] if pair else named_after_column(self.truth.name, self.labels)

    def _by_classes(self) -> list[Reading] | None:
        """Read columns that are named after the classes."""
        ends = [
            c
            for c in self.free
            if self.weights[c.name] or (c.is_number and 0 <= c.ends[0] <= c.ends[1] <= 1)
        ]
        several = len(self.truth.labels) > 1
        held = ends if several else filter(is_marked, ends)
        groups = class_groups(held, self.truth.labels, self.truth.name)
        if PROB in groups and not {*self.truth.labels} <= {*groups[PROB]}:
            return []
        if PROB in groups:
            pairs = [(column.name, label) for label, column in groups[PROB].items()]
            return [self._made(2 * OWN, pairs, shape="classes")]
        whole = [g for g in groups.values() if several and len(g) == len(self.truth.labels)]
        summing = [g for g in whole if self.said.normalize or sums_to_one(g.values())]
        if not summing:
            if whole and len(self.truth.labels) > 2:
                self._refuse_sums(whole[0])
            self._refuse_scale_of_classes()
            return None
        if len(summing) > 1 and len(self.labels) == 2:
            return self._models_of_two(summing)
        return [
            self._made(
                OWN + KNOWN if len(summing) == 1 else OWN,
                [(group[label].name, label) for label in self.truth.labels],
                shape="classes",
                **self._positive(self._usual()),
            )
            for group in summing
        ]

    def _models_of_two(self, groups: Sequence[dict[str, Column]]) -> list[Reading]:
        """Read a column a class of several models as one column a model."""
        usual = self._usual()
        return [
            self._made(
                OWN,
                [(group[label].name, None) for group in groups],
                shape="models",
                **self._positive(label),
            )
            for label in ([usual] if usual else self.labels)
        ]

    def _refuse_sums(self, group: dict[str, Column]) -> NoReturn:
        names = shown([column.name for column in group.values()])
        pairs = [(group[label].name, label) for label in self.truth.labels]
        raise UnclearColumns(
            f"the columns {names} are named as the classes, and their rows do not sum to 1",
            code="sum-not-one",
            readings=[self._made(0, pairs, shape="classes")],
            extra=[("normalize", True)],
        )

    def _refuse_scale_of_classes(self) -> None:
        """Refuse columns named after the classes that hold logits, or percent."""
        numbers = [c for c in self.free if c.is_number or c.kind == "percent"]
        numbers = [c for c in numbers if not ({*c.words} - nm.PERCENT) & nm.NOT_PROB]
        words = [[word for word in c.words if word not in nm.PERCENT] for c in numbers]
        bare = [replace(c, name=" ".join(w)) for c, w in zip(numbers, words, strict=True)]
        given = dict(zip(map(id, bare), numbers, strict=True))
        named = any(weight >= KNOWN for weight in self.weights.values())
        groups = class_groups(bare, self.truth.labels, self.truth.name)
        for group in groups.values():
            if {*group} != {*self.truth.labels} or len(group) < 2:
                continue
            columns = [given[id(group[label])] for label in self.truth.labels]
            low = min(column.ends[0] for column in columns)
            high = max(column.ends[1] for column in columns)
            if sums_to_one([column.scaled(Said(scale=100)) for column in columns]):
                how: dict[str, Any] = {"scale": 100.0}
            elif low < 0 and self.base > CAN and not named:
                how = {"logits": True}
            else:
                continue
            pairs = [*zip([c.name for c in columns], self.truth.labels, strict=True)]
            told = self._positive(self._usual())
            raise UnclearColumns(
                f"the columns {shown([c.name for c in columns])} are named as the classes and hold "
                f"numbers from {low:g} to {high:g}: {'logits' if 'logits' in how else 'percent'}?",
                code="scale-unclear",
                readings=[self._made(0, pairs, shape="classes", **told, **how)],
            )

    def _lists(self) -> list[Reading] | None:
        """Read a column of lists, one number a class."""
        lists = [c for c in self.free if c.kind == "list" and self.weights[c.name]]
        if not lists:
            return None
        best = max(self.weights[column.name] for column in lists)
        tops = [column for column in lists if self.weights[column.name] == best]
        if any(column.lowest >= 0 for column in tops):  # beside probabilities others are logits
            tops = [column for column in tops if column.lowest >= 0]
        if len(tops) > 1:
            return [self._made(KNOWN, [(c.name, None)], shape="lists") for c in tops]
        told = self._positive(self._usual())
        reading = self._made(best, [(tops[0].name, None)], shape="lists", **told)
        if tops[0].lowest < 0 and not self.said.logits:
            raise UnclearColumns(
                f"column {quoted(tops[0].name)} holds lists of logarithms or logits, not of "
                "probabilities",
                code="logits",
                readings=[replace(reading, logits=True)],
            )
        return [reading]

    def _named(self) -> tuple[int, list[Column]]:
        """Return the best weight of a name, and the columns that are as good as it."""
        named = [c for c in self.free if self.weights[c.name] >= LIKE]
        best = max((self.weights[c.name] for c in named), default=0)
        if best == NEARLY:
            models = [c for c in named if self.weights[c.name] == NEARLY]
            if one_affix([column.words for column in models]):  # pd_logit, pd_gbm: of one kind
                return best, models
            named = [c for c in self.free if self.weights[c.name]]
        ahead = AHEAD if best < OWN else 1
        tops = [c for c in named if best == NEARLY or self.weights[c.name] > best - ahead]
        if best == KNOWN:  # one that shares the affix is never dropped without a word
            tops += [
                c
                for c in named
                if c not in tops and any(affixes(c.words) & affixes(top.words) for top in tops)
            ]
        return best, tops

    def _many_labels(self, best: int, tops: Sequence[Column]) -> list[Reading]:
        """Read predicted labels beside three classes or more that have no columns of their own."""
        if self.predicted is not None and not tops:
            self._refuse_nested()
            return [self._made(KNOWN, shape="labels")]
        if self.base <= CAN:
            return []
        absent = [label for label in self.labels if label.casefold() in NOT_AVAILABLE]
        missing = f"; leave {shown(absent)} empty where it stands for a missing value"
        raise UnclearColumns(
            f"column {quoted(self.truth.name)} has {len(self.labels):,} classes "
            f"({shown(self.labels)}), and no columns are named as all of them"
            f"{missing if absent else ''}",
            code="classes-missing",
            readings=self._in_order(),
        )

    def _in_order(self) -> list[Reading]:
        """Return the reading of columns that sum to 1 as the classes in their order.

        A column that is named as one class is never offered as another. Numbers are no such names:
        p1 to p3 may be the classes 0 to 2.
        """
        unit = [c for c in self.free if c.is_number and 0 <= c.ends[0] <= c.ends[1] <= 1]
        if len(unit) != len(self.labels) or not sums_to_one(unit):
            return []
        worded = [label for label in self.labels if not label.isnumeric()]
        if any(class_groups(unit, worded, self.truth.name).values()):
            return []
        pairs = zip((c.name for c in unit), self.labels, strict=True)
        return [self._made(KNOWN, [*pairs], shape="classes")]

    def _several(
        self, best: int, tops: Sequence[Column], unnamed: Sequence[Column]
    ) -> list[Reading]:
        """Read several columns that may be probabilities: models, classes, or one of them."""
        pool = list(tops or unnamed)
        usual, left = self._usual(), [rest(column) or column.words for column in pool]
        summing = sums_to_one(pool)
        if summing and len(pool) == len(self.labels):
            return [
                self._made(
                    best,
                    [*zip([c.name for c in pool], order, strict=True)],
                    shape="classes",
                    **self._positive(usual),
                )
                for order in (self.labels, self.labels[::-1])
            ]
        timed = any(map(is_time, left))
        near = max(map(self._near, pool))
        models = self._made(
            best + near, [(c.name, None) for c in pool], shape="models", **self._positive(usual)
        )
        bare = all(rest(column) is None for column in pool)
        alike = one_affix([column.words for column in pool])
        left_over = bool(unnamed) and bare and not alike and not self.said.prob
        told = len(self.said.prob) == len(pool)
        plainly = bool(tops) and not timed and not left_over and self._are_models(pool, left)
        of_either = [models]
        if not usual and len(self.labels) == 2:
            of_either = [replace(models, positive=label) for label in self.labels]
        if (told or plainly) and not summing:
            return of_either
        alone = [
            self._made(best + near, [(column.name, None)], **self._positive(usual))
            for column in pool
        ]
        return [*(of_either if not summing and not timed else []), *alone]

    def _are_models(self, pool: Sequence[Column], left: Sequence[tuple[str, ...]]) -> bool:
        """Tell whether columns are plainly models: of one structure, each a known model."""
        rests = [rest(column) for column in pool]
        one_structure = len({one is None for one in rests}) == 1
        bare = next((c for c, one in zip(pool, rests, strict=True) if one == ()), None)
        shared = bare is None or all(affixes(c.words) & affixes(bare.words) for c in pool)
        plainly = sum(one == () for one in rests) < 2
        known = all(
            one == () or is_model(words, bare=one is None)
            for one, words in zip(rests, left, strict=True)
        )
        return one_structure and shared and plainly and known and not any(map(is_time, left))

    def _unnamed(self, column: Column) -> list[Reading]:
        """Read a column without a name for it only if no other could play a part."""
        others = [
            c
            for c in self.free
            if c is not column and (c.kind == "number" or (c.labels and not c.distinct))
        ]
        if not others:
            return self._single(column)
        if self.base <= CAN:
            return []
        raise UnclearColumns(
            f"no column is named as a probability; {quoted(column.name)} lies in [0, 1]",
            code="columns-unknown",
            readings=self._alone(column),
        )

    def _alone(self, column: Column, **more: Any) -> list[Reading]:
        """Return a column as the probability of the usual class, else of either."""
        usual = self._usual()
        return [
            self._made(0, [(column.name, None)], **self._positive(label), **more)
            for label in ([usual] if usual else self.labels)
        ]

    def _none(self) -> list[Reading]:
        """Read predicted labels alone; else say what a column outside [0, 1] may be."""
        if "score" in self.said.parts:
            return [self._made(KNOWN, shape="ratings", **self._positive(self._usual()))]
        self._refuse_scale()
        self._refuse_nested()
        if self.predicted is not None:
            return [self._made(KNOWN, shape="labels", **self._positive(self._usual()))]
        if self.base <= CAN:
            return []
        rated = [c for c in self.free if c.is_number and len(c.values) > 2]
        rated = [c for c in rated if not {*c.words} & nm.NOT_PROB]
        if len(rated) == 1 and len(self.labels) == 2:
            self._refuse_outside(rated[0], named=False)
        raise UnclearColumns(
            f"column {quoted(self.truth.name)} may hold the true classes, and no column can hold "
            "their probabilities",
            code="columns-unknown",
        )

    def _refuse_nested(self) -> None:
        """Refuse to leave out a column named as probabilities because of how it holds them."""
        nested = (c for c in self.free if c.kind == "nested")
        column = next((c for c in nested if c.squeezed in nm.PROB or rest(c) is not None), None)
        if column is not None and self.base > CAN:
            raise UnclearColumns(
                f"column {quoted(column.name)} is named as probabilities and holds objects; write "
                "a list of numbers a row, or a column of numbers for each class",
                code="probabilities-nested",
            )

    def _refuse_scale(self) -> None:
        named_score = any(column.name == "score" for column in self.free)  # it is the rating then
        ratings = frozenset() if named_score else nm.RATING
        for column in self.free:
            words = column.words
            if 10 < column.ends[1] <= 100:
                words = tuple(word for word in words if word not in nm.PERCENT)
            left, other = rest_of(words), {*words} & nm.NOT_PROB
            known = "".join(words) in nm.PROB | nm.MARGIN | ratings
            named = known or left or column.name in self.said.prob
            if column.kind == "percent":
                fits = self.base > CAN or bool(left)  # a sign says as much as a name
            else:
                fits = self.base > CAN and column.is_number and bool(named) and not other
            if fits:
                self._refuse_percent_of_models()
                self._refuse_outside(column)
        self._refuse_percent_of_models()

    def _refuse_percent_of_models(self) -> None:
        """Refuse several columns of percent with the reading as models first, then each alone."""
        usual = self._usual()
        signed = [column for column in self.free if column.kind == "percent"]
        models = [
            column
            for column in self.free
            if column.is_number
            and column.ends[0] >= 0
            and 10 < column.ends[1] <= 100
            and self._is_model_in_percent(column)
        ]
        pool = signed if len(signed) > 1 else models
        if len(pool) < 2 or usual is None or self.base <= CAN:
            return
        many = self._made(
            0,
            [(column.name, None) for column in pool],
            shape="models",
            **self._positive(usual),
            scale=100.0,
        )
        high = max(column.ends[1] for column in pool)
        raise UnclearColumns(
            f"the columns {shown([column.name for column in pool])} hold numbers up to {high:g}: "
            "percent of several models?",
            code="scale-unclear",
            readings=[many, *(one for c in pool for one in self._alone(c, scale=100.0))],
        )

    def _is_model_in_percent(self, column: Column) -> bool:
        """Tell whether a name is that of a known model, beside words for percent or probability."""
        words = tuple(word for word in column.words if word not in nm.PERCENT)
        left = rest_of(words)
        return is_model(words if left is None else left, bare=left is None)

    def _refuse_outside(self, column: Column, *, named: bool = True) -> NoReturn:
        """Ask what numbers outside [0, 1] are; where no name tells, they may be a rating too."""
        low, high = column.ends
        text = f"column {quoted(column.name)} holds numbers from {low:g} to {high:g}"
        rated = column.squeezed in nm.RATING
        if (low < 0 and not rated) or column.squeezed in nm.MARGIN:
            what, readings = "logits", self._alone(column, logits=True)
        elif column.kind == "percent" or (10 < high <= 100 and not rated):
            what, readings = "percent", self._alone(column, scale=100.0)
        else:
            what, readings = "", []
        if not what:
            what = "a rating? Metrics of ranks take it as one, or recalibrate it"
        else:
            what += "?" if named else ", or a rating that only ranks?"
        if not readings or not named:
            readings += [
                replace(
                    one,
                    prob=(),
                    shape="ratings",
                    parts={**one.parts, "score": column.name},
                )
                for one in self._alone(column)
            ]
        raise UnclearColumns(f"{text}: {what}", code="scale-unclear", readings=readings)

    # ------------------------------------------------------------ one column of two classes

    def _single(self, column: Column) -> list[Reading]:
        """Read one column as the probability of the class that names and values tell."""
        told = self.said.prob.get(column.name)
        named = told or self._class_named_by(column)
        negated = not named and bool({*(rest(column) or ())} & nm.NEGATED)
        positive = named or (None if negated else self._usual())
        weight = self.weights[column.name] + self._near(column)
        single = self._made(weight, [(column.name, named)], **self._positive(positive))
        if told or self.said.positive is not None:
            return [single]
        both = [
            replace(single, prob=((column.name, None),), positive=label, implied=False)
            for label in self.labels
        ]
        if self.weights[column.name] == OWN and positive:
            return [single]
        self._refuse_top_label(column, named, both)
        side = None if named else self._side_of_predicted(column)
        if side is not None:
            agrees = positive in (None, side)
            return [replace(single, **self._positive(side))] if agrees else both
        self._refuse_followed(column, single)
        if positive is None and len(self.labels) == 1:
            self._refuse_one_label(column, single)
        one_based = {*self.labels} == {"1", "2"}
        if positive is None or one_based or self._contradicts(column, positive, named):
            return both
        return [single]

    def _near(self, column: Column) -> int:
        """Weigh that the names of a probability and of the truth share a word."""
        return LIKE if related(rest(column) or (), self.truth.words) else 0

    def _refuse_one_label(self, column: Column, single: Reading) -> NoReturn:
        (label,) = self.labels
        raise UnclearColumns(
            f"every {quoted(self.truth.name)} is {quoted(label)}, so it is unclear of which class "
            f"{quoted(column.name)} is the probability",
            code="one-label",
            readings=[
                replace(single, prob=((column.name, name),)) for name in (label, f"not {label}")
            ],
        )

    def _positive(self, label: str | None) -> dict[str, Any]:
        """Return the fields of a reading about the positive class; names of classes may tell it."""
        pair = usual_pair(self.labels) if len(self.labels) == 2 else None
        implied = self.said.positive is None and pair is not None and pair[1] == label
        return {"positive": label, "implied": implied}

    def _class_named_by(self, column: Column) -> str | None:
        """Return the class that a column's name holds: bad of `prob_bad`."""
        left = rest(column)
        for label in self.labels:
            words = words_of(label)
            ends = bool(left and words and left[-len(words) :] == words)
            whole = bool(left) and plain(label) == "_".join(left or ())
            same = plain(column.name) == plain(label)
            if whole or ((ends or same) and not label.isdigit()):
                return label
        nearly = [label for label in self.labels if related(left or (), words_of(label))]
        return nearly[0] if len(nearly) == 1 and self._usual() is None else None

    def _contradicts(self, column: Column, positive: str, named: str | None) -> bool:
        """Tell whether names or values say that it is the probability of the other class."""
        words = {*column.words} - {"score"}
        good = bool({*self.truth.words} & nm.GOOD)
        turned = (good and words & nm.BAD) or (not good and not named and words & nm.GOOD)
        return bool(turned) or (
            len(self.labels) == 2
            and positive in self.truth.labels
            and falls(column, self.truth, positive)
        )

    def _refuse_top_label(self, column: Column, named: str | None, both: Sequence[Reading]) -> None:
        """Refuse what is never below one half: it may be of the label that was predicted."""
        low, high = column.ends
        right = self.truth.squeezed in nm.CORRECT or self.truth.words[-1:] == ("correct",)
        enough = column.n >= ASKED_ROWS or self.predicted is not None
        if right or named or not (0.5 <= low < high and enough):
            return
        told = f" ({quoted(self.predicted.name)})" if self.predicted is not None else ""
        raise UnclearColumns(
            f"column {quoted(column.name)} is never below 0.5, so it may be the probability of a "
            f"class, or of the label that was predicted{told}",
            code="top-label-unclear",
            readings=both,
        )

    def _side_of_predicted(self, column: Column) -> str | None:
        """Return the class on the upper side of the cut that predicted labels make."""
        predicted = self.predicted
        if predicted is None or len(predicted.labels) != 2 or len(self.labels) != 2:
            return None
        return cut_of(column, predicted) if {*predicted.labels} <= {*self.labels} else None

    def _refuse_followed(self, column: Column, single: Reading) -> None:
        low, high = column.ends
        asked = self.base <= KNOWN and len(self.labels) == 2 and self.truth.n >= FEW_ROWS
        if asked and self.predicted is None and low < high and cut_of(column, self.truth):
            raise UnclearColumns(
                f"every {quoted(self.truth.name)} follows from {quoted(column.name)}, so it may be "
                "a prediction and not what was observed",
                code="truth-follows",
                readings=[single],
            )
