"""`best_threshold`: where a formula is best, its plateau, and its cross-validated value."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, shown, whole_number
from plumbline._keywords import keywords_checked
from plumbline._result import Detail, Note, Presentation, Result
from plumbline.confusion import RATES
from plumbline.curves.bands import units_of
from plumbline.curves.curve import models_in
from plumbline.curves.goals import PAYOFF_TITLE, is_payoff_formula
from plumbline.curves.lines import rating_name, size_of
from plumbline.curves.plateau import (
    ROUNDING,
    CrossValidated,
    States,
    cross_validated_value,
    intervals,
    plateau,
    share_of_range,
    states_in,
)
from plumbline.curves.presets import PRESETS, CurveSettings, without_spaces
from plumbline.curves.recipe import (
    Recipe,
    averages_of,
    curve_notes,
    kept_rows,
    params_for,
    recipe_of,
    states_of,
    sweep_of,
)
from plumbline.curves.sweep import Sweep
from plumbline.curves.target_rows import TargetRows, Vocabulary, rows_of
from plumbline.curves.threshold_classifier import threshold_classifier
from plumbline.dependence import RowGroups, group_details, group_notes, row_groups_in
from plumbline.errors import FormulaError, ParameterError
from plumbline.formatting import amount, and_list, capital, counted, percentage, quoted, sentence
from plumbline.formula import Formula, read_formula
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress, with_shares
from plumbline.random_streams import Seed, entropy_of

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Goal: TypeAlias = Literal["max", "min"]
SIGNS = {"max": 1.0, "min": -1.0}
HALF = 0.5
BACKWARDS = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}  # sign of a comparison read backwards
SHOWN = 3  # intervals that a sentence names
LISTED = 2  # intervals that a table names
NAMED_AFTER = ("cohen", "matthews", "youden", "jaccard", "gilbert", "fowlkes")  # keep their capital
OF_METHOD = (  # notes that stand in the legend
    "constraint-on-these-rows",
    "rows-without-sort-value",
    "weights",
    "sorted-once",
    "random-folds",
    "undefined-draws",
)
# Share of the whole extent that lies between intervals named as one; a convention: only the
# sentence changes.
GAP = 0.03


@keywords_checked
@dataclass(frozen=True, repr=False, eq=False)
class BestThreshold(Result):
    """The best threshold for a formula, with its plateau and cross-validated value.

    Attributes
    ----------
    y : the formula; goal : "max" or "min"; subject_to : the constraint, or None
    sort_by : what rows are sorted by; target : the class that counts as positive
    n : rows
    threshold : rows at or above it are accepted; inf where accepting none is best
    value : of the formula at that threshold on these rows, which is optimistic
    accepted, accepted_share : weight of the accepted rows, and its share
    TP, FP, TN, FN : counts at the threshold
    plateau : closed intervals (low, high), a confidence set of the best threshold
    plateau_share : share of the range of the sort values that they cover
    value_at_half, gain : the value at threshold 0.5, and by how much the best one is better; None
        where rows are not sorted by a probability
    honest_value : the cross-validated value: every row is decided by a threshold chosen without it
    optimism : by how much `value` is better than `honest_value`
    level, resamples, folds : of the plateau and the cross-validated value
    verdict : the answer in a sentence; notes : what to know before believing it
    reason : why there is no threshold
    row_groups : how much the rows of its groups depend; None where they are in none
    thresholds, values : (s,) the whole curve; allowed : whether the constraint holds there;
        in_plateau : whether it belongs to the plateau
    """

    y: str
    goal: str
    subject_to: str | None
    sort_by: str
    target: str
    n: int
    threshold: float
    value: float
    accepted: float
    accepted_share: float
    TP: float
    FP: float
    TN: float
    FN: float
    plateau: Sequence[tuple[float, float]]
    plateau_share: float
    value_at_half: float | None
    gain: float | None
    honest_value: float
    optimism: float
    level: float
    resamples: int
    folds: int
    verdict: str
    notes: Sequence[Note] = ()
    reason: str | None = None
    row_groups: RowGroups | None = None
    thresholds: Floats = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})
    values: Floats = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})
    allowed: Truths = field(default_factory=lambda: np.empty(0, bool), metadata={"hidden": True})
    in_plateau: Truths = field(default_factory=lambda: np.empty(0, bool), metadata={"hidden": True})

    @property
    def scales(self) -> tuple[float, float]:
        """The sizes of the largest value and of the largest threshold, for `amount`."""
        return size_of(self.values), size_of(self.thresholds)

    def present(self) -> Presentation:
        """Return the verdict, the threshold, its plateau, and its cross-validated value."""
        notes = [Note(sentence(note), note.code) for note in self.notes]
        scale, of_thresholds = self.scales
        at = amount(self.threshold, scale=of_thresholds)
        return Presentation(
            formulas=True,
            summary=self.verdict,
            details=(
                Detail("threshold", "best threshold", at),
                Detail("value", "value", amount(self.value, scale=scale)),
                Detail("plateau", "plateau", self._plateau()),
                Detail("honest_value", "cross-validated", amount(self.honest_value, scale=scale)),
                Detail("accepted", "accepted", amount(self.accepted, scale=self.accepted)),
                *group_details(self.row_groups),
            ),
            notes=(
                *(note for note in notes if note.code not in OF_METHOD),
                *group_notes(self.row_groups),
            ),
            legend=(
                f"Plateau: {percentage(self.level)} confidence set of the best threshold.",
                "Cross-validated: each row is decided by a threshold chosen on other rows.",
                "The value itself is optimistic: its threshold was chosen on the same rows.",
                *(note for note in notes if note.code in OF_METHOD),
            ),
        )

    def classifier(self, estimator: Any, *, pos_label: Any = None) -> Any:
        """Return a classifier that predicts the target class at or above this threshold.

        Parameters
        ----------
        estimator : classifier of scikit-learn
            Fitted, or to be fitted by the `fit` of what is returned; with `predict_proba`, or with
            `decision_function` where rows were sorted by scores.
        pos_label : class, optional
            The target class as the labels have it; needed for an estimator that is not fitted.

        Returns
        -------
        sklearn.model_selection.FixedThresholdClassifier
            It predicts at once if the estimator is fitted.

        Raises
        ------
        ParameterError
            For an estimator that does not fit the result, and for a result without a threshold.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> X, y = np.arange(40.0)[:, None], np.arange(40) % 3 % 2 + (np.arange(40) > 30) > 0
        >>> model = LogisticRegression().fit(X, y)
        >>> best = best_threshold(Predictions.from_estimator(model, X, y), "TPR - 3 * FPR")
        >>> decides = best.classifier(model)
        >>> int(decides.predict(X).sum()) == int(best.accepted)
        True
        """
        return threshold_classifier(
            estimator,
            threshold=self.threshold,
            sort_by=self.sort_by,
            target=self.target,
            pos_label=pos_label,
        )

    def _plateau(self) -> str:
        write = partial(amount, scale=self.scales[1])
        parts = [_interval_text(low, high, -math.inf, write) for low, high in self.plateau[:LISTED]]
        more = len(self.plateau) - LISTED
        return ", ".join(parts) + (f" and {more} more" if more > 0 else "") or "-"


def best_threshold(
    data: Predictions,
    y: str = "CA",
    *,
    goal: Goal = "max",
    subject_to: str | None = None,
    sort_by: str | None = None,
    where: str | None = None,
    target: str | None = None,
    params: Mapping[str, float] | None = None,
    level: float = 0.95,
    resamples: int = 500,
    folds: int = 10,
    rng: Seed = 0,
    progress: Progress | None = None,
) -> BestThreshold:
    r"""Find the threshold at which a formula is best, its plateau, and its cross-validated value.

    :math:`\hat t = \arg\max_t y(t)` over all sort values of the rows, and inf, which accepts no row
    (goal "min": the minimum). Among equally good ones it is the middle of the longest run.

    - `plateau`: a confidence set for the best threshold of the population the rows are of. It holds
      t unless :math:`y(\hat t) - y(t) > c`. c is the `level` quantile of how much the best
      threshold of a sample exceeds the best one of the population, by resampling rows (examples,
      where the table has `row`) around a smoothed curve (Patra, Seijo and Sen, 2018). Where few
      rows dominate, thresholds that are worse by at most three times the largest step of a row
      always stay. Its coverage is in studies/plateau.py. Variation of model fitting is not
      included.
    - `honest_value`: the cross-validated value: every row is accepted or not by the threshold that
        is best on the other folds.

    Parameters
    ----------
    data : Predictions
        Predictions of one model.
    y : str, default "CA"
        Formula of a threshold: a count, a rate, or a sum such as "cumm(amount if eP else -cost)".
    goal : {"max", "min"}, default "max"
        Whether the highest or the lowest value is best.
    subject_to : str, optional
        Formula that must hold at the threshold, such as "recall >= 0.85"; evaluated on these rows.
    sort_by : str, optional
        "probability", "score", an attribute, or a formula of rows, as in `curve`; rows at or above
        a value of it are accepted. By default the probability of the target class.
    where : str, optional
        Formula of the rows to keep. By default all rows.
    target : class name, optional
        Class that counts as positive. Default: the positive class of the table.
    params : mapping of str to float, optional
        Values for `param("name", default)` in the formulas.
    level : float, default 0.95
        Confidence of the plateau, in (0, 1).
    resamples : int, default 500
        Number of resamples for the plateau; at least level / (1 - level).
    folds : int, default 10
        Number of random folds for the cross-validated value, unless the table has 2 to 100 folds.
    rng : int, Generator or None, default 0
        Random seed of the resamples and of the random folds.
    progress : callable, optional
        Called as `progress(done, total)`.

    Returns
    -------
    BestThreshold
        Threshold, plateau and values; where no threshold is possible, NaN and a `reason`.

    Raises
    ------
    FormulaError
        For a formula that cannot be understood, or is not a function of the threshold.
    ParameterError
        For an argument outside its rule.
    InputError
        For several models, or no rows.

    References
    ----------
    Curves of user-defined formulas: Biček (2009). Plateau: Patra, Seijo and Sen (2018), A
    consistent bootstrap procedure for the maximum score estimator. Cross-fitted values: Stone
    (1974), Cross-validatory choice and assessment of statistical predictions.

    Examples
    --------
    >>> prob = (np.arange(300) + 0.5) / 300
    >>> data = Predictions.from_arrays(np.arange(300) * 0.618 % 1 < prob, prob)
    >>> best = best_threshold(data, "cumm(3 if eP else -1)")
    >>> best.verdict  # doctest: +NORMALIZE_WHITESPACE
    'Highest `cumm(3 if eP else -1)` 342 at threshold 0.288 (plateau 0.075 to 0.412; cross-validated
    325, n = 300).'
    """
    only_predictions(data)
    data.need_one_model("the best threshold")
    sign = SIGNS[one_of("goal", goal, SIGNS)]
    folds, entropy = whole_number("folds", folds, least=2), entropy_of(rng)
    number = data.positive if target is None else data.class_number(target)
    settings = CurveSettings(
        "threshold",
        y,
        sort_by=sort_by,
        where=where,
        target=data.classes[number],
        params=params or {},
        level=level,
        resamples=resamples,
    )
    least = math.ceil(level / (1 - level) - 1e-9)
    if resamples < least:
        raise ParameterError(
            code="too-few-resamples",
            argument="resamples",
            rule=f"at least {least} for level {level:g}",
            arrived=f"{resamples}",
            remedy="fewer resamples cannot reach that level",
        )
    notes: Counter[Note] = Counter()
    whole = rows_of(data, number)
    recipe = _recipe(whole, settings, subject_to)
    sweep = sweep_of(kept_rows(whole, recipe, notes), recipe)
    _refuse_constant(recipe.y, sweep)
    states = states_in(sweep, recipe, sign)
    result = _empty(sweep, recipe, states, goal)
    if states.best is None:
        reason = _why_none(sweep, recipe, states)
        return replace(result, reason=reason, verdict=f"{capital(reason)}.", notes=tuple(notes))
    flat = plateau(sweep, recipe, states, entropy=entropy, notes=notes, progress=progress)
    validated = cross_validated_value(sweep, recipe, sign=sign, folds=folds, entropy=entropy)
    result = _at_best_state(result, sweep, states, flat, validated)
    notes.update(_notes(sweep, recipe, result, flat, validated))
    return replace(result, notes=tuple(notes), verdict=_verdict(result, sweep, recipe))


def _recipe(rows: TargetRows, settings: CurveSettings, subject_to: str | None) -> Recipe:
    """Read the formulas, and refuse those that do not ask for a threshold."""
    if subject_to is not None and not isinstance(subject_to, str):
        raise ParameterError(
            code="wrong-kind", argument="subject_to", rule="a formula", arrived=quoted(subject_to)
        )
    recipe = recipe_of(rows, settings, () if subject_to is None else (subject_to,))
    y = recipe.y
    if y.level == "row":
        _refuse(
            y,
            f"`{y.text.strip()}` has one value per row, and `y` needs one per threshold",
            code="value-of-each-row",
            argument="y",
            remedy=f"add it up, as in cumm({y.text.strip()}), or use a rate such as CA",
        )
    for formula in recipe.more:
        refuse_no_condition(formula)
    if recipe.key is not None and recipe.key.kind == "category":
        _refuse(
            recipe.key,
            "`sort_by` is a category, which has no thresholds",
            code="category-as-number",
            argument="sort_by",
            remedy="use a number",
        )
    return recipe


def _refuse_constant(y: Formula, sweep: Sweep) -> None:
    """Refuse a formula of one value for all rows, and say why where that is undefined."""
    if y.level == "set":
        why = y.why_undefined(sweep, 0)
        what = (
            f"undefined: {why}"
            if why
            else "the same at every threshold, so there is no best threshold"
        )
        _refuse(y, f"`{y.text.strip()}` is {what}", code="value-of-all-rows")


def refuse_no_condition(formula: Formula) -> None:
    """Refuse a constraint that is not true or false at every threshold."""
    if formula.kind != "truth" or formula.level == "row":
        _refuse(
            formula,
            "`subject_to` must be true or false at every threshold, such as recall >= "
            "0.85 or PP <= 100",
            code="no-condition",
            argument="subject_to",
        )


def _refuse(
    formula: Formula,
    why: str,
    *,
    code: str,
    argument: str | None = None,
    remedy: str | None = None,
) -> None:
    raise FormulaError(
        why,
        code=code,
        formula=formula.text,
        start=0,
        end=len(formula.text),
        argument=argument,
        remedy=remedy,
    )


def _empty(sweep: Sweep, recipe: Recipe, states: States, goal: str) -> BestThreshold:
    """Return the result as it is where no threshold will do."""
    settings, nan = recipe.settings, math.nan
    half = None
    if sweep.key.name == "probability":  # the value at threshold 0.5
        half = float(states.value[np.count_nonzero(states.threshold >= HALF) - 1])
    return BestThreshold(
        y=settings.y,
        goal=goal,
        subject_to=recipe.more[0].text if recipe.more else None,
        sort_by=sweep.key.name,
        target=sweep.rows.target_name,
        n=sweep.rows.total,
        threshold=nan,
        value=nan,
        accepted=nan,
        accepted_share=nan,
        TP=nan,
        FP=nan,
        TN=nan,
        FN=nan,
        plateau=(),
        plateau_share=nan,
        value_at_half=half,
        gain=None if half is None else nan,
        honest_value=nan,
        optimism=nan,
        level=settings.level,
        resamples=settings.resamples,
        folds=0,
        verdict="",
        row_groups=row_groups_in(sweep.rows.data),
        thresholds=states.threshold,
        values=states.value,
        allowed=states.allowed,
        in_plateau=np.zeros(len(states.value), bool),
    )


def _at_best_state(
    empty: BestThreshold,
    sweep: Sweep,
    states: States,
    flat: Truths | None,
    validated: CrossValidated,
) -> BestThreshold:
    """Return the result with the best threshold, its plateau and its cross-validated value."""
    best, half = states.best, empty.value_at_half
    tp, fp, tn, fn = (float(sweep.value(name)[best]) for name in ("TP", "FP", "TN", "FN"))
    value = float(states.value[best])
    result = replace(
        empty,
        threshold=float(states.threshold[best]),
        value=value,
        accepted=tp + fp,
        accepted_share=(tp + fp) / (tp + fp + tn + fn),
        TP=tp,
        FP=fp,
        TN=tn,
        FN=fn,
        gain=None if half is None else states.sign * (value - half),
        honest_value=validated.value,
        optimism=states.sign * (value - validated.value) + 0.0,  # no -0.0
        folds=validated.folds,
    )
    if flat is None:
        return result
    return replace(
        result,
        plateau=intervals(states, flat),
        in_plateau=flat,
        plateau_share=share_of_range(states, flat),
    )


def _why_none(sweep: Sweep, recipe: Recipe, states: States) -> str:
    """Say why no threshold can be chosen."""
    sound = np.isfinite(states.value) & ~np.isnan(states.threshold)
    if not sound.any():
        why = recipe.y.why_undefined(sweep, int(np.isnan(states.value).argmax()))
        return f"`{recipe.y.text.strip()}` is defined at no threshold: {why or 'it is infinite'}"
    constraint = recipe.more[0]
    return f"no threshold satisfies `{constraint.text.strip()}`{_nearest(sweep, recipe)}"


def _nearest(sweep: Sweep, recipe: Recipe) -> str:
    """Say how near a simple comparison with a bound comes to being true."""
    left, sign, right = recipe.more[0].sides() or ("", "", "")
    if sign not in BACKWARDS:
        return ""
    sides = [read_formula(text, recipe.variables) for text in (left, right)]
    if sides[0].level == "set":
        sides, sign = sides[::-1], BACKWARDS[sign]
    if sides[0].level != "state" or sides[1].level != "set":
        return ""
    values = states_of(sides[0], sweep)
    if np.isnan(values).all():
        return f": `{sides[0].text}` is undefined"
    most = np.nanmax(values) if sign[0] == ">" else np.nanmin(values)
    word = "most" if sign[0] == ">" else "least"
    reached = amount(float(most), scale=size_of(values))
    return f"; the {word} that `{sides[0].text}` reaches is {reached}"


def _weighs_both_errors(y: Formula) -> bool:
    """Tell whether more than one count of the matrix, or rate, decides: not of recall alone.

    A sum over rows that looks at their outcome is a payoff, which has a price for either error.
    """
    names = y.names
    if len(names) == 1 and (rate := RATES.get(min(names))) is not None:
        names = frozenset(re.findall(r"[A-Za-z]\w*", rate.formula))
    return len(names & {"TP", "FP", "TN", "FN", *RATES}) > 1 or bool(names & {"eP", "eN"})


def _notes(
    sweep: Sweep,
    recipe: Recipe,
    result: BestThreshold,
    flat: Truths | None,
    validated: CrossValidated,
) -> Iterator[Note]:
    """Yield what the reader should know beside the numbers."""
    yield from curve_notes(recipe, [sweep])
    for end, which in ((-1, "every row"), (0, "no row")):
        if abs(result.values[end] - result.value) <= ROUNDING * abs(result.value):
            advice = (
                "no threshold in between is better on these rows"
                if _weighs_both_errors(recipe.y)
                else "for a threshold in between use a metric that weighs both errors, such as "
                "informedness or a cost"
            )
            yield Note(f"accepting {which} is best; {advice}", code="all-or-none-accepted")
    if recipe.more:
        yield Note(
            f"the condition `{recipe.more[0].text.strip()}` holds on these rows; new rows "
            "may violate it at this threshold",
            code="constraint-on-these-rows",
        )
    if validated.holds is False:
        yield Note(
            f"the condition `{recipe.more[0].text.strip()}` does not hold in cross-validation",
            code="constraint-broken",
        )
    averages = averages_of(sweep.rows.data, recipe)
    if averages:
        yield Note(
            f"there is no plateau: single values of {shown(averages)} were not kept when rows were "
            "counted",
            code="no-plateau",
        )
    elif flat is None:
        yield Note(
            "the best value is undefined in most resamples, so there is no plateau",
            code="no-plateau",
        )
    if sweep.has_missing_keys:
        yield Note(
            f"rows without `{sweep.key.name}` are never accepted",
            code="rows-without-sort-value",
        )
    if sweep.weight is not None and not sweep.rows.data.counted:
        yield Note(
            "weights multiply the counts; a weighted row is resampled as one row",
            code="weights",
        )
    if recipe.key is not None and recipe.key.depends_on_weights:
        yield Note(
            f"`{sweep.key.name}` was computed once, from the rows of all folds",
            code="sorted-once",
        )
    if validated.note:
        yield Note(validated.note, "random-folds")
    if validated.reason:
        yield Note(
            f"there is no cross-validated value: {validated.reason}",
            code="no-cross-validated-value",
        )
    elif result.optimism < 0:
        yield Note(
            "the cross-validated value is better than the value on these rows, at random; assume "
            "no optimism",
            code="no-optimism",
        )


def _verdict(result: BestThreshold, sweep: Sweep, recipe: Recipe) -> str:
    mass = sweep.weight if sweep.weight is not None else np.ones(sweep.n)
    effective_n = float(mass.sum() ** 2 / np.square(mass).sum())
    number = result.thresholds[~np.isnan(result.thresholds)]
    return verdict(
        title=title_of(recipe.y),
        goal=result.goal,
        value=result.value,
        threshold=result.threshold,
        intervals=result.plateau,
        lowest=float(number[-1]),
        n=result.n,
        units=units_of(sweep.rows).count,
        noun="example" if sweep.rows.data.groups is None else "group",
        effective_n=result.n if sweep.rows.data.counted else effective_n,
        subject_to=result.subject_to,
        cross_validated=result.honest_value,
        scales=result.scales,
    )


def title_of(formula: Formula) -> str:
    """Return what a formula is called at the beginning of a sentence.

    >>> from plumbline.confusion import variables
    >>> from plumbline.formula import read_formula
    >>> title_of(read_formula("CA", variables())), title_of(read_formula("TP - FP", variables()))
    ('Classification accuracy', '`TP - FP`')
    >>> title_of(read_formula("PP/NN", variables()))
    'Share of rows accepted'
    """
    for name, rate in RATES.items():
        if formula.is_name in (name, *rate.aliases):
            return rate.title
    for preset in PRESETS.values():
        if (
            preset.y_title
            and preset.average == "merge"
            and without_spaces(preset.y) == without_spaces(formula.text)
        ):
            return capital(preset.y_title)
    if is_payoff_formula(formula.text):
        return capital(PAYOFF_TITLE)
    return f"`{' '.join(formula.text.split())}`"


def interval_text(
    intervals: Sequence[tuple[float, float]], lowest: float, scale: float = 1.0
) -> str:
    """Return intervals of thresholds as words; `lowest` is the sort value that accepts every row.

    Intervals with little between them are named as one.

    >>> interval_text([(0.32, 0.88)], 0.01)
    '0.32 to 0.88'
    >>> interval_text([(0.01, 0.2), (0.6, math.inf)], 0.01)
    'up to 0.2 and from 0.6'
    >>> interval_text([(0.3, 0.48), (0.485, 0.6)], 0.01)
    'nearly 0.3 to 0.6'
    """
    joined = _without_gaps(intervals) if intervals else []
    write = partial(amount, scale=scale)
    parts = [_interval_text(low, high, lowest, write) for low, high in joined[:SHOWN]]
    if len(joined) > SHOWN:
        parts.append(f"{counted(len(joined) - SHOWN, 'more interval')}")
    return ("" if len(joined) == len(intervals) else "nearly ") + and_list(parts)


def _without_gaps(intervals: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join intervals whose gap is a small part of the way from the lowest to the highest."""
    ends = [end for pair in intervals for end in pair if math.isfinite(end)]
    gap = GAP * (max(ends) - min(ends)) if ends else 0.0
    joined = [intervals[0]]
    for low, high in intervals[1:]:
        if low - joined[-1][1] <= gap:
            joined[-1] = (joined[-1][0], high)
        else:
            joined.append((low, high))
    return joined


def _interval_text(low: float, high: float, lowest: float, write: Callable[[float], str]) -> str:
    if low <= lowest and math.isinf(high):
        return "all thresholds"
    if math.isinf(high):
        return f"from {write(low)}" if math.isfinite(low) else "above all scores"
    if low <= lowest:
        return f"up to {write(high)}"
    if write(low) == write(high):
        return write(low)
    return f"{write(low)} to {write(high)}"


def at_threshold(threshold: float, scale: float = 1.0) -> str:
    """Return where the best value lies."""
    if math.isinf(threshold):
        return "where no row is accepted"
    return f"at threshold {amount(threshold, scale=scale)}"


def verdict(
    *,
    title: str,
    goal: str,
    value: float,
    threshold: float,
    intervals: Sequence[tuple[float, float]],
    lowest: float,
    n: int,
    units: int,
    noun: str,
    effective_n: float,
    subject_to: str | None,
    cross_validated: float,
    scales: tuple[float, float] = (1.0, 1.0),
) -> str:
    """Say which value is best at which threshold, with its plateau and cross-validated value.

    `units` are what the plateau resamples: the n rows, or fewer examples or groups (`noun`) that
    have several. `scales`: the largest value and the largest threshold, as `amount` takes it.

    >>> verdict(title="Classification accuracy", goal="max", value=0.842, threshold=0.583,
    ...     intervals=[(0.32, 0.88)], lowest=0.01, n=303, units=303, noun="example",
    ...     effective_n=303.0, subject_to=None, cross_validated=0.82)
    'Highest classification accuracy 0.842 at threshold 0.583 (plateau 0.32 to 0.88; \
cross-validated 0.82, n = 303).'
    """
    extreme = "Highest" if goal == "max" else "Lowest"
    name = title[:1].lower() + title[1:] if title[:1].isupper() and title[1:2].islower() else title
    if name.startswith(NAMED_AFTER):
        name = title
    held = f" with `{subject_to.strip()}`" if subject_to else ""
    size = [f"n = {n:,}" if units == n else f"n = {counted(units, noun)}, {n:,} rows"]
    if effective_n < 0.995 * n:
        size.append(f"effective n = {effective_n:,.0f}")
    if math.isfinite(cross_validated):
        size.insert(0, f"cross-validated {amount(cross_validated, scale=scales[0])}")
    where, at = interval_text(intervals, lowest, scales[1]), at_threshold(threshold, scales[1])
    plateau = f"plateau {where}; " if intervals else ""
    return (
        f"{extreme} {name} {amount(value, scale=scales[0])}{held} {at} "
        f"({plateau}{', '.join(size)})."
    )


def _positive(data: Predictions, settings: CurveSettings) -> int:
    return data.positive if settings.target is None else data.class_number(settings.target)


def refuse_other_curve(
    data: Predictions, settings: CurveSettings, *, y: str, subject_to: str | None = None
) -> None:
    """Refuse settings of a curve that has other points than the thresholds of `best_threshold`.

    That asks every sort value of all rows, from the highest down, of one class against the rest.
    `data` are the rows, and `y` the formula that is to be best. Where `y` counts rows at or above a
    threshold, the direction changes only in which order the points are drawn.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> settings = CurveSettings("threshold", "cumm(1)", direction="ascending")
    >>> refuse_other_curve(data, settings, y="CA")
    >>> refuse_other_curve(data, settings, y="cumm(1)")
    Traceback (most recent call last):
    plumbline.errors.ParameterError: `direction='ascending'` adds rows up from the lowest value, \
and a best threshold accepts them from the highest. Use `sort_by='-probability'` instead of \
`direction='ascending'`.
    """
    one_line = settings.multiclass is None and settings.average == "merge"
    sorts = settings.direction != "unsorted"
    for name, wrong, remedy in (
        ("multiclass", settings.multiclass is not None, "use `target` for one class"),
        ("direction", not sorts, "sort the rows"),
        (
            "average",
            settings.average != "merge",
            "use `average='merge'`, which takes the folds together",
        ),
        ("merge", one_line and sorts and _splits_ties(data, settings), "use `merge='last'`"),
    ):
        if wrong:
            value = getattr(settings, name)
            raise ParameterError(
                "the best threshold is of all rows, one class against the rest, equal values at "
                f"once, and the curve has `{name}={value!r}`",
                code="best-of-other-curve",
                argument=name,
                remedy=remedy,
            )
    if "threshold" in _formula(data, settings, y).names:
        raise ParameterError(
            f"{quoted(y)} weighs rows by the threshold itself, so its values at two thresholds "
            "answer different questions and have no best one",
            code="best-of-other-curve",
            argument="y",
            remedy="read it at a threshold, or use fixed costs such as the preset `cost`",
        )
    if settings.direction == "ascending" and _depends_on_order(data, settings, y, subject_to):
        key = settings.sort_by or rating_name(data)
        turned = f"-{key}" if key.isidentifier() else f"-({key.strip()})"
        raise ParameterError(
            "`direction='ascending'` adds rows up from the lowest value, and a best threshold "
            "accepts them from the highest",
            code="best-of-other-curve",
            argument="direction",
            remedy=f"use `sort_by={turned!r}` instead of `direction='ascending'`"
            if key != "answer"
            else "leave `direction` out",
        )


def _splits_ties(data: Predictions, settings: CurveSettings) -> bool:
    """Tell whether rows of equal sort value are drawn as other than one point."""
    if settings.merge == "last":
        return False
    rows = rows_of(data, _positive(data, settings))
    recipe = recipe_of(rows, settings)
    sweeps = (sweep_of(kept_rows(part, recipe, Counter()), recipe) for _, part in models_in(rows))
    return any(len(sweep.group_ends) < sweep.n for sweep in sweeps)


def _depends_on_order(
    data: Predictions, settings: CurveSettings, y: str, subject_to: str | None
) -> bool:
    """Tell whether the direction in which rows are met changes what a threshold is worth."""
    texts = filter(None, (y, subject_to))
    return any(_formula(data, settings, text).depends_on_order for text in texts)


def _formula(data: Predictions, settings: CurveSettings, text: str) -> Formula:
    return read_formula(text, Vocabulary(rows_of(data, _positive(data, settings))))


def best_thresholds(
    data: Predictions,
    settings: CurveSettings,
    *,
    goal: Literal["max", "min"],
    subject_to: str | None = None,
    progress: Progress | None = None,
) -> Mapping[str | None, BestThreshold]:
    """Return the best threshold of every model for the y of a curve, on the rows of that curve.

    Parameters
    ----------
    data : Predictions
        The table that the curve was drawn from.
    settings : CurveSettings
        Those of the curve, as `curve(...).settings` has them; its `level` and `resamples` are those
        of the plateau.
    goal : {"max", "min"}
        Whether the highest or the lowest value is best.
    subject_to : str, optional
        Formula that must hold at the threshold.
    progress : callable, optional
        Called as `progress(done, total)`.

    Returns
    -------
    mapping of str to BestThreshold
        By model; {None: ...} where the table has no `model` column.

    Raises
    ------
    ParameterError
        As `best_threshold` does, and for settings of a curve that has other points: of several
        classes, averaged, merged otherwise or unsorted, and sums from the lowest value up.

    Examples
    --------
    >>> from plumbline.curves import curve
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> drawn = curve(data, "accuracy")
    >>> best_thresholds(data, drawn.settings, goal="max")[None].value
    0.75
    """
    refuse_other_curve(data, settings, y=settings.y, subject_to=subject_to)
    parts = list(data.by_model().items())
    return {
        model: best_threshold(
            part,
            settings.y,
            goal=goal,
            subject_to=subject_to,
            sort_by=settings.sort_by,
            where=settings.where,
            target=settings.target,
            params=params_for(
                settings.params, settings.y, subject_to, settings.sort_by, settings.where
            ),
            level=settings.level,
            resamples=settings.resamples,
            rng=settings.seed or 0,
            progress=share,
        )
        for (model, part), share in with_shares(parts, progress)
    }
