"""Small changes of the code that judges, and whether any test notices them: `make mutants`."""
