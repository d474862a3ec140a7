"""The workbench: one look at a table of predictions, in the browser and in the notebook.

`questions` answers questions about a table, `wire` turns answers into bytes, `server` brings them
to a browser, `notebook` to a notebook; `static` is the front end as built from `frontend/`.
"""
