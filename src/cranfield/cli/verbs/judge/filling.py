"""The options with which a lab is filled."""

from collections.abc import Callable
from typing import Any, TypeVar, get_args

import click

from cranfield.cli import options
from cranfield.cli.files import InputPath
from cranfield.judging.records import DocumentsIn

F = TypeVar("F", bound=Callable[..., Any])


def filling_options(function: F) -> F:
    """Topics and documents of the pairs."""
    added = [
        options.option(
            "--topics", group="input", type=InputPath(), metavar="FILE", brief=True, help="texts of the topics"
        ),
        options.option(
            "--docs", group="input", type=InputPath(), metavar="FILE", brief=True, help="texts of the documents"
        ),
        options.option(
            "--allow-missing-docs", group="input", is_flag=True, help="show the ids of documents without a text"
        ),
        options.option(
            "--documents",
            group="input",
            type=click.Choice(get_args(DocumentsIn)),
            default="kept",
            help="texts are copied into the lab, or read where they are",
        ),
        options.option("--encoding", group="input", default="utf-8", metavar="NAME", help="encoding of text files"),
    ]
    return _decorated(function, added)


def queue_options(function: F) -> F:
    """How many assessors judge each pair."""
    added = [
        options.option(
            "--assessors",
            group="policy",
            type=click.IntRange(1, 100),
            default=1,
            metavar="K",
            help="how many people judge each pair",
        ),
        options.option(
            "--overlap",
            group="policy",
            default="0%",
            metavar="P%",
            brief=True,
            help="share of the pairs that one more person judges",
        ),
    ]
    return _decorated(function, added)


def _decorated(function: F, added: list[Callable[[Any], Any]]) -> F:
    decorated: Any = function  # what click's decorators take and return
    for add in reversed(added):
        decorated = add(decorated)
    kept: F = decorated
    return kept
