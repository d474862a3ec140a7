"""Random small tables, and random formulas that mean something on them.

Numbers are multiples of 1/8 or thereabouts, so that sums and products are exact and a comparison
cannot turn out differently because two engines add in another order. What is not exact (a quotient,
a sine) is neither compared nor rounded, and never stands where a function jumps.
"""

from collections.abc import Sequence
from random import Random

from reference import literal_curve
from reference.literal_curve import COUNTS, Settings, Table

CHEST_PAIN = ("asympt", "non anginal", "typical")
RATES = tuple(literal_curve.RATES) + tuple(literal_curve.ALIASES)
TRUTHS = ("eP", "eN", "eCA", "eTP", "eTN", "eFP", "eFN")
NUMBERS = ("0", "1", "2", "3", "0.5", "0.25", "1.5", "-1", "1e3", "True", "inf", "nan")
PLAIN = NUMBERS[:8]
EXACT_FORMS = (
    "-({a})",
    "abs({a})",
    "fabs({a})",
    "({a}) % ({b})",
    "({a}) // ({b})",
    "fmod({a}, {b})",
    "floor({a})",
    "ceil({a})",
    "trunc({a})",
    "round({a})",
    "min({a}, {b})",
    "max({a}, {b}, {n})",
    "clip({a}, -1, {b})",
    "isqrt({a})",
    "gcd({a}, {b})",
    "lcm({a}, 2)",
    "factorial(min({a}, 4))",
    "comb(4, {a})",
    "perm(4, {a})",
    "ldexp({a}, 2)",
    "where({t}, {a}, {b})",
    "{a} if {t} else None",
    'param("rate", 2) * ({a})',
    'param("loss", -0.5) + ({a})',
)
REAL_FORMS = (
    "({s}) / ({b})",
    "({a}) ** ({n})",
    "({a}) ** -1",
    "({s}) ** 2",
    "abs({s})",
    "max({s}, {u})",
    "where({t}, {s}, {u})",
    "sqrt({a})",
    "cbrt({a})",
    "log({a})",
    "log(({a}), 2)",
    "log10({a})",
    "log1p({a})",
    "exp(clip({a}, -3, 3))",
    "exp2(min({a}, 4))",
    "pow({a}, {n})",
    "sin({a})",
    "atan({a}) + ({u})",
    "asin({a})",
    "acosh({a})",
    "tanh({s})",
    "hypot({s}, {a})",
    "erf({a})",
    "lgamma({a})",
    "degrees({s})",
    "pi * ({s})",
    "e - ({s})",
    "round({a}, 1)",
    "cos({a})",
    "tan({a})",
    "acos({a})",
    "asinh({a})",
    "atanh({a})",
    "sinh(min({a}, 4))",
    "cosh({a}) / 2",
    "expm1(min({a}, 4))",
    "radians({s})",
    "erfc({a})",
    "gamma({a})",
    "log2({a})",
    "tau * ({s})",
    "remainder({a}, {b})",
    "atan2({a}, abs({b}) + 1)",
    "copysign({a}, -2)",
)


# ------------------------------------------------------------------ tables


def random_table(rng: Random) -> Table:
    """Draw up to 12 rows a model, of two or three classes, with ties and holes everywhere."""
    models = rng.choice((1, 1, 2, 3))
    n = rng.randint(2, 12 * models)
    classes = rng.choice([("0", "1"), ("no", "yes"), ("a", "b", "c")])
    one_class = rng.random() < 0.08
    actual = [classes[-1]] * n if one_class else [rng.choice(classes) for _ in range(n)]
    given = rng.random()  # mostly probabilities, sometimes ratings beside or instead, or labels
    rated = len(classes) == 2 and given < 0.3
    answers = [rng.choice(classes) for _ in range(n)]
    return Table(
        classes=classes,
        actual=actual,
        prob=None if given < 0.1 else [_probabilities(rng, len(classes)) for _ in range(n)],
        score=_several(rng, n, (-2.0, -0.5, 0.0, 0.5, 3.0)) if rated and given > 0.05 else None,
        predicted=answers if given < 0.1 or rng.random() < 0.2 else None,
        weight=_weights(rng, n),
        fold=[rng.randrange(3) for _ in range(n)] if rng.random() < 0.5 else None,
        model=None if models == 1 else [f"m{rng.randrange(models)}" for _ in range(n)],
        attributes={
            "age": _several(rng, n, (None, 1.0, 1.0, 1.5, 2.25, 4.0, 5.5)),
            "amount": _several(rng, n, (1.0, 2.0, 3.0, 8.0, 0.5)),
            "chest pain": _several(rng, n, (None, *CHEST_PAIN)),
            "smoker": _several(rng, n, (True, False)),
            "P": _several(rng, n, (1.0, 2.0, 5.0)),
        },
    )


def _several(rng: Random, n: int, values: Sequence[object]) -> list:
    """Draw n values from a random part of the given ones, so that ties are many."""
    chosen = rng.sample(values, rng.randint(1, len(values)))
    return [rng.choice(chosen) for _ in range(n)]


def _probabilities(rng: Random, k: int) -> list[float]:
    if k == 2:
        p = rng.choice((0, 1, 2, 4, 4, 7, 8)) / 8
        return [1 - p, p]
    a, b = sorted((rng.choice((0, 1, 3, 4, 8)), rng.choice((0, 2, 4, 8))))
    return [a / 8, (b - a) / 8, (8 - b) / 8]


def _weights(rng: Random, n: int) -> list[float] | None:
    kind = rng.randrange(4)
    if kind < 2:
        return None
    values = (0.0, 1.0, 2.0, 3.0) if kind == 2 else (0.0, 0.25, 0.5, 1.5)
    weight = [rng.choice(values) for _ in range(n)]
    return weight if any(weight) else [1.0] * n


# ------------------------------------------------------------------ formulas


class Formulas:
    """Draws formulas of a level and a kind; `counts` allows those of a threshold."""

    def __init__(self, rng: Random, table: Table, *, counts: bool) -> None:
        self.rng = rng
        self.table = table
        self.counts = counts

    def drawn(self, level: str, depth: int) -> str:
        """Draw a number for an axis."""
        return self.real(level, depth) if self.rng.random() < 0.5 else self.exact(level, depth)

    def _below(self, level: str) -> str:
        """Draw the level of a part: as high as the whole or lower."""
        return self.rng.choice(
            {
                "set": ["set"],
                "row": ["set", "row", "row"],
                "state": ["set", "row", "state", "state"],
            }[level]
        )

    def number(self, level: str) -> str:
        """Draw one name or one number."""
        if self.rng.random() < 0.2:
            return self.rng.choice(PLAIN if self.rng.random() < 0.9 else NUMBERS)
        if level == "set":
            return self.rng.choice(("P", "N", "NN"))
        if level == "row":
            return self.rng.choice(self._columns())
        if self.counts:
            return self.rng.choice((*COUNTS, *COUNTS, "threshold"))
        return self.rng.choice(("threshold", "cumm(1)", "cumm(eP)", "cumm(amount)", "cumm(age)"))

    def _columns(self) -> list[str]:
        names = ["age", "amount", "iteration", "weight", "smoker", "`P`", "eP", "eN", "eTP", "eFN"]
        names += ["probability"] if self.table.prob else []
        return names + (["score"] if self.table.score else [])

    def exact(self, level: str, depth: int) -> str:
        """Draw a formula whose value has no rounding error."""
        if depth <= 0:
            return self.number(self._below(level) if self.rng.random() < 0.3 else level)
        rng = self.rng
        a = self.exact(level, depth - 1)
        often = [
            "{a} + {b}",
            "({a}) - ({b})",
            "({a}) * ({b})",
            "({a}) ** 2",
            "{a} if {t} else {b}",
            "({t})",
            "{a}",
            *self._own(level),
        ]
        forms = often if rng.random() < 0.6 else EXACT_FORMS
        b = self.exact(self._below(level), depth - 1)
        return self._filled(rng.choice(forms), level, depth, {"a": a, "b": b})

    def _own(self, level: str) -> list[str]:
        """Return what only this level has."""
        return {
            "set": ["total({r})", "quantile({r}, {q})", "total({r})"],
            "row": ["rank({r})", "rank({r})"],
            "state": ["cumm({r})", "cumm({r})", "cum({r})", "cumm({r})", "cumm({r})"],
        }[level]

    def real(self, level: str, depth: int) -> str:
        """Draw a formula whose value may have one; it is smooth in its parts that have."""
        if depth <= 0:
            return self.rate() if level == "state" and self.counts else self.number(level)
        a = self.exact(self._below(level), depth - 1)
        b = self.exact(self._below(level), depth - 1)
        s, u = self.real(level, depth - 1), self.real(self._below(level), depth - 1)
        often = [
            "({a}) / ({b})",
            "({s}) + ({u})",
            "({s}) - ({u})",
            "({s}) * ({u})",
            "{s} if {t} else {u}",
            "mean({r}) + ({s})",
            "total({r} / 3) - ({s})",
        ]
        if level == "state":
            often += ["cumm({m})", "cumm({m}) / NN", "cumm({m})"]
            often += ["{v}", "{v}", "({v}) - ({s})", "{v}"] if self.counts else []
        forms = often if self.rng.random() < 0.7 else REAL_FORMS
        return self._filled(self.rng.choice(forms), level, depth, {"a": a, "b": b, "s": s, "u": u})

    def rate(self) -> str:
        """Draw a rate of the threshold."""
        return self.rng.choice(RATES)

    def _filled(self, form: str, level: str, depth: int, parts: dict[str, str]) -> str:
        """Fill the holes of a form, each with a formula of its kind."""
        makers = {
            "t": lambda: self.truth(self._below(level), depth - 1),
            "r": lambda: self.exact("row", min(depth - 1, 1)),
            "m": lambda: self.real("row", min(depth - 1, 1)),
            "n": lambda: self.rng.choice(PLAIN),
            "q": lambda: self.rng.choice(("0", "0.25", "0.5", "0.9", "1")),
            "v": self.rate,
        }
        made = {hole: make() for hole, make in makers.items() if "{" + hole + "}" in form}
        return form.format(**parts, **made)

    def truth(self, level: str, depth: int) -> str:
        """Draw a condition."""
        rng = self.rng
        low = self._below(level)
        if depth <= 0:
            if level == "row" and rng.random() < 0.7:
                return rng.choice(TRUTHS if rng.random() < 0.4 else self._named())
            compare = rng.choice(("<", "<=", ">", ">=", "==", "!="))
            return f"{self.number(level)} {compare} {self.number(low)}"
        t, u = self.truth(level, depth - 1), self.truth(low, depth - 1)
        a, b = self.exact(level, depth - 1), self.exact(low, depth - 1)
        forms = [
            f"({t}) and ({u})",
            f"({t}) or ({u})",
            f"not ({t})",
            f"({a}) > ({b})",
            f"0 < ({a}) <= ({b})",
            f"({a}) in (1, 2, {rng.choice(PLAIN)})",
            f"isnan({a})",
            f"isfinite({a})",
            f"({t}) == ({u})",
            t,
        ]
        return rng.choice(forms)

    def _named(self) -> list[str]:
        """Return conditions on classes and categories."""
        classes, pain = self.table.classes, self.rng.choice(CHEST_PAIN)
        one = self.rng.choice(classes)
        conditions = [
            f"actualClass == '{one}'",
            f"predictedClass != '{one}'",
            "trueClass == targetClass",
            "predictedClass != targetClass != actualClass",
            f"actualClass in ('{one}', \"{classes[0]}\")",
        ]
        if classes == ("0", "1"):
            conditions.append("actualClass == 1")
        if pain in self.table.attributes["chest pain"]:
            conditions += [
                f"chest_pain == '{pain}'",
                f"`chest pain` != '{pain}'",
                f"`chest pain` not in ('{pain}',)",
            ]
        return conditions


# ------------------------------------------------------------------ what is asked


def random_settings(rng: Random, table: Table) -> Settings:
    """Draw a curve that is allowed on a table."""
    direction = rng.choice(("descending", "descending", "ascending", "ascending", "unsorted"))
    sort_by, rates = (None, False) if direction == "unsorted" else _sort_key(rng, table)
    formulas = Formulas(rng, table, counts=rates and rng.random() < 0.7)
    merge = rng.choice(("last", "average", "none"))
    return Settings(
        x=_x(rng, formulas, merge),
        y=formulas.drawn("state", rng.choice((0, 1, 2, 2, 3))),
        sort_by=sort_by,
        direction=direction,
        merge=merge,
        average="none" if table.fold and rng.random() < 0.4 else "merge",
        where=formulas.truth("row", rng.randrange(3)) if rng.random() < 0.25 else None,
        target=rng.choice(table.classes) if rng.random() < 0.4 else None,
        params={"rate": 3.0} if rng.random() < 0.3 else {},
    )


def _sort_key(rng: Random, table: Table) -> tuple[str | None, bool]:
    """Draw what to sort by, and whether it rates the rows."""
    keys = [
        (None, True),
        (None, True),
        ("age", False),
        ("chest_pain", False),
        ("iteration", False),
        ("smoker", False),
        ("amount", False),
    ]
    keys += [("probability", True)] if table.prob else []
    keys += [("score", True)] if table.score else []
    if rng.random() < 0.25:
        policy = Formulas(rng, table, counts=False).exact("row", 2)
        return f"1 * ({policy})", True
    return rng.choice(keys)


def _x(rng: Random, formulas: Formulas, merge: str) -> str:
    kind = rng.random()
    if kind < 0.3:
        return formulas.drawn("state", rng.randrange(4))
    if kind < 0.4 and merge != "average":
        return rng.choice(("chest_pain", "predictedClass", "actualClass", "`chest pain`"))
    names = ["threshold", "cumm(1) / NN", "1"] + (["probability"] if formulas.table.prob else [])
    return rng.choice([*names, "FPR", "PP / NN"] if formulas.counts else names)
