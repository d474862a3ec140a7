"""Rules that a model must keep, and whether these rows show that it does."""

from plumbline.gate.check import check
from plumbline.gate.proposed import proposed_rules
from plumbline.gate.results import Gate, ProposedRules, RuleResult

__all__ = ["Gate", "ProposedRules", "RuleResult", "check", "proposed_rules"]
