from .questions import TableQuestions as TableQuestions
from .wire import decode as decode
from .wire import encode as encode
