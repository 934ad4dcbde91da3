"""The suite rule by rule, as pytest runs it: each rule and each ruling by itself, in this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from conformance.budget import DEFAULT_EXAMPLES, PROBE_EVERY, floor_of, seed_of
from conformance.examiner import Examiner
from conformance.findings import title_of
from conformance.folder import FindingsFolder
from conformance.house import check_house
from conformance.jobs import Counted, Found, Message, Search, Shrink
from conformance.python_engine import DEFAULT_TIMEOUT
from conformance.rulings import judge_ruling
from conformance.search import search
from conformance.selection import LIVE, Selection, select, unsupported
from conformance.setup import Setup
from conformance.shrinking import FAILURE_SECONDS, SECONDS, shrink
from engine_protocol.errors import DuelproofError
from engine_protocol.rulesets import DEFAULT_RULESET, ruleset_named
from oracles import RULES
from reports.model import Finding
from strategies import FOCUSED

__all__ = ["DuelproofError", "Outcome", "Suite", "suite_of"]


class Outcome(Struct, frozen=True, kw_only=True):
    """What became of one item: ``failed`` and ``skipped`` say why, None if it was not."""

    failed: str | None = None
    skipped: str | None = None


class Suite:
    """One engine and what is to be checked of it. The engine is opened when the first item needs it.

    Args:
        setup: the engine.
        selection: rules and rulings.
        examples: random duels for each rule.
        seed: decides which.
        findings: where counterexamples are written.
        strict: whether a rule that was hardly at stake fails.
    """

    def __init__(self, setup: Setup, selection: Selection, examples: int, seed: int, findings: Path, *, strict: bool) -> None:
        self.selection = selection
        self._setup = setup
        self._examples = examples
        self._seed = seed
        self._folder = FindingsFolder(findings, setup)
        self._strict = strict
        self._opened: Examiner | None = None

    @property
    def examiner(self) -> Examiner:
        """The engine.

        Raises:
            EngineUnavailable: it cannot be used.
        """
        if self._opened is None:
            self._opened = Examiner(self._setup)
        return self._opened

    def close(self) -> None:
        """End the engine."""
        if self._opened is not None:
            self._opened.close()

    def check_rule(self, rule: str) -> Outcome:
        """Random duels about one rule."""
        try:
            return self._check_rule(rule)
        except DuelproofError as error:
            return Outcome(failed=str(error))

    def check_ruling(self, name: str) -> Outcome:
        """One example of the documents."""
        try:
            result = judge_ruling(name, self.examiner)
        except DuelproofError as error:
            return Outcome(failed=str(error))
        if result.verdict == "violated":
            return Outcome(failed="\n".join((result.title, "", result.story, "", *result.problems)))
        return Outcome() if result.verdict == "conforms" else Outcome(skipped=": ".join((result.verdict, *result.problems)))

    def _check_rule(self, rule: str) -> Outcome:
        job = Search(
            number=0,
            focus=rule if rule in FOCUSED else None,
            seed=seed_of(self._seed, 0, rule),
            examples=self._examples,
            probe_every=PROBE_EVERY if rule not in LIVE else 1,
        )
        at_stake: Counter[str] = Counter()
        found: list[Found] = []

        def tell(message: Message) -> None:
            if isinstance(message, Counted):
                at_stake.update(message.at_stake)
            elif isinstance(message, Found) and (message.problem.rule == rule or message.problem.code is not None):
                found.append(message)

        search(job, self.examiner, tell)
        if found:
            return Outcome(failed="\n\n".join(self._told(job, message) for message in found))
        if not at_stake[rule]:
            reason = unsupported(RULES[rule], self.examiner)
            if reason is not None:
                return Outcome(skipped=f"unsupported: {reason}")
        floor = floor_of(self._examples)
        if at_stake[rule] >= floor:
            return Outcome()
        seldom = f"{rule} was at stake {at_stake[rule]} times; at least {floor} are needed to say something"
        return Outcome(failed=seldom) if self._strict else Outcome(skipped=f"not observed: {seldom}")

    def _told(self, job: Search, found: Found) -> str:
        """The counterexample, small, as a story."""
        seconds = SECONDS if found.problem.code is None else FAILURE_SECONDS
        finding = found.finding
        if finding.duel is not None:
            small = shrink(Shrink(key=found.problem.key, search=job, duel=found.duel, seconds=seconds), self.examiner)
            finding = small or finding
        return told(self._folder.save(found.problem, finding))


def told(finding: Finding) -> str:
    """A finding in plain text."""
    documents = (
        f"Document: {citation.document} ({citation.title})" + (f", {citation.where}" if citation.where else "")
        for citation in finding.documents
    )
    replay = () if finding.replay is None else (f"Replay:   {finding.replay}",)
    lines = (
        f"{finding.rule}: {title_of(finding.rule)}",
        "",
        finding.story,
        "",
        f"Expected: {finding.expected}",
        f"Happened: {finding.happened}",
        *documents,
        *replay,
    )
    return "\n".join(lines)


def suite_of(option: Callable[[str], Any]) -> Suite:
    """The suite that pytest's options ask for.

    Raises:
        InputError: an option is wrong.
    """
    check_house()
    ruleset = ruleset_named(option("duel_ruleset") or DEFAULT_RULESET).name
    selection = select(ruleset, option("duel_rules"))
    setup = Setup(
        engine=option("duel_engine"),
        ruleset=ruleset,
        rules=frozenset(selection.rules),
        timeout=option("duel_timeout") or DEFAULT_TIMEOUT,
    )
    return Suite(
        setup,
        selection,
        option("duel_examples") or DEFAULT_EXAMPLES,
        option("duel_seed"),
        Path(option("duel_findings")),
        strict=option("duel_strict"),
    )
