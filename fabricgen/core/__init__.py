"""Foundation: units, the frozen model base, diagnostics, provenance and plugin collection. Imports nothing of ours."""
