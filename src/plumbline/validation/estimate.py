"""`estimate`: how well a classifier does on rows it was not fitted on."""

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plumbline._checks import need_extra, shorten, shown
from plumbline.checkpoints import run_blocks
from plumbline.dependence import RowGroups
from plumbline.errors import InputError, ParameterError, warn
from plumbline.formatting import RESUBSTITUTED, quoted
from plumbline.metrics import metrics_named
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, seed_of
from plumbline.validation.dataset import Dataset, Split, dataset_of, need_same_length
from plumbline.validation.digest import digest
from plumbline.validation.estimators import other_kind, plain_value
from plumbline.validation.fitting import (
    USUAL_INNER,
    Work,
    learning_settings,
    prediction_table,
    settled,
)
from plumbline.validation.guards import Finding, findings, need_unfitted
from plumbline.validation.results import Estimate
from plumbline.validation.schemes import Scheme, scheme_of, with_inner
from plumbline.validation.search import Search, need_params, own_search, search_of
from plumbline.validation.summaries import model_estimate

USUAL = ("accuracy", "brier-score", "log-loss", "roc-auc")


NO_INTERVAL = "folds keep groups whole, and no interval rests on it"


def estimate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    scheme: Any = "stratified:10",
    search: Search | Mapping[str, Any] | None = None,
    groups: Any = None,
    time: Any = None,
    metrics: str | Sequence[str] | None = None,
    rows: Any = None,
    columns: Sequence[str] | None = None,
    attributes: Any = None,
    left_out: Mapping[str, Any] | None = None,
    positive: Any = None,
    rng: Seed = 0,
    workers: int | None = None,
    folder: str | Path | None = None,
    refit: bool = False,
    resubstitution: bool = False,
    progress: Progress | None = None,
) -> Estimate:
    """Estimate how well classifiers do on rows they were not fitted on.

    For every split of the scheme an unfitted clone of the estimator is fitted on the training part,
    including preprocessing and the search of hyper-parameters, and measured on the test part. A
    metric's estimate is the mean over the test parts; its standard deviation has the denominator n
    - 1.

    Schemes: holdout:0.3, repeated-holdout:10,0.3, k-fold:10, stratified:10, repeated-stratified:5x2
    (repeats x folds), grouped:5, stratified-grouped:5, time-series:5 (each part tested by a model
    of all earlier rows; the earliest are never tested), leave-one-out, bootstrap:200 (tested on the
    rows left out; with the .632+ estimate of means over rows), train-validation-test:0.6,0.2,0.2
    (chosen on validation, refitted on both, tested), nested:5x10 (outer x inner, stratified),
    nested-grouped:5x5, resubstitution, or a splitter of scikit-learn. With `groups`, holdouts and
    bootstraps draw whole groups.

    Parameters
    ----------
    estimator : estimator or mapping of str to estimator
        Unfitted scikit-learn classifier, pipeline or search; several by name use the same splits.
    X : array, sparse matrix or frame of n rows
        Features.
    y : array-like of shape (n,)
        Labels.
    scheme : str or splitter, default "stratified:10"
        One of the schemes above, or a splitter of scikit-learn.
    search : mapping or Search, optional
        {"parameter": [values]} or a `Search`, run inside every training part: on the inner part of
        the scheme, else on 5 stratified folds.
    groups : array-like of shape (n,), optional
        Names of groups; rows of one group are never on both sides of a split.
    time : array-like of shape (n,), optional
        Numbers, dates, or texts such as 2024-01-31, for the scheme time-series, which otherwise
        uses the order of the rows.
    metrics : str or sequence of str, optional
        Names of the catalogue; by default accuracy, brier-score, log-loss and roc-auc.
    rows : array-like of shape (n,), optional
        Names of the rows, for the column `row`; by default their numbers, from 0.
    columns : sequence of str, optional
        Names of the features for messages; by default those of a frame.
    attributes : mapping of str to array-like of shape (n,), or data frame, optional
        Values to carry into the prediction table.
    left_out : mapping of str to array-like of shape (n,), optional
        Columns that are not features, such as an id; only the guards use them, and `attributes`.
    positive : class, optional
        Positive class of two; by default the last.
    rng : int, Generator or None, default 0
        Random seed of all splits, searches and estimators without a `random_state`.
    workers : int, optional
        Number of threads; by default all cores, or as `joblib.parallel_config` says. The result
        does not depend on it.
    folder : str or Path, optional
        Folder for finished pieces, so that an interrupted call continues if data, arguments and
        code are the same (`plumbline.checkpoints.discard` removes them); needs a seed.
    refit : bool, default False
        Fit each model on all rows too, for `.models[...].final`.
    resubstitution : bool, default False
        Must be True for the scheme of that name, which measures on training data.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    Estimate
        Each model's metrics over the test parts, the remarks of the guards, and the predictions of
        all test rows.

    Raises
    ------
    ParameterError
        For an invalid argument, and for fitted estimators.
    InputError
        For data without a valid estimate, with the rows. Doubtful cases give a PlumblineWarning,
        which is kept in `remarks`.

    References
    ----------
    Stone (1974); Efron and Tibshirani (1997); Varma and Simon (2006) for nested cross-validation.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> rng = np.random.default_rng(0)
    >>> y = rng.permutation(np.repeat(["ill", "well"], 40))
    >>> X = rng.normal(size=(80, 2)) + (y == "ill")[:, None]
    >>> result = estimate(GaussianNB(), X, y, scheme="stratified:5", metrics=["accuracy"])
    >>> result["GaussianNB"].summary[0]
    MetricEstimate
      metric     accuracy
      mean       0.6875
      deviation  0.182217
      least      0.4375
      most       0.875
      pooled     0.6875
    >>> result.predictions.n, result.predictions.folds
    (80, ('0', '1', '2', '3', '4'))
    """
    need_extra("sklearn", "sklearn", "an error estimate")
    parsed, wanted = scheme_of(scheme), search_of(search)
    if time is not None and not parsed.ordered:
        raise ParameterError(
            f"`time` is for the scheme 'time-series:5', got the scheme {quoted(parsed.text)}; "
            "leave it out, or use that scheme",
            code="time-beside-scheme",
        )
    data = dataset_of(
        X, y, groups=groups, time=time, rows=rows, attributes=attributes, positive=positive
    )
    if parsed.ordered and time is None:
        data = dataclasses.replace(data, time=np.arange(data.n))
    need_same_length(data.n, left_out or {})
    models = _models(estimator)
    measured = metrics_named(USUAL if metrics is None else metrics)
    _check_question(parsed, wanted, models, resubstitution=resubstitution)
    entropy = entropy_of(rng)
    with settled():
        splits = _splits(parsed, data, entropy, searched=wanted is not None)
        remarks = _remarks(
            data,
            splits,
            parsed,
            searched=wanted is not None,
            models=models,
            columns=columns,
            left_out={**data.attributes, **(left_out or {})},
        )
        work = Work(data, models, splits, wanted, entropy, learning_settings())
        last = len(splits) + (parsed.name == "bootstrap")  # for .632+, each model on all rows
        blocks = run_blocks(
            work,
            [(number, place) for number in range(len(models)) for place in range(last)],
            question={} if folder is None else _question(work, parsed, rng),
            folder=None if folder is None else Path(folder),
            workers=workers,
            progress=progress,
        )
        finals = [work.fitted((i, len(splits))) if refit else None for i in range(len(models))]
    names = {
        i: name if parsed.out_of_sample else name + RESUBSTITUTED
        for i, (name, _) in enumerate(models)
    }
    return Estimate(
        scheme=parsed.text,
        honest=parsed.out_of_sample,
        n=data.n,
        n_tested=len(np.unique(np.concatenate([split.test for split in splits]))),
        seed=seed_of(rng),
        models=tuple(
            model_estimate(work, blocks, i, name=name, metrics=measured, final=finals[i])
            for i, name in names.items()
        ),
        remarks=remarks,
        row_groups=_row_groups(data),
        predictions=prediction_table(work, blocks, names),
    )


def _row_groups(data: Dataset) -> RowGroups | None:
    """Return the groups that are kept whole; None where rows are in none."""
    if data.groups is None:
        return None
    return RowGroups.untold(len(np.unique(data.groups)), NO_INTERVAL)


def _models(estimator: Any) -> tuple[tuple[str, Any], ...]:
    """Return names and estimators, each one checked."""
    given = estimator if isinstance(estimator, Mapping) else {_usual_name(estimator): estimator}
    if not given:
        raise ParameterError(
            "`estimator` must name at least one estimator, got an empty dict", code="nothing-named"
        )
    if len(set(map(str, given))) < len(given):
        raise ParameterError(
            f"the names of `estimator` must differ as text, got {shown(given)}; rename one",
            code="named-twice",
        )
    for name, one in given.items():
        _need_refit(name, one)
        sound = all(callable(getattr(one, m, None)) for m in ("fit", "predict", "get_params"))
        if isinstance(one, type) or not sound:
            raise ParameterError(
                argument="estimator",
                rule="a classifier in the style of scikit-learn, with fit, predict and "
                "get_params (an object, not its class)",
                arrived=shorten(one),
                code="no-classifier",
            )
        other = other_kind(one)
        if other is not None:
            raise ParameterError(
                f"`estimator` must be a classifier, {quoted(name)} is {other}", code="no-classifier"
            )
        need_unfitted(one)
    return tuple((str(name), one) for name, one in given.items())


def _need_refit(name: Any, estimator: Any) -> None:
    """Refuse a search that fits no model in the end."""
    cv = own_search(estimator)
    if cv is not None and not estimator.get_params()[f"{cv.removesuffix('cv')}refit"]:
        raise ParameterError(
            f"the search {quoted(str(name))} has `refit=False`, so there is no model to measure; "
            "leave refit at its default",
            code="search-without-refit",
        )


def _usual_name(estimator: Any) -> str:
    """Return the name of the classifier itself: of a pipeline's last step, of what is searched."""
    if getattr(estimator, "steps", None):
        return _usual_name(estimator.steps[-1][1])
    if own_search(estimator) == "cv":
        return _usual_name(estimator.estimator)
    return type(estimator).__name__


def _check_question(
    scheme: Scheme,
    search: Search | None,
    models: Sequence[tuple[str, Any]],
    *,
    resubstitution: bool,
) -> None:
    """Refuse what does not go together."""
    if not scheme.out_of_sample and not resubstitution:
        raise ParameterError(
            "the scheme 'resubstitution' measures models on the rows they were fitted on, which "
            "is optimistic; pass `resubstitution=True` if you want that, else use stratified:10",
            code="resubstitution-unsaid",
        )
    if scheme.out_of_sample and resubstitution:
        raise ParameterError(
            "`resubstitution` is for the scheme of that name, got the scheme "
            f"{quoted(scheme.text)}",
            code="resubstitution-beside-scheme",
        )
    for value in [] if search is None else search.estimators():
        need_unfitted(value)
    for name, one in models:
        own = own_search(one) is not None
        if own and search is not None:
            raise ParameterError(
                f"{quoted(name)} is a search already; leave out `search`, or pass the bare "
                "estimator",
                code="search-twice",
            )
        if scheme.searched and search is None and not own:
            raise ParameterError(
                f"the scheme {quoted(scheme.text)} has inner folds for a search of "
                f"hyper-parameters, but {quoted(name)} has none",
                code="search-missing",
                argument="search",
                remedy="pass `search={'parameter': [values]}`, or a scheme without inner folds "
                "such as stratified:5",
            )
        need_params(name, one, search)


def _splits(scheme: Scheme, data: Dataset, entropy: int, *, searched: bool) -> tuple[Split, ...]:
    """Return the splits, for a search all with an inner part."""
    splits = scheme.splits(data, entropy)
    if not splits or any(split.n_train == 0 or len(split.test) == 0 for split in splits):
        raise InputError(
            f"the scheme {quoted(scheme.text)} leaves a part without rows; use fewer folds",
            code="part-without-rows",
        )
    if not searched:
        return splits
    return tuple(
        split if split.inner else with_inner(split, data, USUAL_INNER, entropy) for split in splits
    )


def _remarks(
    data: Dataset,
    splits: Sequence[Split],
    scheme: Scheme,
    *,
    searched: bool,
    models: Sequence[tuple[str, Any]],
    columns: Sequence[str] | None,
    left_out: Mapping[str, Any],
) -> tuple[Finding, ...]:
    """Return what the guards find; errors are raised together, the rest are warnings."""
    result = findings(
        data.X,
        np.asarray(data.classes)[data.codes],
        splits,
        groups=data.group_names,
        out_of_sample=scheme.out_of_sample,
        columns=columns,
        left_out=left_out,
    )
    errors = [one for one in result if one.severity == "error"]
    if errors:
        texts = "; ".join(one.text for one in errors)
        raise InputError(f"no valid estimate is possible: {texts}", code=errors[0].name)
    unused = not searched and any(own_search(one) is None for _, one in models)
    if scheme.name == "train-validation-test" and unused:
        text = (
            "without a search the validation part is added to the training part; pass `search` "
            "to choose hyper-parameters on it"
        )
        result = (*result, Finding("validation-unused", "warning", text))
    for one in result:
        warn(f"{one.name}: {one.text}", code=one.name)
    return result


def _question(work: Work, scheme: Scheme, rng: Seed) -> dict[str, Any]:
    """Return what the finished pieces depend on, as it is kept beside them."""
    if seed_of(rng) is None:
        raise ParameterError(
            "`folder` keeps finished work for a later call, which needs the same random numbers: "
            "pass a seed (a whole number) as `rng`",
            code="seed-missing",
        )
    sklearn = need_extra("sklearn", "sklearn", "an error estimate")
    rows, search = work.rows, work.search
    return {
        "models": {name: plain_value(one) for name, one in work.models},
        "scheme": scheme.text,
        "search": None if search is None else plain_value(search.params),
        "rows": rows.n,
        "seed": work.entropy,
        "positive": rows.classes[rows.positive],
        "data (digest)": digest([rows.X, rows.y, rows.groups]),
        "models and search (digest)": digest([list(work.models), search and vars(search)]),
        "splits (digest)": digest([[split.given, split.test] for split in work.splits]),
        "settings": plain_value(work.settings),
        "scikit-learn": sklearn.__version__,
    }
