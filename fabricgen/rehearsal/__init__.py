"""Rehearsals: what the real programs make of the files, before any hardware has them."""

from fabricgen.rehearsal.bench import BenchError
from fabricgen.rehearsal.opensm import Rehearsal, rehearse

__all__ = ["BenchError", "Rehearsal", "rehearse"]
