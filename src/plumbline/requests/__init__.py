"""The table of requests: every analysis, its parameters, and the surfaces that offer it."""

from plumbline.requests.kinds import KINDS, Kind, fields_of
from plumbline.requests.table import CURVE, OPTIMUM, REQUESTS, Param, Request

__all__ = ["CURVE", "KINDS", "OPTIMUM", "REQUESTS", "Kind", "Param", "Request", "fields_of"]
