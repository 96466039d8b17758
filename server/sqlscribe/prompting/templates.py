"""Jinja templates of prompts: loading by name, overriding, and rendering within bounds.

A template may come with a repository that a stranger wrote, so it runs in Jinja's immutable
sandbox, sees plain data only, may include nothing but other templates, and is stopped when it
loops, grows or recurses beyond what a prompt can need.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import jinja2
from jinja2 import meta, nodes
from jinja2.bccache import Bucket
from jinja2.exceptions import SecurityError
from jinja2.filters import do_round
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from sqlscribe.errors import TemplateError
from sqlscribe.prompting.bounds import LONGEST_SOURCE, Bounds, OutOfBounds

SHIPPED = "shipped:"
"""Prefix of a name that reaches the shipped template from one that overrides it."""

_TURN = "_turn"
_JOIN = "_join"
_HELD = "_held"

_Node = TypeVar("_Node", bound=nodes.Node)

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]


@dataclass(frozen=True)
class Templates:
    """Template texts by name (``ask/user.j2``); those of the workspace win.

    ``workspace`` is empty where the workspace is not trusted.
    ``aliases`` are further names of variables, each with what it stands for.
    """

    shipped: Mapping[str, str]
    workspace: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)

    def origin(self, name: str) -> str:
        """``"workspace"`` or ``"shipped"``."""
        return "workspace" if name in self.workspace else "shipped"

    def source(self, name: str) -> str | None:
        if name.startswith(SHIPPED):
            return self.shipped.get(name.removeprefix(SHIPPED))
        return self.workspace.get(name, self.shipped.get(name))

    def names(self) -> tuple[str, ...]:
        return tuple(sorted({*self.shipped, *self.workspace}))


@dataclass(frozen=True)
class Rendered:
    """A rendered template and the texts of its top-level blocks, in the template's order."""

    text: str
    blocks: tuple[tuple[str, str], ...]


def render(templates: Templates, name: str, variables: Mapping[str, Plain]) -> Rendered:
    """Render one template. Values pass through unchanged: nothing is escaped.

    Raises :class:`TemplateError` with the template's name and line for a missing template, a
    syntax error, an undefined variable, a forbidden attribute, or a bound that was passed.
    """
    environment = _Environment(templates)
    try:
        template = environment.get_template(name)
        context = template.new_context(dict(variables))
        text = environment.collect(template.root_render_func(context))
        blocks = [
            (block, environment.collect(functions[0](context)))
            for block, functions in context.blocks.items()
        ]
    except jinja2.TemplateSyntaxError as error:
        reason = error.message or "syntax error"
        raise TemplateError(reason, template=error.name or name, line=error.lineno) from error
    except jinja2.TemplateNotFound as error:
        place, line = _place(error, name)
        raise TemplateError(f"no template {error.name!r}", template=place, line=line) from error
    except _EXPECTED as error:
        place, line = _place(error, name)
        raise TemplateError(_reason(error), template=place, line=line) from error
    ordered = sorted(blocks, key=lambda block: _block_order(text, block[1]))
    return Rendered(text, tuple(ordered))


class Use(NamedTuple):
    """A name that a template reads, at a one-based line."""

    name: str
    line: int


def variables(templates: Templates, name: str) -> tuple[Use, ...]:
    """Variables that a template reads and that its caller must give, where each comes first.

    Raises :class:`TemplateError` for a syntax error.
    """
    first: dict[str, int] = {}
    with _read(name):
        environment, tree = _parsed(templates, name)
        # A filter or a test that does not exist may only show now, when code is made.
        free = meta.find_undeclared_variables(tree) - environment.globals.keys()
        for node in tree.find_all(nodes.Name):
            if node.name in free and node.ctx == "load":
                first[node.name] = min(first.get(node.name, node.lineno), node.lineno)
    return tuple(Use(*item) for item in sorted(first.items(), key=lambda item: item[::-1]))


def references(templates: Templates, name: str) -> tuple[Use, ...]:
    """Templates that a template must have: those it extends, includes or imports by name.

    Raises :class:`TemplateError` for a syntax error.
    """
    found: list[Use] = []
    kinds = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
    with _read(name):
        _, tree = _parsed(templates, name)
        for node in tree.find_all(kinds):
            optional = isinstance(node, nodes.Include) and node.ignore_missing
            named = getattr(node, "template", None)
            if isinstance(named, nodes.Const) and not optional:
                found.append(Use(str(named.value), node.lineno))
    return tuple(sorted(found, key=lambda use: use.line))


def _parsed(templates: Templates, name: str) -> tuple[_Environment, nodes.Template]:
    environment = _Environment(templates)
    return environment, environment.parse(templates.source(name) or "", name)


@contextmanager
def _read(name: str) -> Iterator[None]:
    """Turns what reading a template raises into the error of that template."""
    try:
        yield
    except jinja2.TemplateSyntaxError as error:
        reason = error.message or "syntax error"
        raise TemplateError(reason, template=name, line=error.lineno) from error
    except RecursionError as error:
        raise TemplateError("it is nested too deeply", template=name, line=1) from error


# What a template can make Python raise: the sandbox's refusals, arithmetic or lookups on values
# of the wrong kind, and what Jinja's filters assert of their arguments (``truncate(0)``).
# Anything else is a bug of ours and is not caught.
_EXPECTED = (
    OutOfBounds,
    jinja2.TemplateRuntimeError,
    SecurityError,
    SyntaxError,
    RecursionError,
    OverflowError,
    MemoryError,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    AssertionError,
)


class _Namespace(Namespace):
    """What ``namespace()`` gives; in print it is a word, however much it holds."""

    def __repr__(self) -> str:
        return "namespace"


FILTERS = frozenset(
    """abs attr capitalize count d default dictsort e escape filesizeformat first float forceescape
    groupby int items join last length list lower map max min reject rejectattr replace reverse
    round safe select selectattr sort string striptags sum title tojson trim truncate unique upper
    wordcount""".split()
)
"""Filters that make no more than they are given, or are bounded here."""

_METHODS = {
    str: frozenset(
        """capitalize casefold count endswith find index isalnum isalpha isascii isdecimal isdigit
        isidentifier islower isnumeric isprintable isspace istitle isupper join lower lstrip
        partition removeprefix removesuffix replace rfind rindex rpartition rsplit rstrip split
        splitlines startswith strip swapcase title upper""".split()
    ),
    dict: frozenset({"get", "items", "keys", "values"}),
    list: frozenset({"count", "index"}),
    tuple: frozenset({"count", "index"}),
}
"""Methods of the plain values that templates see. Others pad, format or encode at any size."""
_NAMES_OF_DICT = frozenset(dir(dict))


class _Compiled(jinja2.BytecodeCache):
    """What templates were compiled to, kept in memory: every rendering has its own sandbox."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, Any]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        checksum, code = self._kept.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        if len(self._kept) >= _MOST_COMPILED:
            self._kept.clear()
        self._kept[bucket.key] = (bucket.checksum, bucket.code)


_MOST_COMPILED = 200
_COMPILED = _Compiled()


class _Environment(ImmutableSandboxedEnvironment):
    """A sandbox for one rendering; its bounds count from its creation."""

    intercepted_binops = frozenset({"*", "**", "+", "%"})

    def __init__(self, templates: Templates) -> None:
        self.bounds = Bounds()
        self._templates = templates
        super().__init__(
            loader=jinja2.FunctionLoader(templates.source),
            undefined=jinja2.StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            cache_size=64,
            bytecode_cache=_COMPILED,
            finalize=self.bounds.held,
        )
        self.globals = {
            "range": self.globals["range"],
            "dict": dict,
            "namespace": _Namespace,
            _TURN: self._turn,
            _JOIN: self._join,
            _HELD: self.bounds.held,
        }
        own = {
            "join": self.bounds.joined,
            "replace": self.bounds.replaced,
            "round": _rounded,
            "sum": self._sum,
            "tojson": _as_json,
        }
        self.filters = {
            name: own.get(name) or self._counted(filter_)
            for name, filter_ in self.filters.items()
            if name in FILTERS
        }
        self.tests = {name: self._counted(test) for name, test in self.tests.items()}

    def collect(self, pieces: Iterator[str]) -> str:
        """Join what a template yields, within the bounds."""
        return self.bounds.joined(pieces)

    def _load_template(self, name: str, globals: Any) -> jinja2.Template:
        # Called for each turn of an include; what is included may write all of its text.
        self.bounds.charge(len(self._templates.source(name) or ""))
        return super()._load_template(name, globals)

    def _turn(self, characters: int) -> str:
        self.bounds.turn(characters)
        return ""

    def _join(self, *values: object) -> str:
        return self.bounds.joined(values)

    def _counted(self, function: Any) -> Any:
        """A filter or a test whose result is measured, and which looks at the clock."""

        @wraps(function)
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.bounds.charge(1)
            return self.bounds.held(function(*args, **kwargs))

        return counted

    def _sum(self, values: Iterable[Any], attribute: str | None = None, start: Any = 0) -> Any:
        if attribute is not None:
            values = [self.getitem(value, attribute) for value in values]
        numbers = list(values)
        if not all(isinstance(number, int | float) for number in (start, *numbers)):
            raise SecurityError("sum adds numbers only")
        self.bounds.charge(len(numbers))
        return self.bounds.held(sum(numbers, start))

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        if len(source) > LONGEST_SOURCE:
            message = f"the template has more than {LONGEST_SOURCE:,} characters"
            raise jinja2.TemplateSyntaxError(message, 1, name)
        tree = super()._parse(source, name, filename)
        _put_bounds(tree)
        return tree

    def wrap_str_format(self, value: Any) -> None:
        # Jinja would allow it, with its own formatter, and that pads to any size.
        if getattr(value, "__name__", "") in ("format", "format_map"):
            raise SecurityError("the method 'format' is not allowed")

    def getattr(self, obj: Any, attribute: str) -> Any:
        # Of plain tables, as nearly all of a prompt is made of, the entry is what is meant.
        if type(obj) is dict and attribute in obj and attribute not in _NAMES_OF_DICT:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def unsafe_undefined(self, obj: Any, attribute: str) -> Any:
        # Jinja gives back an undefined value here, which some filters print as a word.
        raise SecurityError(f"access to {attribute!r} is not allowed")

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "%" and isinstance(left, str):
            raise SecurityError("use ~ to put strings together")
        if operator == "**":
            self.bounds.power(left, right)
        if operator == "*":
            self.bounds.times(left, right)
        return self.bounds.held(super().call_binop(context, operator, left, right))

    def call(self, context: Any, obj: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        own = getattr(obj, "__self__", None)
        if own is self or own is self.bounds:
            # What counts and measures, put in by _put_bounds; names are the library's own.
            return obj(*args)
        for kind, methods in _METHODS.items():
            if isinstance(own, kind):
                if obj.__name__ not in methods:
                    raise SecurityError(f"the method {obj.__name__!r} is not allowed")
                break
        else:
            if isinstance(own, bool | int | float | bytes):
                raise SecurityError(f"the method {obj.__name__!r} is not allowed")
        if isinstance(own, str) and obj.__name__ == "replace":
            return self.bounds.replaced(own, *args)
        if isinstance(own, str) and obj.__name__ == "join":
            return self.bounds.joined(args[0], own)
        return self.bounds.held(super().call(context, obj, *args, **kwargs))


def _rounded(value: float, precision: int = 0, method: str = "common") -> Any:
    if abs(precision) > _MOST_DIGITS:
        raise OutOfBounds("the number has too many digits")
    return do_round(value, precision, method)  # type: ignore[arg-type]


def _as_json(value: Any, indent: int | None = None) -> str:
    width = max(0, min(indent or 0, _WIDEST_INDENT))
    return json.dumps(value, ensure_ascii=False, indent=width or None, sort_keys=True)


_MOST_DIGITS = 20
_WIDEST_INDENT = 8


def _put_bounds(tree: nodes.Template) -> None:
    """Let every loop turn and macro call count, and measure all that is put together."""
    repeated: list[nodes.For | nodes.Macro]
    repeated = [*tree.find_all(nodes.For), *tree.find_all(nodes.Macro)]
    for part in repeated:
        turn = nodes.Output([_call(_TURN, [nodes.Const(_written(part))], part)])
        part.body.insert(0, _placed(turn, part))
    for node in list(tree.find_all(nodes.Node)):
        for name, value in node.iter_fields():
            if isinstance(value, list):
                value[:] = [_measured(item) for item in value]
            elif isinstance(value, nodes.Node):
                setattr(node, name, _measured(value))


def _written(part: nodes.Node) -> int:
    """Characters that stand in a part as they are, and are written in each turn."""
    texts = (data.data for data in part.find_all(nodes.TemplateData))
    values = (const.value for const in part.find_all(nodes.Const))
    return sum(map(len, texts)) + sum(len(value) for value in values if isinstance(value, str))


def _measured(node: Any) -> Any:
    """The call that measures what a node puts together; other nodes as they are."""
    if isinstance(node, nodes.Concat):
        return _call(_JOIN, list(node.nodes), node)
    slices = isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Slice)
    makes = isinstance(node, nodes.List | nodes.Dict)
    makes = makes or (isinstance(node, nodes.Tuple) and node.ctx == "load")
    return _call(_HELD, [node], node) if slices or makes else node


def _call(name: str, arguments: list[nodes.Expr], near: nodes.Node) -> nodes.Call:
    return _placed(nodes.Call(nodes.Name(name, "load"), arguments, [], None, None), near)


def _placed(node: _Node, near: nodes.Node) -> _Node:
    node.set_lineno(near.lineno)
    if near.environment is not None:
        node.set_environment(near.environment)
    return node


_MEMORY_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def _reason(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "the template includes or calls itself without end"
    text = str(error) or type(error).__name__
    return _MEMORY_ADDRESS.sub("", text)


def _place(error: BaseException, name: str) -> tuple[str, int]:
    """Template name and line of the innermost template frame of a traceback."""
    place, line = name, 0
    traceback = error.__traceback__
    while traceback is not None:
        template = traceback.tb_frame.f_globals.get("__jinja_template__")
        if template is not None:
            place = template.name or name
            line = template.get_corresponding_lineno(traceback.tb_lineno)
        elif "<template>" in traceback.tb_frame.f_code.co_filename:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return place, line


def _block_order(text: str, block: str) -> int:
    found = text.find(block.strip()) if block.strip() else -1
    return found if found >= 0 else len(text)
