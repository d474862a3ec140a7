"""The workbench: one look at a table of predictions, in the browser and in the notebook.

`desk` answers questions about a table, `wire` turns answers into bytes, `server` brings them to a
browser, `notebook` to a notebook; `static` holds the front end that `frontend/` is built into.
"""
