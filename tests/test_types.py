"""What callers are told by types: the keyword arguments that functions pass on are those that exist."""

import inspect
from dataclasses import fields
from typing import get_args, get_type_hints

import pytest

import cranfield as cf
from cranfield.align.policy import CHOICES, Policy, PolicyChoices, WordChoices
from cranfield.measures.curves.curve import CurveChoices, CurveScenario
from cranfield.measures.curves.grammar import SCENARIOS
from cranfield.measures.definition import MEASURES
from cranfield.measures.evaluate import EvaluateChoices
from cranfield.read.options import Keywords, ReadOptions
from cranfield.reporting.charts.studies import study_chart
from cranfield.stats.orders.coefficient import COEFFICIENTS, CoefficientChoices
from cranfield.study.data.collection import Collection
from cranfield.study.engine.catalogue import STUDIES
from cranfield.study.engine.choices import EngineChoices, StudyChoices, WorkChoices
from cranfield.study.engine.make import make
from cranfield.study.simulated.world import WorldChanges, WorldModel
from cranfield.tables.charts import ChartChoices, ComparisonChartChoices, CurveChartChoices
from cranfield.tables.curves.kind import CURVES
from docs.study_types import STUB, stub

CHART_CHOICES = {cf.chart: CurveChartChoices, cf.comparison_chart: ComparisonChartChoices, study_chart: ChartChoices}


def hints_of(record):
    hints = get_type_hints(record)
    return {field.name: hints[field.name] for field in fields(record)}


def test_policies_by_name_are_the_fields_of_policy():
    assert get_type_hints(PolicyChoices) == hints_of(Policy)
    assert set(WordChoices.__annotations__) == set(CHOICES)


def test_options_of_readers_by_name_are_the_fields_of_their_record():
    assert get_type_hints(Keywords) == hints_of(ReadOptions)


def test_changes_of_a_simulated_world_are_the_fields_of_its_model():
    assert get_type_hints(WorldChanges) == hints_of(WorldModel)


def test_what_compare_hands_to_evaluate_is_what_evaluate_takes():
    named = set(cf.evaluate.__annotations__) - {"qrels", "runs", "measures", "policies", "return"}
    taken = {*cf.compare.__annotations__, "universe", "ci"}  # of ranges and means; a comparison has its own
    assert set(EvaluateChoices.__annotations__) == (named - taken) | set(PolicyChoices.__annotations__)


def test_what_a_curve_takes_are_the_parameters_of_the_measures_that_are_drawn():
    drawn = [MEASURES[kind.measure] for kind in CURVES.values() if not kind.models]
    drawn += [MEASURES[kind.measure_at] for kind in CURVES.values() if kind.measure_at]
    parameters = {name for measure in drawn for name in measure.parameters} - {"avg_pos"}  # one number is no curve
    assert set(CurveChoices.__annotations__) == parameters | set(PolicyChoices.__annotations__)
    assert set(get_args(CurveScenario)) == set(SCENARIOS)


def test_what_a_coefficient_takes_by_name_is_what_one_of_them_takes():
    taken = [get_type_hints(known.function) for known in COEFFICIENTS.values()]
    parameters = {name for known in COEFFICIENTS.values() for name in known.parameters}
    for name, hint in get_type_hints(CoefficientChoices).items():
        assert {hints[name] for hints in taken if name in hints} == {hint}
    assert set(CoefficientChoices.__annotations__) == parameters


@pytest.mark.parametrize("draw", CHART_CHOICES)
def test_what_a_result_is_plotted_with_is_what_its_chart_takes(draw):
    named = [name for name, facts in inspect.signature(draw).parameters.items() if facts.kind is facts.KEYWORD_ONLY]
    assert {name: draw.__annotations__[name] for name in named} == get_type_hints(CHART_CHOICES[draw])


def test_the_types_of_the_kinds_of_study_are_those_of_the_registry():
    assert STUB.read_text(encoding="utf-8") == stub(), "run: python docs/generate.py"


def test_what_every_study_takes_is_what_the_engine_and_the_collection_take():
    engine = set(make.__kwdefaults__ or ()) - {"expected"}
    assert set(EngineChoices.__annotations__) == engine
    collection = set(Collection.of.__kwdefaults__ or ()) | set(PolicyChoices.__annotations__)
    assert set(StudyChoices.__annotations__) == engine | collection
    assert set(WorkChoices.__annotations__) == engine - {"seed", "reading"}


def test_no_option_of_a_study_has_the_name_of_what_every_study_takes():
    for kind in STUDIES.values():
        common = EngineChoices if kind.study.data == "measures" else StudyChoices
        assert not set(kind.parameters) & set(common.__annotations__), kind.name


def test_a_type_checker_sees_no_name_that_is_not_there():
    assert {"study", "evaluate", "QrelsLike"} <= set(dir(cf))
    assert {"repeat", "leave_out"} <= set(dir(cf.study))
    with pytest.raises(AttributeError):
        cf.evalutae  # type: ignore[attr-defined]  # noqa: B018  # not there
