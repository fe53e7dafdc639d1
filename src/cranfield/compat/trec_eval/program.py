"""trec_eval from the command line to the last byte of its output."""

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cranfield.compat.trec_eval.arguments import NAMES, TrecOptions, parse
from cranfield.compat.trec_eval.catalogue import ENTRIES, known, nicknames
from cranfield.compat.trec_eval.columns import PrintedColumn
from cranfield.compat.trec_eval.evaluation import Duplicate, Evaluation, evaluation
from cranfield.compat.trec_eval.parameters import RequestedMeasure, requests
from cranfield.compat.trec_eval.pieces import in_pieces
from cranfield.compat.trec_eval.quit import Quit
from cranfield.compat.trec_eval.reader import JUDGMENT_FORMATS, RESULT_FORMATS
from cranfield.compat.trec_eval.zscores import read_zscores, standardised
from cranfield.whole_files import refuse_redirection


def run(arguments: Sequence[str]) -> int:
    """Do what trec_eval would do with these arguments, and return its exit code."""
    try:
        options = parse(arguments)
        if options.wants != "evaluation":
            return _tell(options)
        refuse_redirection(filter(None, (options.qrels, options.run, options.zscores)))
        if options.explain:
            from cranfield.compat.trec_eval import explain

            _write(explain.text(options))
            return 0
        for lines in output(options):
            _write(lines)
    except Quit as ending:
        sys.stdout.flush()
        sys.stderr.write(ending.text)
        return ending.code
    return 0


class TrecOutput(NamedTuple):
    """Everything that is printed: the columns of the topics that were evaluated, and what stopped the program."""

    lists: Evaluation
    columns: Sequence[PrintedColumn]
    stop: Quit | None

    @property
    def topics_in_mean(self) -> int:
        """How many topics the summary is divided by."""
        return self.lists.judged_topics if self.lists.options.complete else len(self.lists.topics)

    def topic_lines(self) -> Iterator[str]:
        """The lines of each topic."""
        shown = [column.lines(self.lists.topics) for column in self.columns if column.by_topic]
        return map("".join, zip(*shown, strict=True))

    def summary_lines(self) -> str:
        """The lines of all topics together."""
        topics, run_id = self.topics_in_mean, self.lists.run_id
        missing = topics - len(self.lists.topics)
        return "".join(column.summary_line(topics, missing, run_id) for column in self.columns)


def evaluate(options: TrecOptions) -> TrecOutput:
    """Read the files and calculate the measures asked for."""
    asked = requests(options.measures or ("official",), known(options.version), nicknames(options.version))
    for request in asked:
        ENTRIES[request.name].check(request)
    read_judgments, read_run = JUDGMENT_FORMATS[options.judgment_format], RESULT_FORMATS[options.result_format]
    scale = None if options.zscores is None else read_zscores(options.zscores, options.version)
    judgments = read_judgments(options.qrels, options.version)
    lists = in_pieces(judgments, options) or evaluation(judgments, read_run(options.run, options.version), options)
    columns = [column for request in asked for column in ENTRIES[request.name].columns(lists, request)]
    if scale is not None:
        columns = [standardised(column, lists.topics, scale) for column in columns]
    return TrecOutput(lists, columns, _stop(lists, asked))


def output(options: TrecOptions) -> Iterator[str]:
    """What is printed, topic by topic; ends with `Quit` where trec_eval would stop."""
    result = evaluate(options)
    if options.per_topic:
        yield from result.topic_lines()
    if result.stop is not None:
        raise result.stop
    if options.summary:
        yield result.summary_lines()


def _stop(lists: Evaluation, asked: Sequence[RequestedMeasure]) -> Quit | None:
    """What stops the program after these topics; the first measure that reads documents finds duplicates."""
    if not isinstance(lists.stop, Duplicate):
        return lists.stop
    return lists.stop.at(next((request.name for request in asked if ENTRIES[request.name].judged), asked[0].name))


def _write(text: str) -> None:
    """Write bytes, so that names that are not UTF-8 and newlines are printed unchanged."""
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:
        sys.stdout.write(text)
    else:
        sys.stdout.flush()
        raw.write(text.encode("utf-8", "surrogateescape"))


def _tell(options: TrecOptions) -> int:
    if options.wants == "version":
        sys.stderr.write(f"trec_eval version {NAMES[options.version]}\n")
        return 0
    from cranfield.compat.trec_eval.help import text

    _write(text(options))
    return 0
