"""The workbench: one look at a table of predictions, in the browser and in the notebook.

`questions` answers questions about a table, `wire` turns answers into bytes, `server` brings them
to a browser, `notebook` to a notebook; `static` is the front end as built from `frontend/`.
Whoever asks without a page takes `TableQuestions`, and `encode` and `decode` for the bytes.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
