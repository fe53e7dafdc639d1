"""Every code of an error or a warning, explained once, for `cranfield --explain CODE` and the reference page."""

from typing import NamedTuple


class ErrorKind(NamedTuple):
    """One entry of the catalogue: what a code means, whatever the file."""

    exit: int
    title: str
    explanation: str


CATALOGUE: dict[str, ErrorKind] = {}


def _catalogue(*rows: tuple[str, int, str, str]) -> None:
    CATALOGUE.update({code: ErrorKind(exit_, title, text) for code, exit_, title, text in rows})


_catalogue(
    ("E101", 4, "no such file", "The path does not exist. The nearest name in the same directory is suggested."),
    ("E102", 4, "directory as file", "A file was expected. Quote a glob such as 'runs/*' to read every file in it."),
    ("E103", 4, "glob without match", "No file matches the pattern. The endings present in the directory are listed."),
    ("E104", 3, "empty file", "The file holds no rows at all; an evaluation on nothing would print zeros."),
    ("E105", 3, "wrong number of columns", "A line does not have the columns of the format. Nothing is guessed."),
    ("E106", 3, "score is not a number", "trec_eval reads such text as 0.0; only `cranfield trec_eval` imitates that."),
    ("E107", 3, "score is NaN", "NaN compares with nothing, so the document has no place in a ranking."),
    (
        "E108",
        3,
        "document twice in a ranking",
        "A document may be listed once per topic; the policy duplicates keeps one.",
    ),
    ("E109", 3, "contradictory judgments", "One document has two grades for one topic. Averaging would hide it."),
    ("E110", 3, "grade is not an integer", "Grades are whole numbers, unless real ones are asked for (grades: float)."),
    ("E111", 3, "wrong encoding", "The bytes are not text in the stated encoding; name the one they are in."),
    ("E112", 2, "run given as qrels", "The first file is a run. The order is QRELS RUN…, as in trec_eval."),
    ("E113", 2, "qrels given as run", "A file in the place of a run holds judgments."),
    ("E114", 3, "no common topic", "Run and qrels share no topic id, so every score would be 0."),
    ("E115", 3, "subtopic judgments", "Column 2 holds subtopics; a measure of single documents needs one grade each."),
    ("E116", 3, "negative grade", "The policy negative: error refuses grades below 0."),
    ("E117", 3, "blank in an identifier", "White-space separated formats cannot hold an id that contains a blank."),
    ("E118", 2, "unknown format", "The format could not be recognised, or there is none of the name given."),
    ("E119", 3, "value missing or wrong", "A field of a record is absent or is not of the expected kind."),
    ("E120", 4, "file cannot be read or written", "The operating system refused; its reason is repeated."),
    ("E121", 2, "object of the wrong kind", "The Python object given cannot be read as a run, qrels or other table."),
    ("E122", 2, "standard input twice", "Standard input holds one file; write one of the inputs to a file first."),
    ("E123", 3, "no subtopics", "A measure of diversity needs judgments of subtopics, in column 2."),
    ("E124", 3, "intent probabilities", "Each subtopic has one probability; those of a topic add up to 1."),
    ("E125", 3, "topic in two partitions", "Partitions of a run hold whole topics: a list cannot be ranked in pieces."),
    ("E200", 2, "wrong usage", "The command line cannot be read; `cranfield VERB --help` shows how it is written."),
    ("E201", 2, "unknown measure", "There is no measure of that name or alias."),
    ("E202", 2, "cut-off missing", "The measure is defined at a rank only: write NAME@k."),
    ("E203", 2, "bad parameter value", "The value lies outside the parameter's domain."),
    ("E204", 2, "unknown parameter", "The measure does not take a parameter of that name."),
    ("E205", 2, "unknown baseline", "The baseline must be the name of one of the runs."),
    ("E206", 2, "equal run names", "Two runs have one name, so a table could not tell them apart."),
    ("E207", 2, "one run only", "A comparison needs two runs."),
    ("E208", 3, "one topic only", "A paired test needs at least two common topics."),
    ("E209", 2, "unreadable gate", "A condition of a gate is written TERM OP NUMBER [for RUNGLOB]."),
    ("E210", 3, "estimator on an adaptive pool", "Sampling estimators need inclusion probabilities."),
    ("E211", 2, "output is an input", "Writing there would destroy a file that is being read."),
    (
        "E212",
        2,
        "optional package missing",
        "The message says which command installs it; often an extra of cranfield.",
    ),
    ("E213", 2, "unknown option value", "The value is not one of the names that the option or policy knows."),
    ("E214", 3, "topic without relevant documents", "The policy no_relevant: error refuses such topics."),
    ("E215", 2, "own measures cannot be loaded", "The Python file with own measures raised an error while it was run."),
    ("E216", 3, "lengths missing", "A measure of time or effort needs the length of every document, or a usual one."),
    (
        "E217",
        3,
        "tied systems",
        "tau-ap knows no ties, unless it is averaged over all ways to break them (ties: average).",
    ),
    ("E218", 4, "cluster failed", "The scheduler cannot be reached, or its workers were lost too often."),
    (
        "E219",
        3,
        "directory is not ours",
        "A folder with files that the demo did not write is left alone, unless forced.",
    ),
    ("E220", 3, "saved scores do not fit", "Saved scores must be of the same measures, averaged in the same way."),
    ("E221", 2, "one assessor only", "Agreement needs two assessors, or repeated judgments of one."),
    ("E222", 3, "nothing judged twice", "No topic-document pair was judged by two assessors, so they cannot agree."),
    ("E230", 2, "measure not for this study", "A study keeps the judged documents alone; this measure needs more."),
    ("E231", 3, "folder holds another study", "A study resumes in its own folder; other settings need another folder."),
    ("E232", 3, "input has changed", "A study repeats exactly only from the inputs it was made from."),
    ("E233", 3, "too few runs left", "A study of the order of runs needs at least two of them."),
    ("E234", 4, "workers failed", "The processes ended again and again before their work was done."),
    ("E235", 3, "topic in two roles", "A topic, or a family of topics, that is tuned on may not be tested on."),
    ("E240", 2, "number out of range", "The number is smaller, or larger, than the option allows."),
    (
        "E241",
        2,
        "value of the wrong kind",
        "The option takes a number, a text or a table, and something else was given.",
    ),
    (
        "E242",
        2,
        "value cannot be read",
        "The text given to the option, such as a size or a list, is not written as it should be.",
    ),
    (
        "E243",
        2,
        "options exclude each other",
        "Only one of these options, or none of their values together, can be followed.",
    ),
    ("E244", 2, "option does not apply", "The option has no effect here, or needs another one that was not given."),
    ("E245", 2, "unknown option", "There is no option, policy or setting of that name."),
    (
        "E246",
        2,
        "data do not allow it",
        "The option is well written, but these runs, topics or judgments cannot follow it.",
    ),
    ("E301", 3, "compressed data end early", "The file was cut off or damaged; nothing was evaluated."),
    ("E302", 3, "not valid JSON", "A JSON or JSONL file cannot be parsed at the place named."),
    (
        "E303",
        3,
        "column not found",
        "A table with a header lacks a column that is needed; the option columns names it.",
    ),
    ("E304", 3, "entity declarations refused", "XML with a DOCTYPE can expand without bound or read other files."),
    ("E305", 3, "endless line", "A line longer than 64 MiB is not a line of this format."),
    (
        "E306",
        3,
        "label without ids",
        "A record of a model's labels names no topic and document, and no map tells them.",
    ),
    ("E307", 3, "not valid XML", "The topic file cannot be parsed at the place named."),
    ("E308", 3, "too much data", "The decompressed size exceeds the limit (max_size)."),
    ("E700", 70, "a fault of cranfield", "Not your mistake: please report it with the command and the output of -vv."),
    ("E309", 3, "not a valid table", "A CSV or Parquet file cannot be parsed at the place named."),
    (
        "W101",
        0,
        "topics missing from the run",
        "A judged topic without a ranking scores 0, unless topic_set says otherwise.",
    ),
    ("W102", 0, "topics without judgments", "Topics of the run that nobody judged are ignored."),
    ("W103", 0, "infinite scores", "Infinite scores are ranked first or last."),
    ("W104", 0, "judgment repeated", "The same judgment occurs twice; it counts once."),
    ("W105", 0, "many documents unjudged", "Less than 90 % of what the measure looks at was judged."),
    ("W106", 0, "no sampled judgments", "infAP without pooled-but-unjudged documents equals AP."),
    ("W107", 0, "undefined values", "Values that the definition leaves undefined are not in the mean."),
    ("W109", 0, "judgments that failed", "A failed judgment is unjudged, never grade 0; it was left out."),
    ("W108", 0, "something was not carried over", "The target format cannot hold everything that was read."),
    ("W111", 0, "value above 1", "The ideal list was found greedily; a ranking may beat it. Nothing is cut off at 1."),
    ("W112", 0, "column 2 ignored", "The iteration column of the qrels has several values, as subtopics would."),
    ("W113", 0, "no error variance", "Runs differ by a constant on every topic; a test of that difference has p = 0."),
    ("W114", 0, "input has changed", "A file was written to after it was read: its fingerprint cannot be told."),
    (
        "W116",
        0,
        "saved under other circumstances",
        "Policies or judgments differ; a difference may come from that alone.",
    ),
    ("W117", 0, "one grade prevails", "Kappa is low though assessors mostly agree: chance agreement is high."),
    ("W118", 0, "charts left out", "The extra `charts` draws them; the tables are complete."),
    ("W120", 0, "judgments that nobody made", "Pseudo-relevance rewards popular answers; see Aslam and Savell 2003."),
    ("W121", 0, "nothing to learn from", "An adaptive strategy without judgments takes no document for relevant."),
    ("W130", 0, "journal was damaged", "What cannot be read is cut off; the units of the study are done again."),
    ("W110", 0, "ids not in the map", "Topics or documents without a line in the map keep their ids."),
)
