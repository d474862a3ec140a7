"""Text -> tree, in the grammar of Python's expressions, of which a formula may use a small part.

The parser is the project's own and never hands the text to Python: so every place in an error is
exact, no version of Python changes what a formula means, and no text can reach an evaluator.
"""

from typing import NamedTuple

from plumbline.errors import FormulaError
from plumbline.formula.tokens import RESERVED, Token, tokens

LONGEST = 2000  # characters
DEEPEST = 100  # levels of a tree
MOST = 500  # parts of a tree

COMPARISONS = {"<", "<=", ">", ">=", "==", "!=", "in", "not in"}
BINDING = {"+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6, "**": 8}
TERNARY, OR, AND, NOT, COMPARE, UNARY = 0, 1, 2, 3, 4, 7
REFUSED = {
    "is": "write `==`, or `isnan(x)` to ask whether x is undefined",
    "lambda": "a formula defines no functions",
    **dict.fromkeys(("for", "while", "async", "await", "yield"), "a formula has no loops"),
    **dict.fromkeys(
        (
            "import",
            "from",
            "as",
            "with",
            "del",
            "global",
            "nonlocal",
            "assert",
            "class",
            "def",
            "return",
            "raise",
            "try",
            "except",
            "finally",
            "pass",
            "break",
            "continue",
        ),
        "a formula is one expression, it has no statements",
    ),
    "elif": "write `a if c else b if d else f`",
}


class Node(NamedTuple):
    """A part of a formula as written: characters `start` to `end` of its text, brackets included.

    Attributes
    ----------
    op : "number", "text", "truth", "none", "name", "ticked", "call", "list", "neg", "pos", "not",
        "and", "or", "compare", "if", or the sign of an arithmetic operation
    parts : what it is made of
    value : the number, text or name; of a comparison, its signs
    depth : levels of the tree from here down
    """

    op: str
    start: int
    end: int
    parts: tuple["Node", ...] = ()
    value: float | str | bool | tuple[str, ...] = ""
    depth: int = 1


def parse(text: str) -> Node:
    """Return the tree of a formula; FormulaError says what is wrong and where."""
    if len(text) > LONGEST:
        raise FormulaError(
            f"a formula has at most {LONGEST} characters, this one has {len(text)}",
            formula=text[: LONGEST + 1],
            start=LONGEST,
            end=LONGEST + 1,
        )
    if not text.strip():
        raise FormulaError("the formula is empty", formula=text, start=0, end=len(text))
    return _Parser(text).whole()


class _Parser:
    """Reads from left to right; an operator takes what binds at least as tightly as it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = tokens(text)
        self.now, self.after = next(self.words), next(self.words)
        self.before: Token | None = None
        self.depth = 0
        self.count = 0

    def whole(self) -> Node:
        self.refuse_wrong()
        tree = self.expression(TERNARY)
        if self.now.sort != "end":
            raise self.unexpected()
        return tree

    def sign(self) -> str:
        """Return the operator or reserved word that comes next, else nothing."""
        token = self.now
        if token.sort != "sign":
            return ""
        if token.value == "not" and self.after.sort == "sign" and self.after.value == "in":
            return "not in"
        return str(token.value)

    def take(self) -> Token:
        """Go on to the next word."""
        taken = self.before = self.now
        self.now, self.after = self.after, next(self.words)
        self.refuse_wrong()
        return taken

    def refuse_wrong(self) -> None:
        """Refuse a word that is not part of any formula."""
        if self.now.sort == "wrong":
            raise self.wrong(str(self.now.value), self.now.start, self.now.end)

    @property
    def reached(self) -> int:
        """The place after the word taken last."""
        return self.before.end if self.before else 0

    def wrong(self, message: str, start: int, end: int) -> FormulaError:
        return FormulaError(message, formula=self.text, start=start, end=end)

    def node(
        self, op: str, parts: tuple[Node, ...], *, start: int, value: str | tuple[str, ...] = ""
    ) -> Node:
        end = self.reached
        depth = 1 + max((part.depth for part in parts), default=0)
        self.count += 1
        if depth > DEEPEST or self.count > MOST:
            raise self.wrong(
                f"the formula is too large: at most {MOST} parts, {DEEPEST} levels deep", start, end
            )
        return Node(op, start, end, parts, value, depth)

    def expression(self, least: int) -> Node:
        """Read as far as operators bind at least as tightly as `least`."""
        self.depth += 1
        if self.depth > DEEPEST:
            token = self.now
            raise self.wrong(
                f"the formula is more than {DEEPEST} levels deep", token.start, token.end
            )
        left = self.operand(least)
        while (longer := self.longer(left, least)) is not None:
            left = longer
        self.depth -= 1
        return left

    def longer(self, left: Node, least: int) -> Node | None:
        """Return `left` with the next operator and what it takes, None where none binds."""
        sign = self.sign()
        if sign in BINDING and BINDING[sign] >= least:
            self.take()
            right = self.expression(UNARY if sign == "**" else BINDING[sign] + 1)
            return self.node(sign, (left, right), start=left.start)
        if sign in COMPARISONS and least <= COMPARE:
            return self.comparison(left)
        if (sign == "and" and least <= AND) or (sign == "or" and least <= OR):
            parts = [left]
            while self.sign() == sign:
                self.take()
                parts.append(self.expression((AND if sign == "and" else OR) + 1))
            return self.node(sign, tuple(parts), start=left.start)
        if sign == "if" and least <= TERNARY:
            return self.conditional(left)
        return None

    def comparison(self, left: Node) -> Node:
        parts, signs = [left], []
        while (sign := self.sign()) in COMPARISONS:
            self.take()
            if sign == "not in":
                self.take()
            signs.append(sign)
            inside = sign in ("in", "not in")
            parts.append(self.choices(sign) if inside else self.expression(COMPARE + 1))
            if inside and (self.sign() in BINDING or self.sign() in COMPARISONS):
                raise self.wrong(
                    f"`{self.sign()}` would take the list as its left side; put brackets around "
                    f"the comparison: `(x {sign} (1, 2)) {self.sign()} ...`",
                    self.now.start,
                    self.now.end,
                )
        return self.node("compare", tuple(parts), start=left.start, value=tuple(signs))

    def conditional(self, left: Node) -> Node:
        word = self.take()
        condition = self.expression(OR)
        if self.sign() != "else":
            if self.now.sort not in ("end", "sign") or self.sign() == "[":
                raise self.unexpected()
            raise self.wrong(
                "this `if` has no `else`; write `a if condition else b` (`else None` leaves the "
                "other rows undefined)",
                word.start,
                word.end,
            )
        self.take()
        return self.node("if", (condition, left, self.expression(TERNARY)), start=left.start)

    def choices(self, sign: str) -> Node:
        """Read the list after `in`."""
        opening = self.now
        if self.sign() not in ("(", "["):
            raise self.wrong(
                f"`{sign}` needs a list, such as `{sign} ('a', 'b')`", opening.start, opening.end
            )
        self.take()
        parts = self.items(opening)
        if not parts:
            raise self.wrong("this list is empty", opening.start, self.reached)
        return self.node("list", parts, start=opening.start)

    def items(self, opening: Token) -> tuple[Node, ...]:
        """Read expressions between commas, and the bracket that closes them."""
        closing = {"(": ")", "[": "]"}[str(opening.value)]
        found: list[Node] = []
        while self.sign() != closing:
            if self.sign() in ("*", "**"):
                raise self.wrong(
                    "arguments cannot be unpacked with `*`", self.now.start, self.now.end
                )
            found.append(self.expression(TERNARY))
            if self.sign() == ",":
                self.take()
            elif self.sign() != closing:
                raise self.unclosed(opening)
        self.take()
        return tuple(found)

    def operand(self, least: int) -> Node:
        token, sign = self.now, self.sign()
        if token.sort in ("number", "text"):
            self.take()
            return self.leaf(token, token.sort)
        if sign in ("+", "-"):
            self.take()
            op = "neg" if sign == "-" else "pos"
            return self.node(op, (self.expression(UNARY),), start=token.start)
        if sign in ("not", "not in"):
            if least > NOT:
                raise self.wrong("put `not ...` in brackets here", token.start, token.end)
            self.take()
            return self.node("not", (self.expression(NOT),), start=token.start)
        if sign in ("True", "False", "None"):
            self.take()
            return self.leaf(token, "none" if sign == "None" else "truth")
        if sign == "(":
            return self.bracketed()
        if token.sort in ("name", "ticked"):
            return self.name()
        raise self.missing(token)

    def leaf(self, token: Token, op: str) -> Node:
        self.count += 1
        value = token.value == "True" if op == "truth" else token.value
        return Node(op, token.start, token.end, (), value)

    def bracketed(self) -> Node:
        opening = self.take()
        if self.sign() == ")":
            raise self.wrong("there is nothing between these brackets", opening.start, self.now.end)
        inner = self.expression(TERNARY)
        if self.sign() == ",":
            raise self.wrong(
                "a list stands only after `in`, and arguments only after the name of a function",
                self.now.start,
                self.now.end,
            )
        if self.sign() != ")":
            raise self.unclosed(opening)
        self.take()
        return inner._replace(start=opening.start, end=self.reached)

    def name(self) -> Node:
        token = self.now
        if token.sort == "name" and token.value in REFUSED:
            why = REFUSED[str(token.value)]
            raise self.wrong(
                f"`{token.value}` is a word of Python that a formula does not have: {why} "
                "(a name that is such a word goes into back-ticks)",
                token.start,
                token.end,
            )
        self.take()
        if self.sign() == "(" and token.sort == "name":
            opening = self.take()
            parts = self.items(opening)
            return self.node("call", parts, start=token.start, value=str(token.value))
        return self.leaf(token, token.sort)

    def missing(self, token: Token) -> FormulaError:
        """Say that a value is missing here."""
        before = self.before
        after = f" after `{before.value}`" if before else ""
        if before and before.value == "%":
            return self.wrong(
                "`%` is the remainder of a division, with a number after it; write 0.5 for 50 %",
                before.start,
                before.end,
            )
        if token.sort == "end":
            place = before or token
            return self.wrong(
                f"the formula ends where a value is missing{after}", place.start, place.end
            )
        if token.value == "[":
            return self.wrong("a list stands only after `in`", token.start, token.end)
        return self.wrong(
            f"a value is missing{after}, before `{token.value}`", token.start, token.end
        )

    def unexpected(self) -> FormulaError:
        """Say why what comes next cannot follow a value."""
        token = self.now
        if token.sort == "end":
            return self.wrong("the formula ends too early", token.start, token.end)
        if token.sort != "sign" or token.value in RESERVED:
            return self.wrong(self.two_values(token), token.start, token.end)
        why = {
            ")": "this bracket closes nothing",
            "]": "this bracket closes nothing",
            "(": "only the name of a function can stand before a bracket; write `*` to multiply",
            "[": "a formula takes no parts of a value with `[...]`; write a list only after `in`",
            ",": "a comma stands only between the arguments of a function and in a list after `in` "
            "(a decimal number has a point)",
        }
        return self.wrong(
            why.get(str(token.value), f"`{token.value}` cannot stand here"), token.start, token.end
        )

    def two_values(self, token: Token) -> str:
        """Say why a value cannot follow another."""
        before = self.before
        if token.sort == "sign" and token.value == "else":
            return "this `else` has no `if`"
        if before and before.sort == token.sort == "name":
            return (
                "an operator is missing before this; a name with spaces goes into back-ticks, "
                f"`{before.value} {token.value}`"
            )
        return "an operator is missing before this"

    def unclosed(self, opening: Token) -> FormulaError:
        """Say that a bracket is never closed, unless something else is wrong before."""
        if self.now.sort == "end":
            return self.wrong("this bracket is never closed", opening.start, opening.end)
        return self.unexpected()
