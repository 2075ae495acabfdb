"""`python -m migrate` is the command `cudamigrate`."""

from migrate.cli import main

main()
