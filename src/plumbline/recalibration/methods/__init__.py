"""The table of recalibration methods: name, input, properties and source of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from plumbline._checks import nearest, shorten, shown
from plumbline.errors import ParameterError
from plumbline.recalibration.inputs import INPUTS, NEVER, PROBABILITY
from plumbline.recalibration.methods import (
    histogram_binning,
    isotonic,
    logistic,
    matrix_scaling,
    prior_shift,
    spline,
    temperature,
)

AUTO, NONE = "auto", "none"  # asked for by name too: the best of all, and no change at all
NATIVE, ONE_VS_REST = "native", "one-vs-rest"
KEPT, TIES, FREE = "kept", "ties", "free"
ONLY_PROBABILITY = (PROBABILITY,)
FLOOR = "floor"
OF_LOGS: Mapping[str, Any] = {FLOOR: NEVER}  # option of every method that takes logarithms


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One recalibration method.

    Attributes
    ----------
    name, title : in kebab case, and in sentences
    fit : returns an EventFit of (Event, (n,) whether the row is of the class, (n,) weights) where
        `several` is "one-vs-rest", else a WholeFit of (Reading, (n,) class numbers, (n,) weights)
    several : how it treats more than two classes: "one-vs-rest", or "native", all at once
    on : what it can read, "probability" and "score"
    order : of the scores of two classes: "kept" strictly, with "ties", or "free" to change
    options : name -> default, as keyword arguments of `fit`; `floor` is read before a fit
    one_class : whether it can be fitted on rows of one class
    text : what it does, one sentence
    source : paper and year
    """

    name: str
    title: str
    fit: Callable[..., Any]
    several: str = ONE_VS_REST
    on: tuple[str, ...] = INPUTS
    order: str = KEPT
    options: Mapping[str, Any] = field(default_factory=dict)
    one_class: bool = False
    text: str
    source: str


ROWS = (
    Method(
        name="platt",
        title="Platt scaling",
        fit=logistic.platt,
        options=OF_LOGS,
        text="A logistic curve in the log-odds (of a rating: in the rating itself).",
        source="Platt 1999",
    ),
    Method(
        name="platt-on-probability",
        title="Platt scaling of the probability",
        fit=logistic.platt_on_probability,
        on=ONLY_PROBABILITY,
        text="A logistic curve in the probability itself, which cannot leave it unchanged; "
        "scikit-learn's sigmoid for models without a decision function.",
        source="Platt 1999",
    ),
    Method(
        name="beta",
        title="beta calibration",
        fit=logistic.beta,
        on=ONLY_PROBABILITY,
        options={"parameters": "abm", **OF_LOGS},
        text="A logistic curve in ln p and ln(1 - p), which can leave p unchanged.",
        source="Kull, Silva Filho and Flach 2017",
    ),
    Method(
        name="spline",
        title="spline calibration",
        fit=spline.spline,
        order=FREE,
        options={"knots": 0, **OF_LOGS},
        text="A smoothing spline in the log-odds, with smoothness chosen by marginal likelihood.",
        source="Lucena 2018",
    ),
    Method(
        name="isotonic",
        title="isotonic regression",
        fit=isotonic.isotonic,
        order=TIES,
        options={"bounded": True},
        text="The best-fitting increasing map.",
        source="Zadrozny and Elkan 2002",
    ),
    Method(
        name="centred-isotonic",
        title="centred isotonic regression",
        fit=isotonic.centred_isotonic,
        order=TIES,
        options={"bounded": True},
        text="Isotonic regression without flat segments.",
        source="Oron and Flournoy 2017",
    ),
    Method(
        name="venn-abers",
        title="Venn-Abers prediction",
        fit=isotonic.venn_abers,
        order=TIES,
        text="Two isotonic fits, one for each class the row may have, merged into one probability.",
        source="Vovk, Petej and Fedorova 2015",
    ),
    Method(
        name="histogram-equal-width",
        title="histogram binning, equal width",
        fit=histogram_binning.equal_width,
        order=FREE,
        on=ONLY_PROBABILITY,
        options={"bins": 15, "bounded": True},
        text="The observed frequency in bins of equal width.",
        source="Zadrozny and Elkan 2001",
    ),
    Method(
        name="histogram-equal-size",
        title="histogram binning, equal size",
        fit=histogram_binning.equal_size,
        order=FREE,
        options={"bins": 15, "bounded": True},
        text="The observed frequency in bins of equally many rows.",
        source="Zadrozny and Elkan 2001",
    ),
    Method(
        name="bbq",
        title="Bayesian binning into quantiles",
        fit=histogram_binning.bbq,
        order=FREE,
        text="An average of equal-size histograms, weighted by their marginal likelihood.",
        source="Naeini, Cooper and Hauskrecht 2015",
    ),
    Method(
        name="scaling-binning",
        title="scaling-binning",
        fit=histogram_binning.scaling_binning,
        order=TIES,
        options={"bins": 15, **OF_LOGS},
        text="Platt scaling, averaged in bins of equally many rows, so that its calibration "
        "error can be measured.",
        source="Kumar, Liang and Ma 2019",
    ),
    Method(
        name="temperature",
        title="temperature scaling",
        fit=temperature.temperature,
        several=NATIVE,
        options=OF_LOGS,
        text="One number that makes all probabilities more or less extreme; the most likely "
        "class stays.",
        source="Guo et al. 2017",
    ),
    Method(
        name="vector",
        title="vector scaling",
        fit=matrix_scaling.vector,
        several=NATIVE,
        order=KEPT,
        options=OF_LOGS,
        text="One slope and one shift of the log probabilities for each class.",
        source="Guo et al. 2017",
    ),
    Method(
        name="matrix",
        title="matrix scaling",
        fit=matrix_scaling.matrix,
        several=NATIVE,
        options={"regularisation": None, **OF_LOGS},
        text="Every logit is a weighted sum of all; off-diagonal weights are penalised (ODIR).",
        source="Guo et al. 2017; Kull et al. 2019",
    ),
    Method(
        name="dirichlet",
        title="Dirichlet calibration (L2)",
        fit=matrix_scaling.dirichlet,
        several=NATIVE,
        on=ONLY_PROBABILITY,
        order=FREE,
        options={"regularisation": None, **OF_LOGS},
        text="A softmax of weighted sums of all log probabilities, penalised towards "
        "temperature scaling.",
        source="Kull et al. 2019",
    ),
    Method(
        name="dirichlet-odir",
        title="Dirichlet calibration (ODIR)",
        fit=matrix_scaling.dirichlet_odir,
        several=NATIVE,
        on=ONLY_PROBABILITY,
        order=FREE,
        options={"regularisation": None, **OF_LOGS},
        text="A softmax of weighted sums of all log probabilities; off-diagonal weights and "
        "shifts are penalised.",
        source="Kull et al. 2019",
    ),
    Method(
        name="prior-shift",
        title="prior-shift correction",
        fit=prior_shift.prior_shift,
        several=NATIVE,
        on=ONLY_PROBABILITY,
        options={"prior": None, "training": None, **OF_LOGS},
        one_class=True,
        text="Corrects for class shares that differ from those in training, and for nothing else.",
        source="Saerens, Latinne and Decaestecker 2002",
    ),
)
METHODS: Mapping[str, Method] = {row.name: row for row in ROWS}


def method_named(name: Any) -> Method:
    """Return the row of a method; a near name is suggested where there is none.

    Parameters
    ----------
    name : str
        Such as "temperature"; hyphens and underscores are alike.

    Returns
    -------
    Method
        Its name, title, what it needs, and how it is fitted.

    Raises
    ------
    ParameterError
        For an unknown name.

    Examples
    --------
    >>> method_named("platt").title
    'Platt scaling'
    """
    key = str(name).strip().casefold().replace("_", "-").replace(" ", "-")
    if key not in METHODS:
        raise ParameterError(
            code="unknown-name",
            argument="method",
            rule=f"one of {shown(METHODS, most=len(METHODS))}",
            arrived=shorten(name),
            near=nearest(key, METHODS),
        )
    return METHODS[key]
