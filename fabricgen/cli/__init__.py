"""The command line: one thin module for each command. Only this package prints and exits."""
