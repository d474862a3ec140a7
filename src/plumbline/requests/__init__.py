"""The table of requests: every analysis, its parameters, and the surfaces that offer it."""

from plumbline.requests.table import REQUESTS, Request

__all__ = ["REQUESTS", "Request"]
