"""The table of requests: every analysis, its parameters, and the surfaces that offer it."""

from plumbline.requests.kinds import (
    KINDS,
    Kind,
    any_number,
    fields_of,
    flag,
    name_list,
    named_texts,
    whole,
)
from plumbline.requests.signature import REQUIRED
from plumbline.requests.table import CURVE, OPTIMUM, REQUESTS, Param, Request

__all__ = [
    "CURVE",
    "KINDS",
    "OPTIMUM",
    "REQUESTS",
    "REQUIRED",
    "Kind",
    "Param",
    "Request",
    "any_number",
    "fields_of",
    "flag",
    "name_list",
    "named_texts",
    "whole",
]
