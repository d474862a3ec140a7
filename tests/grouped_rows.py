"""Tables whose rows depend on each other in groups."""

import numpy as np
from scipy.special import ndtri

import plumbline as pb
from plumbline.dependence import Dependence, Partition


def in_groups(rng, groups=100, rows=10, *, latent=0.4, a=2, b=5, k=2, temperature=1.0):
    """Return calibrated rows of groups that depend on each other, or too extreme ones."""
    code = np.repeat(np.arange(groups), rows)
    if k > 2:
        prob = rng.dirichlet(np.ones(k), groups * rows)
        dependence = Dependence.of(Partition.of(code), latent, prob)
        labels = dependence.once(int(rng.integers(2**32)))
        return pb.Predictions.from_arrays(labels, prob, classes=range(k), groups=code)
    p = rng.beta(a, b, (groups, rows))
    own = np.sqrt(1 - latent) * rng.normal(size=p.shape)
    y = np.sqrt(latent) * rng.normal(size=(groups, 1)) + own < ndtri(p)
    p = p**temperature / (p**temperature + (1 - p) ** temperature)
    labels = y.ravel().astype(int)
    return pb.Predictions.from_arrays(labels, p.ravel(), classes=[0, 1], groups=code)
