"""The pieces of work: fit on a training part, predict its test part, stack the predictions."""

import contextlib
import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import need_extra
from plumbline._linear_algebra import ONE_CORE, SharedSetting, one_thread
from plumbline.checkpoints import Key
from plumbline.errors import InputError, ParameterError, PlumblineError, warn
from plumbline.formatting import quoted
from plumbline.predictions import Predictions
from plumbline.predictions.labels import Array
from plumbline.random_streams import stream
from plumbline.validation.dataset import Dataset, Places, Split
from plumbline.validation.estimators import answers, is_splitter, seeded, seeded_splitter, table_of
from plumbline.validation.schemes import Parts, inner_folds, inner_holdout, inner_parts
from plumbline.validation.search import Search, best_params, own_search, with_search

# The first number of a stream's key; schemes.py has others.
FITTING, WHOLE = 0, 3
USUAL_INNER = 5  # scikit-learn's default of `cv`


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """All pieces of work; a piece is (model, split), and `len(splits)` stands for all rows.

    Attributes
    ----------
    rows : what is learned from
    models : names and unfitted estimators
    splits : the same for all models
    search : what chooses hyper-parameters, unless a model has a search of its own
    entropy : what all streams are derived from: (model, repeat, fold) names that of one fit
    settings : scikit-learn's, which a piece takes with it into its thread
    """

    rows: Dataset
    models: Sequence[tuple[str, Any]]
    splits: Sequence[Split]
    search: Search | None
    entropy: int
    settings: Mapping[str, Any]

    def __call__(self, key: Key) -> dict[str, Array]:
        """Fit one model on one training part, and return what it answers on the test part.

        Under "choice" it is told, as JSON, which hyper-parameters were chosen.
        """
        with settled(), learning_under(self.settings):
            fitted = self.fitted(key)
            X = self.rows.features(self.split(key).test)
            result = self._tried(key, "predict", lambda: answers(fitted, X, self.rows.classes))
            return {**result, "choice": np.array(json.dumps(best_params(fitted)))}

    def split(self, key: Key) -> Split:
        """Return the split of a piece; of all rows, a split with everything in both parts."""
        number, place = key
        if place < len(self.splits):
            return self.splits[place]
        every = np.arange(self.rows.n)
        searched = self.search is not None or own_search(self.models[number][1]) is not None
        inner = self._inner_of_all(number) if searched else ()
        return Split(0, 0, every, every, inner)

    def fitted(self, key: Key) -> Any:
        """Return a model fitted on the training part; it gets these rows and no others."""
        model = self._prepared(key)
        train = self.split(key).train
        X, y = self.rows.features(train), self.rows.y[train]
        self._tried(key, "be fitted", lambda: model.fit(X, y))
        self._tried(key, "be searched", lambda: best_params(model))
        return model

    def _prepared(self, key: Key) -> Any:
        """Return an unfitted copy whose chance is that of the piece, with its search set up."""
        estimator, split, rng = self.models[key[0]][1], self.split(key), self._generator(key)
        if self.search is not None:
            return with_search(
                estimator,
                self.search,
                split.inner,
                rng,
                classes=self.rows.classes,
                positive=self.rows.positive,
            )
        model, cv = seeded(estimator, rng), own_search(estimator)
        if cv is not None:
            inner = split.inner or self._own_inner(model.get_params()[cv], split.train, rng)
            model.set_params(**{cv: list(inner)})
        return model

    def _generator(self, key: Key) -> np.random.Generator:
        number, place = key
        if place == len(self.splits):
            return stream(self.entropy, WHOLE, number)
        split = self.splits[place]
        return stream(self.entropy, FITTING, number, split.repeat, split.fold)

    def _own_inner(self, cv: Any, train: Places, rng: np.random.Generator) -> Sequence[Parts]:
        """Return the inner splits a search asks for itself, of the training part."""
        if cv is None or isinstance(cv, (int, np.integer)):
            return inner_folds(self.rows, train, USUAL_INNER if cv is None else int(cv), rng)
        if not is_splitter(cv):
            raise ParameterError(
                "`cv` of a search must be a number of folds or a splitter, because fixed rows do "
                f"not fit every training part, got {type(cv).__name__}",
                code="wrong-kind",
            )
        if len(np.unique(train)) < len(train):
            raise ParameterError(
                "`cv` of a search must be a number of folds in a bootstrap, because its samples "
                "hold rows several times and a splitter would put one row on both sides",
                code="rows-on-both-sides",
            )
        groups = None if self.rows.groups is None else self.rows.groups[train]
        X, y = self.rows.features(train), self.rows.y[train]
        parts = inner_parts(seeded_splitter(cv, rng), X, y, groups)
        if groups is not None and any(np.isin(groups[a], groups[b]).any() for a, b in parts):
            raise ParameterError(
                "`cv` of a search splits groups, so its inner test parts are not new groups; use "
                f"a splitter that keeps groups whole, such as GroupKFold, got {cv}",
                code="groups-torn-apart",
            )
        return parts

    def _inner_of_all(self, number: int) -> tuple[Parts, ...]:
        """Return inner splits of all rows, as many and of such a kind as those of the splits."""
        rng = stream(self.entropy, WHOLE, number, 1)
        every = np.arange(self.rows.n)
        like = self.splits[0].inner
        if not like:
            return ()
        if len(like) == 1:  # a validation part of the size it had
            fit, validation = like[0]
            share = len(validation) / (len(fit) + len(validation))
            return (inner_holdout(self.rows, every, share, rng),)
        return inner_folds(self.rows, every, len(like), rng)

    def _tried(self, key: Key, what: str, action: Callable[[], Any]) -> Any:
        """Do something; an error says which model on which part it was."""
        name, split = self.models[key[0]][0], self.split(key)
        where = f"fold {split.fold} of repeat {split.repeat} ({split.n_train:,} training rows)"
        where = "all rows" if key[1] == len(self.splits) else where
        try:
            return action()
        except (PlumblineError, ValueError) as error:
            text = f"model {quoted(name)} could not {what} in {where}: {error}"
            raise InputError(text, code=getattr(error, "code", "") or "fit-failed") from error
        except Exception as error:
            error.add_note(f"model {quoted(name)} could not {what} in {where}")
            raise


def choice_of(result: Mapping[str, Array]) -> dict[str, Any] | None:
    """Return the hyper-parameters that a piece of work chose, None without a search."""
    params: dict[str, Any] | None = json.loads(str(result["choice"]))
    return params


KINDS = ("label", "prob", "score")


def prediction_table(
    work: Work, blocks: Mapping[Key, Mapping[str, Array]], names: Mapping[int, str]
) -> Predictions:
    """Return the stacked predictions of the named models on all test parts.

    Where models answer with different things, the table holds what all give, and a warning says so.
    """
    keys = [(number, place) for number in names for place in range(len(work.splits))]
    given = [{kind for kind in KINDS if kind in blocks[key]} for key in keys]
    common = set.intersection(*given)
    if common != set.union(*given):
        _warn_of_the_rest(names.values())
    sizes = [len(work.splits[place].test) for _, place in keys]
    test = np.concatenate([work.splits[place].test for _, place in keys])
    rows = work.rows
    return table_of(
        rows.codes[test],
        {kind: _stacked([blocks[key][kind] for key in keys], kind) for kind in common},
        rows.classes,
        positive=work.rows.positive,
        model=np.repeat([names[number] for number, _ in keys], sizes),
        row=test if rows.names is None else rows.names[test],
        attributes={name: values[test] for name, values in rows.attributes.items()},
        **_places(work, [place for _, place in keys], sizes),
    )


def _warn_of_the_rest(names: Any) -> None:
    text = (
        f"the models {', '.join(names)} do not all predict probabilities, so their common table "
        "holds only what all of them predict; estimate(...) has each model's own table in "
        ".models[...].predictions"
    )
    warn(text, code="different-answers")


def _places(work: Work, places: Sequence[int], sizes: Sequence[int]) -> dict[str, Array]:
    """Return fold and repeat of every row; a single split has none, a single repeat no repeat."""
    splits = [work.splits[place] for place in places]
    columns = {}
    if len(work.splits) > 1:
        columns["fold"] = np.repeat([split.fold for split in splits], sizes)
    if any(split.repeat for split in splits):
        columns["repeat"] = np.repeat([split.repeat for split in splits], sizes)
    return columns


def _stacked(parts: Sequence[Array], kind: str) -> Array:
    """Join arrays; in the precision of the finest, probabilities of the coarser sum to 1 again."""
    wide = np.result_type(*parts)
    if kind == "prob":
        parts = [p if p.dtype == wide else _summing_to_one(p.astype(wide)) for p in parts]
    return np.concatenate(parts)


def _summing_to_one(prob: Array) -> Array:
    return np.asarray(prob / prob.sum(axis=1, keepdims=True))


# What splitters say of small classes and of groups they take no notice of is left to the guards,
# which name the rows.
LEFT_TO_GUARDS = ("The least populated class", "The groups parameter is ignored")


@contextlib.contextmanager
def _of_the_process() -> Iterator[None]:
    with ONE_CORE, warnings.catch_warnings():
        for text in LEFT_TO_GUARDS:
            warnings.filterwarnings("ignore", text, UserWarning)
        yield


SHARED = SharedSetting(_of_the_process)


@contextlib.contextmanager
def settled() -> Iterator[None]:
    """Keep linear algebra on one core and splitters silent, as long as this context lasts.

    The pieces of work share the cores already; and sums that several cores add up differ in the
    last digit from those of one, so the answer would depend on the machine's load.
    """
    openmp = one_thread("openmp")  # a setting of this thread alone
    with SHARED, openmp:
        yield


def learning_settings() -> dict[str, Any]:
    """Return scikit-learn's settings, which are those of the thread that asks."""
    settings: dict[str, Any] = need_extra("sklearn", "sklearn", "an error estimate").get_config()
    return settings


def learning_under(settings: Mapping[str, Any]) -> Any:
    """Return a context in which scikit-learn has these settings, in whatever thread."""
    sklearn = need_extra("sklearn", "sklearn", "an error estimate")
    return sklearn.config_context(**settings)
