"""The table of requests: what can be asked of predictions, with which parameters, and where."""

from plumbline.requests.table import REQUESTS, Request

__all__ = ["REQUESTS", "Request"]
