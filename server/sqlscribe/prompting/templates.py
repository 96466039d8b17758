"""Jinja templates of prompts: loading by name, overriding, and rendering within bounds.

A template may come with a repository that a stranger wrote, so it runs in Jinja's immutable
sandbox, sees plain data only, may include nothing but other templates, and is stopped when it
loops, grows or recurses beyond what a prompt can need.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import jinja2
from jinja2 import meta, nodes
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from sqlscribe.errors import TemplateError

SHIPPED = "shipped:"
"""Prefix of a name that reaches the shipped template from one that overrides it."""

_SECONDS = 2.0
_CHARACTERS = 4_000_000
_ITERATIONS = 1_000_000
_TICK = "_tick"
_JOIN = "_join"

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
    environment, tree = _parsed(templates, name)
    free = meta.find_undeclared_variables(tree) - environment.globals.keys()
    first: dict[str, int] = {}
    for node in tree.find_all(nodes.Name):
        if node.name in free and node.ctx == "load":
            first[node.name] = min(first.get(node.name, node.lineno), node.lineno)
    return tuple(Use(*item) for item in sorted(first.items(), key=lambda item: item[::-1]))


def references(templates: Templates, name: str) -> tuple[Use, ...]:
    """Templates that a template must have: those it extends, includes or imports by name.

    Raises :class:`TemplateError` for a syntax error.
    """
    _, tree = _parsed(templates, name)
    found: list[Use] = []
    kinds = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
    for node in tree.find_all(kinds):
        optional = isinstance(node, nodes.Include) and node.ignore_missing
        named = getattr(node, "template", None)
        if isinstance(named, nodes.Const) and not optional:
            found.append(Use(str(named.value), node.lineno))
    return tuple(sorted(found, key=lambda use: use.line))


def _parsed(templates: Templates, name: str) -> tuple[_Environment, nodes.Template]:
    environment = _Environment(templates)
    try:
        return environment, environment.parse(templates.source(name) or "", name)
    except jinja2.TemplateSyntaxError as error:
        reason = error.message or "syntax error"
        raise TemplateError(reason, template=name, line=error.lineno) from error


# What a template can make Python raise: the sandbox's refusals, and arithmetic or lookups
# on values of the wrong kind. Anything else is a bug of ours and is not caught.
_EXPECTED = (
    jinja2.TemplateRuntimeError,
    SecurityError,
    RecursionError,
    OverflowError,
    MemoryError,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
)


class _OutOfBounds(jinja2.TemplateRuntimeError):
    """The template runs too long or writes too much."""


class _Environment(ImmutableSandboxedEnvironment):
    """A sandbox for one rendering; its bounds count from its creation."""

    intercepted_binops = frozenset({"*", "**", "+", "%"})

    def __init__(self, templates: Templates) -> None:
        super().__init__(
            loader=jinja2.FunctionLoader(templates.source),
            undefined=jinja2.StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            cache_size=64,
        )
        self._deadline = time.monotonic() + _SECONDS
        self._ticks = 0
        self.globals = {
            "range": self.globals["range"],
            "dict": dict,
            "namespace": self.globals["namespace"],
            _TICK: self._tick,
            _JOIN: self._join,
        }
        for unbounded in ("center", "format", "indent", "pprint", "wordwrap", "xmlattr"):
            del self.filters[unbounded]
        self.filters["replace"] = self._replace
        self.filters["join"] = self._join_all

    def collect(self, pieces: Iterator[str]) -> str:
        """Join what a template yields, within the bounds."""
        parts: list[str] = []
        size = 0
        for piece in pieces:
            size += len(piece)
            if size > _CHARACTERS:
                raise _OutOfBounds(f"the text grows beyond {_CHARACTERS:,} characters")
            self._tick()
            parts.append(piece)
        return "".join(parts)

    def _tick(self) -> str:
        self._ticks += 1
        if self._ticks > _ITERATIONS or (
            self._ticks % 256 == 0 and time.monotonic() > self._deadline
        ):
            raise _OutOfBounds("the template loops for too long")
        return ""

    def _join(self, *values: object) -> str:
        return self._join_all(values)

    def _join_all(self, values: Iterable[object], separator: object = "") -> str:
        texts = [str(value) for value in values]
        size = sum(map(len, texts)) + len(str(separator)) * len(texts)
        return str(separator).join(texts) if self._fits(size) else ""

    def _replace(self, value: object, old: object, new: object) -> str:
        text, old, new = str(value), str(old), str(new)
        size = len(text) + text.count(old) * len(new)
        return text.replace(old, new) if self._fits(size) else ""

    @staticmethod
    def _fits(size: int) -> bool:
        if size > _CHARACTERS:
            raise _OutOfBounds(f"a value grows beyond {_CHARACTERS:,} characters")
        return True

    @staticmethod
    def _bounded(value: Any) -> Any:
        if isinstance(value, str | list | tuple) and len(value) > _CHARACTERS:
            raise _OutOfBounds(f"a value grows beyond {_CHARACTERS:,} characters")
        return value

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        _put_bounds(tree)
        return tree

    def unsafe_undefined(self, obj: Any, attribute: str) -> Any:
        # Jinja gives back an undefined value here, which some filters print as a word.
        raise SecurityError(f"access to {attribute!r} is not allowed")

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "%" and isinstance(left, str):
            raise SecurityError("use ~ to put strings together")
        if operator == "**" and (abs(left) > 10_000 or abs(right) > 64):
            raise _OutOfBounds("the number is too large")
        if operator == "*":
            for text, times in ((left, right), (right, left)):
                sized = isinstance(text, str | list | tuple) and isinstance(times, int)
                if sized:
                    self._fits(len(text) * times)
        return self._bounded(super().call_binop(context, operator, left, right))

    def call(self, context: Any, obj: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        # Methods of strings that pad or format can ask for any size with a few characters.
        own = getattr(obj, "__self__", None)
        if isinstance(own, str):
            if obj.__name__ in _PADDING:
                raise SecurityError(f"the method {obj.__name__!r} is not allowed")
            if obj.__name__ == "replace":
                return self._replace(own, *args)
            if obj.__name__ == "join":
                return self._join_all(args[0], own)
        return self._bounded(super().call(context, obj, *args, **kwargs))


_PADDING = frozenset(
    {"center", "ljust", "rjust", "zfill", "expandtabs", "format", "format_map", "translate"}
)


def _put_bounds(tree: nodes.Template) -> None:
    """Let every loop turn and macro call count, and every ``~`` measure its result."""
    repeated: list[nodes.For | nodes.Macro]
    repeated = [*tree.find_all(nodes.For), *tree.find_all(nodes.Macro)]
    for loop in repeated:
        tick = nodes.Output([_call(_TICK, [], loop)])
        loop.body.insert(0, _placed(tick, loop))
    for node in list(tree.find_all(nodes.Node)):
        for name, value in node.iter_fields():
            if isinstance(value, nodes.Concat):
                setattr(node, name, _guarded(value))
            elif isinstance(value, list):
                value[:] = [
                    _guarded(item) if isinstance(item, nodes.Concat) else item for item in value
                ]


def _guarded(concat: nodes.Concat) -> nodes.Call:
    return _call(_JOIN, list(concat.nodes), concat)


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
