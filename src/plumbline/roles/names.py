"""Names of columns: how they are compared, and the tables of those that people use.

A test keeps the tables of one decision disjoint. A word that means two things stands in neither, or
is decided by values: `pos`, `norm`, `lr`.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

REMEMBERED = 4_096  # names and labels of a wide table, asked for dozens of times each on reading
_remembered = lru_cache(maxsize=REMEMBERED, typed=True)


def _table(text: str) -> frozenset[str]:
    return frozenset(text.split())


# ---------------------------------------------------------------- truth
OWN_TRUTH = _table("actual ytrue")
SURE_TRUTH = _table(
    "ytest yactual groundtruth truelabel trueclass trueoutcome true truth gold goldlabel gt "
    "observed obs actuallabel actualclass yobs yval ist tatsachlich tatsaechlich wahr verite "
    "reel vraie verdadero real reale 真实 真实标签 正解"
)
TRUTH = _table(
    "y target targets label labels class classes outcome response event correct iscorrect "
    "status diagnosis result default defaulted churn churned fraud spam died death dead "
    "deceased mortality survived survival readmitted readmission converted conversion clicked "
    "click purchased won win sold bought passed paid repaid bad delinquent attrition acc "
    "accuracy grade right goodbad exited attrited cancelled canceled lapsed renewed subscribed "
    "responded ziel zielvariable zielklasse klasse ausfall storniert storno gekundigt gekuendigt "
    "abwanderung betrug verstorben komplikation cible classe etiquette resilie resiliation deces "
    "decede fraude impaye clase etiqueta objetivo fallecido abandono impago alvo inadimplente "
    "inadimplencia esito obiettivo decesso insolvenza abbandono frode 标签 ラベル"
)
TRUTH_LAST = _table("true actual label target outcome truth observed obs event class flag")
SURE_LAST = _table("true actual truth observed")  # nothing else is called so
TRUTH_FIRST = _table("is has was did true actual y label target observed event")
CORRECT = _table("correct iscorrect right acc accuracy grade")  # differs by model by nature
RIGHT_OR_WRONG = (frozenset({"right", "wrong"}), frozenset({"correct", "incorrect"}))  # as classes
NOT_TRUTH = _table(
    "sex gender male female smoker smoking married student employed treated treatment group arm "
    "control holdout region country source family history prior previous side partner "
    "geschlecht raucher sexe fumeur sexo "
    "fumador fumante sesso fumatore geslacht"
)
NO_OUTCOME = _table("period phase cohort batch quarter month week weekday day season")  # alone
SEXES = tuple(
    frozenset(pair.split())  # labels of people, whatever the column is called
    for pair in (
        "m f", "m w", "h f", "male female", "man woman", "men women", "homme femme",
        "hombre mujer", "mannlich weiblich", "maennlich weiblich", "maschio femmina",
        "masculino feminino", "masculino femenino", "herr frau",
    )
)  # fmt: skip
# ---------------------------------------------------------------- probability
OWN_PROB = _table("yprob")
PROB = _table(
    "yproba yscore pr prob proba probs probability probabilities score scores risk confidence "
    "prediction predictions pred ypred yhat p phat p1 pd predprob predproba ypredproba "
    "yprobpred predictedprobability predictedrisk predictedprob probabilityscore likelihood "
    "fitted fittedvalues ctr cvr pctr pcvr scoredprobabilities wahrscheinlichkeit risiko "
    "vorhersage probabilite risque probabilidad probabilidade probabilita riesgo risco "
    "prediccion 概率 確率 预测概率"
)
TENDENCY = _table("propensity")  # of what a truth is called, else of a treatment
SURE_PROB = _table(
    "yprob yproba prob proba probability predproba ypredproba predprob predictedprobability"
)
PROB_WORDS = _table(
    "oof p prob proba probs probability score risk pred prediction predicted confidence "
    "likelihood yhat phat probabilities fitted wahrscheinlichkeit risiko probabilite "
    "probabilidad probabilidade probabilita riesgo risque"
)
FILL = _table("scored y hat of for the est estimated model class positive pos oof cv test")
NOT_PROB = _table(
    "value factor age ratio rate share fraction frac pct util utilisation utilization lower "
    "upper low high lo hi lcl ucl ci se sd std var stderr stdev width threshold cutoff cut rank "
    "quantile percentile decile min max delta diff change loss entropy credit fico similarity "
    "sim distance gini humidity discount norm normalized normalised scaled std x feature f v "
    "col var error brier time date weight alpha lambda count num n groups uncertainty variance "
    "interest tax missing coverage balance propensity pscore lgd ltv dti freq frequency "
    "severity amount "
    "cost price premium income demand exposure"
)
PERCENT = _table("pct percent percentage prozent")
MARGIN = _table("margin logit logits decision decisionfunction decisionscore rawscore logodds llr")
RATING = _table("rating ratings grade grades stars points judgerating judgescore note bewertung")
# ---------------------------------------------------------------- other parts
PREDICTED = _table(
    "scoredlabels predictionlabel predict into response2 ypred predicted predictedclass "
    "predictedlabel predlabel predclass pred prediction predictions yhat ypredicted decision "
    "answerpred vorhergesagt predit predicho predetto"
)
MODEL = _table(
    "model modelversion modelname modelid llm llmname languagemodel estimator classifier "
    "algorithm algo learner learnerid workflow workflowid wflow wflowid modell modele modelo "
    "modello"
)
RUN = _table("run system method version variant approach")
PLAIN_MODEL = _table("model modell modele")  # also of cars
ROW = _table(
    "row id index idx zeile rowid rowids rowindex rownumber uid uuid guid unnamed0 nr key case "
    "record"
)
ID_LAST = _table("id ids nr no idx key uuid guid nummer kennung num number code")
ID_FIRST = _table("id")  # as in id_paciente
# Those of whom or which a table often has several rows, which then are of several models, or
# belong together.
UNIT = _table(
    "item example instance observation obs "
    "patient subject participant respondent proband person user customer client member borrower "
    "applicant account household family animal mouse question prompt query document conversation "
    "dialogue session image video device machine paciente paziente kunde client cliente usuario "
    "utente utilisateur nutzer frage pregunta domanda"
)
FOLD = _table("fold folds cvfold testfold outerfold foldid cv kfold")
FOLD_VALUE = re.compile(r"(fold|resample)[ _-]?\d+([ ._-]?rep(eat)?[ _-]?\d+)?", re.IGNORECASE)
REPEAT = _table("repeat repetition rep epoch sample iteration seed trial bootstrap")
ROUNDS = {"fold": _table("fold folds"), "repeat": _table("repeat repetition rep")}
ROUND = _table("cv id nr no number index idx outer test k")  # beside one of these words
SPLIT = _table("split partition subset dataset set")
TRAINING = _table("train training trn")
HALVES = _table("istrain istest train test intrain holdout insample oot isvalid")
COUNTS = _table("count counts freq frequency nrows nobs")
TIMES = _table(
    "time duration tte timetoevent followup followuptime survivaltime survtime days months "
    "tenure ostime"
)
CENSORED = _table("event status death died dead deceased relapse censored failure")
SURE_WEIGHT = _table(
    "sampleweight caseweight sampleweights surveyweight instanceweight obsweight fallgewicht"
)
WEIGHT = _table(
    "weight weights wt wts wgt fnlwgt gewicht poids peso ipw iptw ipcw pweight dweight anweight "
    "pspwght finalwt finalwgt perwt"
)
WEIGHT_LAST = _table("weight weights wt wts wgt gewicht gewichtung poids peso")
# What weighs rows, as in sampling_weight, and no bodies or goods
WEIGHT_OF = _table(
    "sample sampling case survey design post stratification poststratification poststrat instance "
    "obs observation example row importance ipw iptw ipcw inverse probability respondent "
    "stichprobe stichproben umfrage"
)
BODY = _table("height bmi age sex gender length price engine horsepower groesse taille")
# ---------------------------------------------------------------- models and classes
MODELS = _table(
    "logreg logistic logit probit scorecard lr reg regression boosting boost xgb xgboost lgb "
    "lgbm lightgbm catboost gbm gbdt gb hgb rf forest randomforest tree dt cart nb bayes svm svc "
    "svr knn mlp nn net "
    "dnn cnn rnn lstm transformer bert glm gam lasso ridge elastic enet ensemble stack stacking "
    "stacked voting blend baseline champion challenger cox lda qda gp tabpfn tabnet llm gpt "
    "llama claude sonnet opus haiku mistral gemini gemma qwen deepseek phi "
    "raw cal calibrated uncalibrated platt isotonic temperature old new current candidate "
    "before after model modell modele"
)
BAD = _table(
    "bad default defaulted fraud died death dead mortality churn churned attrition disease sick "
    "fail failure failed malignant cancer spam risk loss readmission readmitted delinquent "
    "ausfall pd hazard relapse recurrence"
)
GOOD = _table(
    "good paid repaid survived survival survive alive retained retention stay ok healthy legit "
    "ham normal benign success pass passed approved nondefault goodstanding no not non never "
    "negative neg without"
)
NEGATED = _table("neg negative no false")


@_remembered
def plain(name: object) -> str:
    """Return a name in small letters, its words parted by "_".

    >>> plain("P(Churn=yes)"), plain("cvFold"), plain("proba1"), plain("-1"), plain("Évènement")
    ('p_churn_yes', 'cv_fold', 'proba_1', 'minus_1', 'evenement')
    """
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(name))
    text = re.sub(r"(?i)\b(p|prob|proba|score|class)(\d+)\b", r"\1_\2", text)
    letters = unicodedata.normalize("NFKD", text.casefold())
    text = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[\W_]+", "_", re.sub(r"(?<!\w)-(?=\d)", "minus_", text)).strip("_")


@_remembered
def squeezed(name: object) -> str:
    """Return a name without what parts its words: `Row Id`, `row_id` and `rowid` are the same."""
    return plain(name).replace("_", "")


@_remembered
def words_of(name: object) -> tuple[str, ...]:
    """Return the words of a name.

    >>> words_of(".pred_No event")
    ('pred', 'no', 'event')
    """
    return tuple(word for word in plain(name).split("_") if word)


@_remembered
def rest_of(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return what is left of a name without the words of probability; None if it has none of them.

    >>> rest_of(words_of("prob_bad")), rest_of(words_of("y_proba")), rest_of(words_of("logreg"))
    (('bad',), (), None)
    >>> rest_of(words_of("Ausfallwahrscheinlichkeit"))
    ('ausfall',)
    """
    left, seen = list(words), False
    for end in (0, -1):
        while left and left[end] in PROB_WORDS | FILL:
            seen |= left.pop(end) in PROB_WORDS
    for place, word in enumerate(left):
        for known in sorted(PROB_WORDS):
            if len(known) >= 4 and len(word) - len(known) >= 3 and word.endswith(known):
                left[place], seen = word[: -len(known)], True
                break
    return tuple(left) if seen else None


@_remembered
def affixes(words: tuple[str, ...]) -> frozenset[str]:
    """Return the words of probability in a name."""
    return PROB_WORDS & {*words}


def one_affix(several: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether names differ but for their first word, or but for their last.

    >>> one_affix([("pd", "logit"), ("pd", "gbm")]), one_affix([("ltv",), ("pd", "gbm")])
    (True, False)
    """
    parted = len(several) > 1 and all(len(words) > 1 for words in several)
    return parted and any(len({words[place] for words in several}) == 1 for place in (0, -1))


@_remembered
def is_model(words: tuple[str, ...], *, bare: bool = False) -> bool:
    """Tell whether words name a model: a known one, or beside an affix also `a`, `v1` or `m2`."""
    if not words:
        return False
    short = not bare and all(re.fullmatch(r"[a-z]|v\d+|m\d+", word) for word in words)
    return any(word in MODELS for word in words) or short


@_remembered
def is_time(words: tuple[str, ...]) -> bool:
    """Tell whether words hold a number or a span such as `30d`, `1y` or `q2`."""
    return any(re.fullmatch(r"\d+([a-z]{1,6})?|[tqh]\d+", word) for word in words)


@_remembered
def related(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Tell whether names have a word in common, or nearly: churn and churned.

    >>> related(("malignancy",), ("malignant",)), related(("control",), ("contract",))
    (True, False)
    """

    def nearly(one: str, other: str) -> bool:
        common = next(
            (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
            min(len(one), len(other)),
        )
        short = min(len(one), len(other))
        return one == other or common >= max(4, short - 1) or common >= max(5, 3 * short / 4)

    return any(nearly(one, other) for one in some for other in others)


def is_weight(words: tuple[str, ...]) -> bool:
    """Tell whether a name is surely that of weights of rows.

    >>> [is_weight(words_of(one)) for one in ("Sampling Weight", "sample_weight", "birth_weight")]
    [True, True, False]
    """
    known = len(words) > 1 and words[-1] in WEIGHT_LAST and {*words[:-1]} <= WEIGHT_OF
    return known or "".join(words) in SURE_WEIGHT


def part_of_round(words: tuple[str, ...]) -> str | None:
    """Return whether words name the fold or the repeat of a cross-validation.

    >>> part_of_round(words_of("cv_repeat")), part_of_round(words_of("outerFold"))
    ('repeat', 'fold')
    >>> part_of_round(words_of("sample")), part_of_round(words_of("sample_idx"))
    ('repeat', None)
    """
    whole, left = "".join(words), "".join(word for word in words if word not in ROUND)
    if whole in FOLD or left in ROUNDS["fold"]:
        return "fold"
    return "repeat" if whole in REPEAT or left in ROUNDS["repeat"] else None
