"""Cuts the text of a formula into words, each with its place in the text."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

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
    ".": "a formula has no attributes or methods (no dots but in numbers)",
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


class Token(NamedTuple):
    """A word of a formula: characters `start` to `end` of its text.

    `value` is a number, a name, the text between quotes, an operator or reserved word, or why the
    word is wrong.
    """

    sort: Sort
    value: float | str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """Yield the words of a formula, and in the end for ever its end."""
    place = 0
    while found := WORD.match(text, place):
        sort = found.lastgroup or "end"
        token = _token(text, sort, found.start(sort), found.end(sort))
        yield token
        place = token.end


def _token(text: str, sort: str, start: int, end: int) -> Token:
    word = text[start:end]
    if sort == "name" and word[0].isidentifier():
        return _name(text, start, end)
    if sort == "number":
        if end < len(text) and _continues(text[end]):
            why = "letters follow a number; write `*` between a number and a name"
            return Token("wrong", why, end, end + 1)
        if LEADING_ZERO.fullmatch(word):
            return Token("wrong", "a whole number has no leading zeros", start, end)
        return Token("number", float(word.replace("_", "")), start, end)
    if sort == "ticked":
        if word == "``":
            return Token("wrong", "there is no name between these back-ticks", start, end)
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
        return Token("wrong", UNCLOSED[word[0]], start, len(text))
    if word[0].isidentifier():
        return _name(text, start, start + 1)
    slip = word if word in SLIPS else word[0]
    why = (
        f"`{slip}` is wrong here: {SLIPS[slip]}"
        if slip in SLIPS
        else (f"a formula has no character {slip!r}")
    )
    return Token("wrong", why, start, start + len(slip))


def _name(text: str, start: int, end: int) -> Token:
    """Return a name: letters by Python's rule, which the pattern only comes near to."""
    if not text[start:end].isidentifier() or (end < len(text) and _continues(text[end])):
        end = start + 1
        while end < len(text) and _continues(text[end]):
            end += 1
    if end < len(text) and text[end] in "'\"":
        return Token(
            "wrong", "letters stand before a quote; a quoted name has none", start, end + 1
        )
    word = text[start:end]
    return Token("sign" if word in RESERVED else "name", word, start, end)


def _continues(character: str) -> bool:
    return f"a{character}".isidentifier()
