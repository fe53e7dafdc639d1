"""Messages know who asks: Python is told keywords, the command line is told options."""

import ast
import copy
import pickle
import re
from pathlib import Path

import click
import pytest

import cranfield
from cranfield.cli.group import group, verbs
from cranfield.errors import DataWarning, Error, PolicyError
from cranfield.errors.catalogue import CATALOGUE
from cranfield.errors.wording import Wording, as_command, either, setting, template, verb

ROOT = Path(cranfield.__file__).parent
FLAG = re.compile(r"(?<!trec_eval)(^|[\s('`])-(-[a-z]|[a-z]\b)")
SPEAKS_COMMAND_LINE = ("cli", "compat", "sample/bench")  # nobody else asks there
LIBRARY = [
    path
    for path in sorted(ROOT.rglob("*.py"))
    if not path.relative_to(ROOT).as_posix().startswith(SPEAKS_COMMAND_LINE) and path.name != "wording.py"
]

EVERYWHERE = sorted(ROOT.rglob("*.py"))
PYTHON = re.compile(r"(?<![\w'(,.])[a-z][a-z_]*=(?![=A-Z])|\b(None|True|False)\b|\bcf\.|\b(cranfield|study)\.[a-z_]+\(")
NOTATION = {  # of measures and of options, which is the same for everybody
    "): judged_only is True or False",
    "alpha is the weight of precision: 0.5 weighs both alike, 0.2 is beta=2",
    "write topic=query,doc=url or topic,_,doc,rank,score",
    "latin-1, qrels=utf-16 or old/*.run=cp1252, separated by commas",
}


def calls(tree: ast.Module) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def name_of(call: ast.Call) -> str:
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def texts(node: ast.AST) -> list[str]:
    """The literal texts of a call, apart from what is said to the command line alone."""
    if isinstance(node, ast.Call) and name_of(node) in ("either", "verb", "setting"):
        return []
    here = [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
    return here + [text for child in ast.iter_child_nodes(node) for text in texts(child)]


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_message_of_the_library_names_an_option_of_the_command_line(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = [
        text for call in calls(tree) if re.search("Error$|Warning$|^Finding$", name_of(call)) for text in texts(call)
    ]
    hints = [
        text
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and re.search("hint|problem|message", ast.unparse(node.targets[0]).lower())
        for text in texts(node.value)
    ]
    assert [text for text in said + hints if FLAG.search(text)] == []


@pytest.mark.parametrize("path", EVERYWHERE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_message_of_the_command_line_speaks_python(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = re.compile("Error$|Warning$|^Finding$|^_refused$|^_mistake$")
    said = [text for call in calls(tree) if named.search(name_of(call)) for text in texts(call)]
    hints = [
        text
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and re.search("hint|problem|message", ast.unparse(node.targets[0]).lower())
        for text in texts(node.value)
    ]
    assert [text for text in said + hints if PYTHON.search(text) and text not in NOTATION] == []


def test_no_explanation_names_an_option_of_the_command_line():
    assert [code for code, kind in CATALOGUE.items() if FLAG.search(kind.explanation) and code != "E200"] == []


def test_every_code_is_raised_somewhere_and_tested():
    here = Path(__file__).parent
    raised = "".join(path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py") if path.name != "catalogue.py")
    tested = "".join(path.read_text(encoding="utf-8") for path in here.rglob("*.py"))
    assert [code for code in CATALOGUE if f'"{code}"' not in raised] == []
    assert [code for code in CATALOGUE if code not in tested and code not in ("E" + "700", "W" + "107")] == []


def options() -> set[str]:
    """The parameters of all verbs, by the names that Python knows them by."""
    context = click.Context(group)
    found: set[str] = set()
    for name in verbs():
        command = group.get_command(context, name)
        members = (
            [command.get_command(context, kind) for kind in command.list_commands(context)]
            if isinstance(command, click.Group)
            else [command]
        )
        found |= {str(param.name) for member in members if member for param in member.params}
    return found


def test_every_setting_that_a_message_names_is_an_option_of_some_verb():
    named = {
        call.args[0].value
        for path in LIBRARY
        for call in calls(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call.func, ast.Name)
        and call.func.id == "setting"
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }
    only_python = {
        "at_least",
        "band",
        "level",
        "limit",
        "marginal",
        "method",
        "ppi",
        "preset",
        "standardize",
        "topics",
        "bounds",
    }
    assert len(named) > 30
    assert named - options() - only_python == set()


@pytest.mark.parametrize(
    ("said", "python", "command"),
    [
        (setting("duplicates", "first"), 'duplicates="first"', "--duplicates first"),
        (setting("rule", "max", "min", "mean"), 'rule="max", "min" or "mean"', "--rule max|min|mean"),
        (setting("depth", 0), "depth=0", "--depth 0"),
        (setting("rel", None), "rel=None", "--rel None"),
        (setting("force", True), "force=True", "--force"),
        (setting("sizes", [5, 10]), "sizes=[5, 10]", "--sizes 5,10"),
        (setting("test", 'a "b"'), "test='a \"b\"'", "--test 'a \"b\"'"),
        (setting("test", "\x02x\x1fy\x03"), "test='\\x02x\\x1fy\\x03'", "--test '\\x02x\\x1fy\\x03'"),
        (verb("agree"), "cranfield.agree()", "'cranfield agree'"),
        (verb("study power"), "cranfield.study.power()", "'cranfield study power'"),
        (verb("measures"), "cranfield.describe()", "'cranfield measures'"),
        (either("a dict", "NAME=PATH"), "a dict", "NAME=PATH"),
    ],
)
def test_a_setting_is_said_in_two_ways(said, python, command):
    assert Wording(f"try {said}, or not") == f"try {python}, or not"
    assert as_command(f"try {said}, or not") == f"try {command}, or not"


def test_a_wording_travels_with_both_ways():
    wording = Wording(f"{setting('ties', 'trec')} does")
    for copied in (pickle.loads(pickle.dumps(wording)), copy.deepcopy(wording), Wording(wording)):
        assert copied == 'ties="trec" does'
        assert as_command(copied) == "--ties trec does"
    error = pickle.loads(pickle.dumps(PolicyError("E213", setting("ties", "x"), hint=setting("ties", "trec"))))
    assert (error.problem, as_command(error.hint)) == ('ties="x"', "--ties trec")
    assert as_command(f"a: {template(error.problem)}") == "a: --ties x"


def test_an_error_and_a_warning_speak_python():
    error = Error("E213", f"{setting('ties', 'x')} is unknown", path="a.run", hint=setting("ties", "trec"))
    assert str(error) == 'E213: a.run: ties="x" is unknown\n  hint: ties="trec"'
    assert error.message == 'a.run: ties="x" is unknown'
    assert str(DataWarning("W103", f"see {setting('ties')}")) == "W103: see ties"
