"""Properties of the condition language: what is missing, by brute force, and any text at all."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.engine.expression import ExpressionError, Name, Names, Value, compile_expression

CHOICES = ("no", "yes")
NAMES: Names = {
    "a": Name("count"),
    "b": Name("count"),
    "d": Name("duration"),
    "m": Name("choice", ("sync", "async", "none")),
    "t": Name("text"),
}


def _formulas(names: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.recursive(
        st.tuples(names, st.sampled_from(CHOICES)).map(lambda pair: f"{pair[0]} == '{pair[1]}'"),
        lambda part: st.one_of(
            st.tuples(part, st.sampled_from(["and", "or"]), part).map(
                lambda parts: f"({' '.join(parts)})"
            ),
            part.map(lambda text: f"not ({text})"),
        ),
        max_leaves=5,
    )


def _influential(text: str, names: Names, values: dict[str, Value]) -> set[str]:
    """By trying every completion: the unknown names whose value can change the result."""
    compiled = compile_expression(text, names)
    unknown = sorted(name for name in compiled.names if values[name] is None)
    found: set[str] = set()
    for filled in itertools.product(CHOICES, repeat=len(unknown)):
        complete = values | dict(zip(unknown, filled, strict=True))
        for name in unknown:
            other = complete | {name: "no" if complete[name] == "yes" else "yes"}
            if compiled.evaluate(complete).value != compiled.evaluate(other).value:
                found.add(name)
    return found


LETTERS = ("p", "q", "r", "s", "u")
SWITCHES: Names = {name: Name("choice", CHOICES) for name in LETTERS}
switch_values = st.fixed_dictionaries({name: st.sampled_from([None, *CHOICES]) for name in LETTERS})


@settings(max_examples=200)
@given(_formulas(st.just("_")), st.permutations(LETTERS), switch_values)
def test_missing_is_exactly_what_can_change_the_result_when_no_name_repeats(
    shape: str, order: list[str], values: dict[str, Value]
) -> None:
    letters = iter(order)
    text = "".join(next(letters) if char == "_" else char for char in shape)
    outcome = compile_expression(text, SWITCHES).evaluate(values)
    assert outcome.missing == _influential(text, SWITCHES, values)


@settings(max_examples=200)
@given(_formulas(st.sampled_from(LETTERS[:3])), switch_values)
def test_missing_leaves_out_nothing_that_can_change_the_result(
    text: str, values: dict[str, Value]
) -> None:
    outcome = compile_expression(text, SWITCHES).evaluate(values)
    assert outcome.missing >= _influential(text, SWITCHES, values)
    assert (outcome.value is None) == bool(outcome.missing)


WORDS = (
    *("a", "b", "d", "m", "t", "1", "0", "2.5", ".5", "1e9", "'30 min'", "'sync'", "'--x'"),
    *("known", "min", "max", "abs", "lambda", "if", "else", "for", "is", "None", "True", "in"),
    *("not", "and", "or", "<", "<=", ">", "==", "!=", "=", "+", "-", "*", "/", "**", "%", "//"),
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        ".",
        ";",
        "'",
        '"',
        "f'",
        "#",
        "\n",
        "\\",
        "\x00",
        "é",
    ),
)
soups = st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join)


def _fault(text: str) -> ExpressionError | None:
    """Compile and evaluate with nothing known: the refusal, if any; anything else escapes."""
    try:
        outcome = compile_expression(text, NAMES).evaluate({})
    except ExpressionError as fault:
        return fault
    # Every comparison names something and nothing is known: only known() can decide.
    assert "known" in text or outcome.value is None
    return None


@settings(max_examples=600)
@given(st.text(max_size=60) | soups)
def test_any_text_compiles_or_is_refused_with_a_place_in_it(text: str) -> None:
    fault = _fault(text)
    if fault is not None:
        lines = text.split("\n")
        assert 1 <= fault.line <= len(lines)
        assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1
        assert fault.message
        assert str(fault).split("\n")[2].endswith("^")
