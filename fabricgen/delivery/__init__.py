"""The output tree: written whole or not at all, with a manifest of what is in it."""

from fabricgen.delivery.earlier import is_output, read_documents, unusable
from fabricgen.delivery.tree import Difference, compare_tree, make_manifest, read_tree, write_tree

__all__ = [
    "Difference",
    "compare_tree",
    "is_output",
    "make_manifest",
    "read_documents",
    "read_tree",
    "unusable",
    "write_tree",
]
