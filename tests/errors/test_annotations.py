"""What annotations allow, also those that a `type` statement made."""

from types import GenericAlias
from typing import Any

import numpy as np
from typing_extensions import TypeAliasType

from cranfield.errors.annotations import ValueKind, kind_of

made: Any = TypeAliasType  # type checkers know it as a statement alone


def kind(annotation: object) -> ValueKind:
    found = kind_of(annotation, {})
    assert found is not None
    return found


def test_a_name_that_a_type_statement_made_stands_for_its_value():
    """NumPy's names are such from 2.5 on, some with parameters."""
    array_like = made("ArrayLike", object)
    assert kind(array_like).words == "numbers"
    assert [kind(array_like).fits(value) for value in ([1, 2.5], object(), "x")] == [True, False, False]
    array = made("NDArray", np.ndarray)
    for each in (array, GenericAlias(array, (float,))):
        assert [kind(each).fits(value) for value in (np.zeros(2), [0.0])] == [True, False]
