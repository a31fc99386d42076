"""Random conditions against an evaluator of its own, written in this file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.engine.expression import Name, Names, Value, compile_expression

COUNTS = ("a", "b", "c")
DURATIONS = ("d", "e")
NAMES: Names = (
    {name: Name("count") for name in COUNTS}
    | {name: Name("duration") for name in DURATIONS}
    | {"m": Name("choice", ("sync", "async", "none")), "t": Name("text")}
)

# Trees are nested tuples: an operator and its parts. They are rendered to text for the product and
# walked by `reference` below, which shares no code with it.
Tree = tuple[Any, ...]


def _numbers(names: tuple[str, ...], literal: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    leaves = st.sampled_from(names).map(lambda name: ("name", name)) | literal
    return st.recursive(
        leaves,
        lambda part: st.one_of(
            st.tuples(st.sampled_from(["+", "-"]), part, part),
            st.tuples(st.just("neg"), part),
            st.tuples(st.just("abs"), part),
            st.tuples(st.sampled_from(["min", "max"]), part, part),
        ),
        max_leaves=4,
    )


def _plain_literal() -> st.SearchStrategy[Tree]:
    return st.integers(0, 4).map(lambda number: ("number", number))


def _scaled(part: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    name = st.sampled_from(COUNTS).map(lambda text: ("name", text))
    return part | st.tuples(st.sampled_from(["*", "/"]), part, name)


plain = _scaled(_numbers(COUNTS, _plain_literal()))
durations = _scaled(_numbers(DURATIONS, st.nothing()))
quantity = st.integers(1, 4).map(lambda minutes: ("minutes", minutes))
signs = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
comparisons: st.SearchStrategy[Tree] = st.one_of(
    st.tuples(signs, plain, plain),
    st.tuples(signs, durations, durations | quantity),
    st.tuples(st.just("chain"), st.sampled_from(["<", "<="]), plain, plain, plain),
    st.tuples(st.sampled_from(["is", "isnt"]), st.sampled_from(["sync", "async", "none"])),
    st.lists(st.sampled_from(["sync", "async", "none"]), min_size=1, max_size=2).map(
        lambda members: ("in", *members)
    ),
    st.sampled_from(["a", "d", "m", "t"]).map(lambda name: ("known", name)),
    st.sampled_from(["--x", "--y"]).map(lambda flag: ("flag", flag)),
)
conditions = st.recursive(
    comparisons,
    lambda part: st.one_of(
        st.tuples(st.sampled_from(["and", "or"]), part, part),
        st.tuples(st.just("not"), part),
    ),
    max_leaves=6,
)
small = st.none() | st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0])
values_of_names = st.fixed_dictionaries(
    dict.fromkeys(COUNTS, small)
    | {name: st.none() | st.sampled_from([0.0, 30.0, 60.0, 120.0, 180.0]) for name in DURATIONS}
    | {
        "m": st.none() | st.sampled_from(["sync", "async", "none"]),
        "t": st.none() | st.sampled_from(["", "--x", "--x=1 --z", "--xy --y 2"]),
    }
)


def render(tree: Tree) -> str:
    match tree:
        case ("name", name):
            return str(name)
        case ("number", number):
            return str(number)
        case ("minutes", minutes):
            return f"'{minutes} min'"
        case ("neg", part):
            return f"-({render(part)})"
        case ("abs", part):
            return f"abs({render(part)})"
        case (("min" | "max") as word, left, right):
            return f"{word}({render(left)}, {render(right)})"
        case ("chain", sign, low, middle, high):
            return f"({render(low)}) {sign} ({render(middle)}) {sign} ({render(high)})"
        case ("is", member):
            return f"m == '{member}'"
        case ("isnt", member):
            return f"'{member}' != m"
        case ("in", *members):
            return f"m in {members!r}"
        case ("known", name):
            return f"known({name})"
        case ("flag", flag):
            return f"'{flag}' in t"
        case ("not", part):
            return f"not ({render(part)})"
        case (sign, left, right):
            return f"({render(left)}) {sign} ({render(right)})"
    raise AssertionError(tree)


def reference(tree: Tree, values: Mapping[str, Value]) -> Any:
    """The value of a tree; None is unknown. Written from Kleene's tables: and = min, or = max."""
    match tree:
        case ("name", name):
            return values[name]
        case ("number", number):
            return number
        case ("minutes", minutes):
            return minutes * 60
        case ("known", name):
            return values[name] is not None
        case ("is", member):
            return None if values["m"] is None else values["m"] == member
        case ("isnt", member):
            return None if values["m"] is None else values["m"] != member
        case ("in", *members):
            return None if values["m"] is None else values["m"] in members
        case ("flag", flag):
            text = values["t"]
            return None if text is None else flag in str(text).replace("=", " ").split()
        case ("chain", sign, low, middle, high):
            return reference(("and", (sign, low, middle), (sign, middle, high)), values)
    parts = [reference(part, values) for part in tree[1:]]
    if tree[0] in {"and", "or", "not"}:
        ranks = [0.5 if part is None else float(part) for part in parts]
        rank = {"and": min(ranks), "or": max(ranks), "not": 1 - ranks[0]}[tree[0]]
        return None if rank == 0.5 else rank == 1
    if None in parts:
        return None
    match tree[0], parts:
        case "neg", [x]:
            return -x
        case "abs", [x]:
            return x if x > 0 else -x
        case "min", [x, y]:
            return x if x < y else y
        case "max", [x, y]:
            return x if x > y else y
        case "+", [x, y]:
            return x + y
        case "-", [x, y]:
            return x - y
        case "*", [x, y]:
            return x * y
        case "/", [x, y]:
            return None if y == 0 else x / y
        case "<", [x, y]:
            return x < y
        case "<=", [x, y]:
            return x <= y
        case ">", [x, y]:
            return x > y
        case ">=", [x, y]:
            return x >= y
        case "==", [x, y]:
            return x == y
        case "!=", [x, y]:
            return x != y
    raise AssertionError(tree)


def names_in(tree: Tree) -> set[str]:
    match tree:
        case ("name" | "known", name):
            return {str(name)}
        case ("is" | "isnt" | "in", *_):
            return {"m"}
        case ("flag", _):
            return {"t"}
        case ("number" | "minutes", _):
            return set()
        case ("chain", _, *parts) | (_, *parts):
            return set().union(*(names_in(part) for part in parts))
    raise AssertionError(tree)


def every_comparison_names_something(tree: Tree) -> bool:
    match tree:
        case ("and" | "or" | "not", *parts):
            return all(every_comparison_names_something(part) for part in parts)
        case ("chain", sign, low, middle, high):
            return bool(names_in((sign, low, middle))) and bool(names_in((sign, middle, high)))
    return bool(names_in(tree))


@settings(max_examples=400)
@given(conditions.filter(every_comparison_names_something), values_of_names)
def test_agrees_with_an_independent_evaluator(tree: Tree, values: dict[str, Value]) -> None:
    compiled = compile_expression(render(tree), NAMES)
    outcome = compiled.evaluate(values)
    assert outcome.value is reference(tree, values)
    assert compiled.names == names_in(tree)
    assert (outcome.value is None) or not outcome.missing


@settings(max_examples=200)
@given(conditions.filter(every_comparison_names_something), values_of_names)
def test_a_decisive_comparison_is_one_whose_opposite_turns_the_whole(
    tree: Tree, values: dict[str, Value]
) -> None:
    compiled = compile_expression(render(tree), NAMES)
    trace = compiled.trace(values)
    assert [line.outcome for line in trace] == [reference(leaf, values) for leaf in leaves(tree)]
    for index, line in enumerate(trace):
        turned = None
        if line.outcome is not None:
            outcomes = [entry.outcome for entry in trace]
            outcomes[index] = not line.outcome
            turned = recombined(tree, iter(outcomes))
        whole = reference(tree, values)
        assert line.decisive == (whole is not None and turned is (not whole))


def leaves(tree: Tree) -> list[Tree]:
    match tree:
        case ("and" | "or" | "not", *parts):
            return [leaf for part in parts for leaf in leaves(part)]
        case ("chain", sign, low, middle, high):
            return [(sign, low, middle), (sign, middle, high)]
    return [tree]


def recombined(tree: Tree, outcomes: Any) -> bool | None:
    """The tree with given outcomes for its comparisons, in order."""
    match tree:
        case ("and" | "or" | "not" as word, *parts):
            pass
        case ("chain", *_):
            word, parts = "and", [("leaf",), ("leaf",)]
        case _:
            outcome: bool | None = next(outcomes)
            return outcome
    ranks = [0.5 if (x := recombined(part, outcomes)) is None else float(x) for part in parts]
    rank = {"and": min(ranks), "or": max(ranks), "not": 1 - ranks[0]}[word]
    return None if rank == 0.5 else rank == 1
