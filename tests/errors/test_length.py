"""How long a message may become."""

import pickle

import pytest

import cranfield as cf


@pytest.mark.parametrize("call", [lambda: cf.parse("x" * 100_000), lambda: cf.Policy(ties="x" * 100_000)])  # type: ignore[arg-type]  # refused
def test_a_message_repeats_the_beginning_of_what_was_given(call):
    with pytest.raises(cf.Error) as caught:
        call()
    first, hint = str(caught.value).splitlines()
    assert 1000 < len(first) < 1100
    assert first.endswith("x…")
    assert hint.startswith("  hint: ")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
