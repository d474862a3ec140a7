"""Text -> words -> tree, in the grammar of Python's expressions; a formula may use a part of it.

The parser is the project's own and never passes the text to Python: errors give the exact place, no
version of Python changes the meaning of a formula, and no text reaches an evaluator.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from plumbline.errors import FormulaError
from plumbline.formatting import quoted

Sort: TypeAlias = Literal["number", "name", "ticked", "text", "sign", "wrong", "end"]

RESERVED = {"and", "or", "not", "in", "if", "else", "True", "False", "None"}
OPERATORS = ("**", "//", "<=", ">=", "==", "!=", *"+-*/%<>(),[]")

# What people write in place of what the language has; the longest first.
SLIPS = {
    "&&": "write `and`",
    "||": "write `or`",
    "<>": "write `!=` for unequal",
    "=<": "write `<=`",
    "=>": "write `>=`",
    "===": "write `==`",
    ":=": "a formula has no assignments; write `==` to compare",
    "->": "a formula defines no functions",
    "=": "`=` assigns; write `==` to compare (and give arguments by position, without names)",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or `!=` for unequal",
    "^": "write `**` for a power",
    "~": "write `not`",
    "?": "write `a if condition else b`",
    ".": "a formula has no attributes or methods (dots only in numbers)",
    "#": "a formula has no comments",
    "@": "a formula has no `@`",
    "$": "a formula has no `$`; write the name alone, or in back-ticks",
    ";": "a formula is one expression; there is nothing to separate",
    ":": "a formula has no colons",
    "{": "write round brackets",
    "}": "write round brackets",
    "\\": "a backslash stands only inside quotes",
    "−": "write `-`",
    "–": "write `-`",
    "×": "write `*`",
    "·": "write `*`",
    "÷": "write `/`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "²": "write `**2`",
    "³": "write `**3`",
    "√": "write `sqrt(...)`",
    "∞": "write `inf`",
    "∧": "write `and`",
    "∨": "write `or`",
    "¬": "write `not`",
    "∈": "write `in`",
    **dict.fromkeys("“”„‘’‚«»´", "write straight quotes, ' or \""),
}
SIGNS = "|".join(map(re.escape, sorted([*OPERATORS, *SLIPS], key=len, reverse=True)))
DIGITS = "[0-9](?:_?[0-9])*"
WORD = re.compile(
    rf"""\s*(?:
        (?P<number>(?:{DIGITS}(?:\.(?:{DIGITS})?)?|\.{DIGITS})(?:[eE][-+]?{DIGITS})?)
        |(?P<name>[^\W\d]\w*)
        |(?P<ticked>`(?:[^`]|``)*`)
        |(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
        |(?P<sign>{SIGNS})
        |(?P<other>.)
        |(?P<end>$)
    )""",
    re.VERBOSE | re.DOTALL,
)
LEADING_ZERO = re.compile("0[0_]*[1-9][0-9_]*")
ESCAPED = re.compile(r"\\([\\'\"])")
UNCLOSED = {
    "`": "this back-tick is never closed",
    **dict.fromkeys("'\"", "this quote is never closed"),
}
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
        "a formula is one expression, without statements",
    ),
    "elif": "write `a if c else b if d else f`",
}


class Token(NamedTuple):
    """A word of a formula: characters `start` to `end` of its text.

    `value` is a number, a name, the text between quotes, an operator or reserved word, or why the
    word is wrong; then it has a `code`, as an error does.
    """

    sort: Sort
    value: float | str
    start: int
    end: int
    code: str = ""


def tokens(text: str) -> Iterator[Token]:
    """Yield the words of a formula, then its end without limit."""
    place = 0
    while match := WORD.match(text, place):
        sort = match.lastgroup or "end"
        token = _token(text, sort, match.start(sort), match.end(sort))
        yield token
        place = token.end


def _token(text: str, sort: str, start: int, end: int) -> Token:
    word = text[start:end]
    if sort == "name" and word[0].isidentifier():
        return _name(text, start, end)
    if sort == "number":
        if end < len(text) and _continues(text[end]):
            why = "letters follow a number; write `*` between a number and a name"
            return Token("wrong", why, end, end + 1, "part-misplaced")
        if LEADING_ZERO.fullmatch(word):
            why = "a whole number has no leading zeros"
            return Token("wrong", why, start, end, "not-in-formulas")
        return Token("number", float(word.replace("_", "")), start, end)
    if sort == "ticked":
        if word == "``":
            why = "there is no name between these back-ticks"
            return Token("wrong", why, start, end, "formula-incomplete")
        return Token("ticked", word[1:-1].replace("``", "`"), start, end)
    if sort == "text":
        return Token("text", ESCAPED.sub(r"\1", word[1:-1]), start, end)
    if sort == "end":
        return Token("end", "", start, end)
    return _sign(text, word, start)


def _sign(text: str, word: str, start: int) -> Token:
    """Return an operator, or why there is none here."""
    if word in OPERATORS:
        return Token("sign", word, start, start + len(word))
    if word[0] in UNCLOSED:
        return Token("wrong", UNCLOSED[word[0]], start, len(text), "formula-incomplete")
    if word[0].isidentifier():
        return _name(text, start, start + 1)
    slip = word if word in SLIPS else word[0]
    why = (
        f"`{slip}` is wrong here: {SLIPS[slip]}"
        if slip in SLIPS
        else (f"a formula has no character {quoted(slip)}")
    )
    return Token("wrong", why, start, start + len(slip), "not-in-formulas")


def _name(text: str, start: int, end: int) -> Token:
    """Return a name; the pattern only approximates Python's rule for letters."""
    if not text[start:end].isidentifier() or (end < len(text) and _continues(text[end])):
        end = start + 1
        while end < len(text) and _continues(text[end]):
            end += 1
    if end < len(text) and text[end] in "'\"":
        why = "remove the letters before the quote"
        return Token("wrong", why, start, end + 1, "not-in-formulas")
    word = text[start:end]
    return Token("sign" if word in RESERVED else "name", word, start, end)


def _continues(character: str) -> bool:
    return f"a{character}".isidentifier()


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


@lru_cache(maxsize=256)  # trees never change, and the same formulas come again and again
def parse(text: str) -> Node:
    """Return the tree of a formula; FormulaError says what is wrong and where."""
    if len(text) > LONGEST:
        raise FormulaError(
            f"a formula has at most {LONGEST} characters, this one has {len(text)}",
            code="formula-too-large",
            formula=text[: LONGEST + 1],
            start=LONGEST,
            end=LONGEST + 1,
        )
    if not text.strip():
        raise FormulaError(
            "the formula is empty", code="formula-empty", formula=text, start=0, end=len(text)
        )
    parser = _Parser(text)
    parser.refuse_wrong()
    tree = parser.expression(TERNARY)
    if parser.now.sort != "end":
        raise parser.unexpected()
    return tree


class _Parser:
    """Reads from left to right by the precedence of operators."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = tokens(text)
        self.now, self.after = next(self.words), next(self.words)
        self.before: Token | None = None
        self.depth = 0
        self.count = 0

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
            token = self.now
            raise self.wrong(str(token.value), token.start, token.end, code=token.code)

    @property
    def reached(self) -> int:
        """The place after the word taken last."""
        return self.before.end if self.before else 0

    def wrong(
        self, text: str, start: int, end: int, *, code: str, remedy: str | None = None
    ) -> FormulaError:
        return FormulaError(text, code=code, formula=self.text, start=start, end=end, remedy=remedy)

    def node(
        self, op: str, parts: tuple[Node, ...], *, start: int, value: str | tuple[str, ...] = ""
    ) -> Node:
        end = self.reached
        depth = 1 + max((part.depth for part in parts), default=0)
        self.count += 1
        if depth > DEEPEST or self.count > MOST:
            raise self.wrong(
                f"the formula is too large: at most {MOST} parts, {DEEPEST} levels deep",
                start,
                end,
                code="formula-too-large",
            )
        return Node(op, start, end, parts, value, depth)

    def expression(self, least: int) -> Node:
        """Read as far as operators bind at least as tightly as `least`."""
        self.depth += 1
        if self.depth > DEEPEST:
            token = self.now
            raise self.wrong(
                f"the formula is more than {DEEPEST} levels deep",
                token.start,
                token.end,
                code="formula-too-large",
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
                    f"`{self.sign()}` would take the list as its left side",
                    self.now.start,
                    self.now.end,
                    code="part-misplaced",
                    remedy="put brackets around the comparison: "
                    f"`(x {sign} (1, 2)) {self.sign()} ...`",
                )
        return self.node("compare", tuple(parts), start=left.start, value=tuple(signs))

    def conditional(self, left: Node) -> Node:
        word = self.take()
        condition = self.expression(OR)
        if self.sign() != "else":
            if self.now.sort not in ("end", "sign") or self.sign() == "[":
                raise self.unexpected()
            raise self.wrong(
                "this `if` has no `else`",
                word.start,
                word.end,
                code="formula-incomplete",
                remedy="write `a if condition else b` (`else None` leaves the other rows "
                "undefined)",
            )
        self.take()
        return self.node("if", (condition, left, self.expression(TERNARY)), start=left.start)

    def choices(self, sign: str) -> Node:
        """Read the list after `in`."""
        opening = self.now
        if self.sign() not in ("(", "["):
            raise self.wrong(
                f"`{sign}` needs a list, such as `{sign} ('a', 'b')`",
                opening.start,
                opening.end,
                code="formula-incomplete",
            )
        self.take()
        parts = self.items(opening)
        if not parts:
            raise self.wrong(
                "this list is empty", opening.start, self.reached, code="formula-incomplete"
            )
        return self.node("list", parts, start=opening.start)

    def items(self, opening: Token) -> tuple[Node, ...]:
        """Read expressions between commas, and the bracket that closes them."""
        closing = {"(": ")", "[": "]"}[str(opening.value)]
        parts: list[Node] = []
        while self.sign() != closing:
            if self.sign() in ("*", "**"):
                raise self.wrong(
                    "arguments cannot be unpacked with `*`",
                    self.now.start,
                    self.now.end,
                    code="not-in-formulas",
                )
            parts.append(self.expression(TERNARY))
            if self.sign() == ",":
                self.take()
            elif self.sign() != closing:
                raise self.unclosed(opening)
        self.take()
        return tuple(parts)

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
                raise self.wrong(
                    "put `not ...` in brackets here", token.start, token.end, code="part-misplaced"
                )
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
            raise self.wrong(
                "there is nothing between these brackets",
                opening.start,
                self.now.end,
                code="formula-incomplete",
            )
        inner = self.expression(TERNARY)
        if self.sign() == ",":
            raise self.wrong(
                "a list stands only after `in`, and arguments only after the name of a function",
                self.now.start,
                self.now.end,
                code="part-misplaced",
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
                f"`{token.value}` is a Python keyword that formulas do not have: {why} (put a "
                "name like this in back-ticks)",
                token.start,
                token.end,
                code="not-in-formulas",
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
                "`%` is the remainder of a division, with a number after it",
                before.start,
                before.end,
                code="formula-incomplete",
                remedy="write 0.5 for 50 %",
            )
        if token.sort == "end":
            marked = before or token
            return self.wrong(
                f"the formula ends too early: a value is missing{after}",
                marked.start,
                marked.end,
                code="formula-incomplete",
            )
        if token.value == "[":
            return self.wrong(
                "a list stands only after `in`", token.start, token.end, code="part-misplaced"
            )
        return self.wrong(
            f"a value is missing{after}, before `{token.value}`",
            token.start,
            token.end,
            code="formula-incomplete",
        )

    def unexpected(self) -> FormulaError:
        """Say why what comes next cannot follow a value."""
        token = self.now
        if token.sort == "end":
            return self.wrong(
                "the formula ends too early", token.start, token.end, code="formula-incomplete"
            )
        if token.sort != "sign" or token.value in RESERVED:
            return self.wrong(self.two_values(token), token.start, token.end, code="part-misplaced")
        why = {
            ")": "this bracket closes nothing",
            "]": "this bracket closes nothing",
            "(": "only the name of a function can stand before a bracket; write `*` to multiply",
            "[": "a formula has no indexing with `[...]`; write a list only after `in`",
            ",": "a comma stands only between the arguments of a function and in a list after `in` "
            "(a decimal number has a point)",
        }
        return self.wrong(
            why.get(str(token.value), f"`{token.value}` cannot stand here"),
            token.start,
            token.end,
            code="part-misplaced",
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
            return self.wrong(
                "this bracket is never closed",
                opening.start,
                opening.end,
                code="formula-incomplete",
            )
        return self.unexpected()
