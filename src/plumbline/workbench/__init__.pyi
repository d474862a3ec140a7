from .questions import TableQuestions as TableQuestions
from .server.limits import Limits as Limits
from .wire import decode as decode
from .wire import encode as encode
