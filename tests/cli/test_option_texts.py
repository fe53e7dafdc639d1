"""What help pages say about options: each text can be read without its neighbours."""

import pytest

from cranfield.cli.help import Option
from tests.cli.test_group import PAGES, command_of


@pytest.mark.parametrize("verb", PAGES)
def test_the_text_of_an_option_can_be_read_alone(verb):
    """It begins with no word that leans on its neighbour, says nothing about Python, and is more than a word."""
    command, _ = command_of(verb)
    for param in command.params:
        if isinstance(param, Option):
            words = (param.help or "").split()
            assert len(words) > 1, param.opts
            assert words[0].rstrip(",:") not in ("of", "or", "then", "instead", "even", "they", "whose"), param.opts
            assert param.help not in ("the same", "write it there", "write them there"), param.opts
            assert "Python also" not in (param.help or ""), param.opts


def test_the_text_of_a_policy_names_other_policies_as_options():
    command, _ = command_of("evaluate")
    texts = {param.name: param.help or "" for param in command.params if isinstance(param, Option)}
    assert "where --fold makes one of several" in texts["fold_by"]


def test_a_value_of_a_policy_that_another_policy_is_called_by_is_no_option():
    command, _ = command_of("evaluate")
    [text] = [param.help or "" for param in command.params if param.name == "negative"]
    assert "below 0 means. unjudged: pooled" in text


def test_a_list_of_names_is_not_called_one_of_them(cli):
    assert "written; some of data, scores" in " ".join(cli("report", "-h").out.split())
