"""The text of `-h`."""

from cranfield.compat.trec_eval.arguments import NAMES, USAGE, TrecOptions
from cranfield.compat.trec_eval.catalogue import known, nicknames

_FLAGS = """
  -q  --query_eval_wanted           print every topic, not only the summary
  -m  --measure NAME[.PARAMS]       print this measure; may be repeated; -m P.5,10 -m ndcg_cut -m all_trec
  -c  --complete_rel_info_wanted    average over all topics of the judgments, not only those the run answered
  -n  --nosummary                   print no summary
  -l  --level_for_rel NUM           lowest relevant grade (1)
  -J  --Judged_docs_only            leave unjudged documents out of the lists
  -M  --Max_retrieved_per_topic NUM use the first NUM documents of each list
  -N  --Number_docs_in_coll NUM     size of the collection, for utility
  -R  --Rel_info_format FORMAT      format of the judgments (qrels; also prefs, qrels_prefs, qrels_jg)
  -T  --Results_format FORMAT       format of the run (trec_results)
  -Z  --Zscore FILE                 print z-scores; FILE has lines: topic measure mean standard-deviation
  -D  --Debug_level NUM             accepted, without effect
  -o  --Output_old_results_format   accepted, without effect
  -v  --version                     print the version that is imitated
      --as 9|10                     which version to imitate (10, or what CRANFIELD_TREC_EVAL says)
      --explain                     instead of values, where versions 9 and 10 and 'cranfield evaluate' differ, and why

Judgments: topic iteration document grade.  Run: topic Q0 document rank score tag.
Preferences (-R prefs): topic group subgroup document level; a higher level is preferred inside a subgroup.
-R qrels_prefs reads judgments as preferences, the iteration being the group; -R qrels_jg as those of several groups.
"""


def text(options: TrecOptions) -> str:
    """Usage, flags, and the names of the version."""
    version = options.version
    names = "".join(f"  {nickname}: {' '.join(members)}\n" for nickname, members in nicknames(version).items())
    return f"{USAGE}{_FLAGS}\nMeasures of version {NAMES[version]}: {' '.join(known(version))}\n\nNicknames:\n{names}"
