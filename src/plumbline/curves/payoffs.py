"""The profit per row as a formula of four payoffs, so that nobody has to write one."""

import re

from plumbline.curves.presets import without_spaces

PAYOFF_TITLE = "profit per row"
USUAL = {"TP": 1, "FP": -1, "FN": 0, "TN": 0}  # payoffs as long as none is given
AMOUNT = re.compile(r"\(cumm\((.+?) \* \(")


def payoff_formula(amount: str | None = None) -> str:
    """Return the profit per row at every threshold, with the payoffs TP, FP, FN and TN as params.

    Parameters
    ----------
    amount : str, optional
        Formula of a row, such as a column, that every payoff is multiplied by. Default: 1.

    Returns
    -------
    str
        A formula of a threshold, for `curve` and `best_threshold`.

    Examples
    --------
    >>> payoff_formula().count("param")
    4
    >>> payoff_formula("amount").count("amount")
    3
    """
    pays = {cell: f'param("{cell}", {usual})' for cell, usual in USUAL.items()}
    if amount is None:
        return f"({' + '.join(f'{cell} * {pay}' for cell, pay in pays.items())}) / NN"
    accepted = f"{amount} * ({pays['TP']} if eP else {pays['FP']})"
    rejected = f"{amount} * ({pays['FN']} if eP else {pays['TN']})"
    return f"(cumm({accepted}) + total({rejected}) - cumm({rejected})) / NN"


def is_payoff_formula(text: str) -> bool:
    """Tell whether a formula is one that `payoff_formula` writes.

    >>> is_payoff_formula(payoff_formula()), is_payoff_formula(payoff_formula("`a b`"))
    (True, True)
    >>> is_payoff_formula("TP / NN")
    False
    """
    found = AMOUNT.match(text)
    return without_spaces(text) == without_spaces(payoff_formula(found[1] if found else None))
