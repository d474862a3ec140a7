"""Command lines as text: the words of a call, quoted so that a shell reads them again."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence, Sized
from typing import Any

_SIGN = re.compile(r"(?<!\\)=")
_ANSI = re.compile(r"\$'((?:[^'\\]|\\.)*)'")
PLAIN = re.compile(r"[\w.+-]+")  # names that a list between commas can hold
# Options that take one list between commas, and are refused where they are repeated.
ONE_LIST = {"attributes", "average", "by", "classes", "counts", "dirichlet", "drop", "experiments"}
ONE_LIST |= {"keep", "metrics", "names", "rates", "views"}


def has_value(value: Any) -> bool:
    """Tell whether an option was given something: 0 is something, False as a switch is not.

    >>> [has_value(one) for one in (0, 0.0, "a", None, False, "", ())]
    [True, True, True, False, False, False, False]
    """
    return not (value is None or value is False or (isinstance(value, Sized) and not len(value)))


def option_words(name: str, value: Any) -> Iterator[str]:
    r"""Yield the words of an option: a list, or repeated for each value, alone for a switch.

    >>> [*option_words("prob", {"p=1": "yes"}), *option_words("models", ["a", "b,c"])]
    ['--prob', 'p\\=1=yes', '--models', 'a', '--models', 'b,c']
    >>> [*option_words("normalize", True), *option_words("folds", ["0", "2"])]
    ['--normalize', '--folds', '0,2']
    >>> [*option_words("names", ["label", "my p"])]
    ['--names', 'label,my p']
    >>> [*option_words("threshold", 0.0), *option_words("logits", False)]  # 0 is a value
    ['--threshold', '0']
    """
    option = f"--{name.replace('_', '-')}"
    if not has_value(value):
        return
    if name == "prob" and isinstance(value, list):  # columns of models, whose names are no list
        value = dict.fromkeys(value)
    if value is True:
        yield option
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from (option, pair_word(*pair))
    elif name == "row" and isinstance(value, tuple):
        yield from (option, pair_word(*value))
    elif isinstance(value, (list, tuple)):
        plain = all(isinstance(one, str) and PLAIN.fullmatch(one) for one in value)
        if name in ONE_LIST or (len(value) > 1 and plain):
            yield from (option, ",".join(map(str, value)))
            return
        for one in value:
            yield from (option, pair_word(*one) if isinstance(one, tuple) else str(one))
    else:
        whole = isinstance(value, float) and value.is_integer()
        yield from (option, f"{value:.0f}" if whole else str(value))


def options_words(values: Mapping[str, Any]) -> list[str]:
    r"""Return the words of several options, in their order; what has no value is left out.

    >>> options_words({"actual": "y", "prob": ["p", "q=1"], "models": [], "normalize": True})
    ['--actual', 'y', '--prob', 'p', '--prob', 'q\\=1', '--normalize']
    """
    return [word for name, value in values.items() for word in option_words(name, value)]


def pair_word(left: Any, right: Any) -> str:
    """Return LEFT=RIGHT, or LEFT alone, an equals sign in LEFT behind a backslash."""
    column = str(left).replace("=", chr(92) + "=")
    return column if right is None else f"{column}={right}"


def split_pair(text: str) -> tuple[str, str, str]:
    r"""Return what stands before the first equals sign, the sign, and what follows it.

    >>> split_pair(pair_word("p=1", "yes")), split_pair("a=b=c"), split_pair("a")
    (('p=1', '=', 'yes'), ('a', '=', 'b=c'), ('a', '', ''))
    """
    found = _SIGN.search(text)
    if found is None:
        return text, "", ""
    left, right = text[: found.start()], text[found.end() :]
    return left.replace("\\=", "="), "=", right


def file_word(name: object) -> str:
    """Return a file as a command takes it, also one whose name begins like an option.

    >>> file_word("-x.csv"), file_word("a/-x.csv"), file_word("-")
    ('./-x.csv', 'a/-x.csv', '-')
    """
    text = str(name)
    return f"./{text}" if text.startswith("-") and text != "-" else text


def command_line(words: Sequence[object]) -> str:
    r"""Return words as one line to paste, which holds no line break itself.

    >>> print(command_line(["plumbline", "test", "my file.csv", "--models", "a\nb"]))
    plumbline test 'my file.csv' --models $'a\x0ab'
    """
    return " ".join(_quoted(str(word)) for word in words)


def words_of(line: str) -> list[str]:
    r"""Return the words of a line that `command_line` wrote.

    >>> words_of(command_line(["a b", "it's\t$HOME", "`x`"]))
    ['a b', "it's\t$HOME", '`x`']
    """
    plain = _ANSI.sub(lambda match: shlex.quote(_unescaped(match[1])), line)
    return shlex.split(plain)


def _quoted(word: str) -> str:
    """Return a word in quotes where it needs some; of what is not printable, its escapes."""
    if word.isprintable():
        return shlex.quote(word)
    escaped = "".join(
        "\\" + c if c in "\\'" else c if c.isprintable() else _escape(c) for c in word
    )
    return f"$'{escaped}'"


def _escape(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 128 else f"\\U{number:08x}"


def _unescaped(text: str) -> str:
    return re.sub(
        r"\\(x[0-9a-f]{2}|U[0-9a-f]{8}|.)",
        lambda match: match[1] if len(match[1]) == 1 else chr(int(match[1][1:], 16)),
        text,
    )
