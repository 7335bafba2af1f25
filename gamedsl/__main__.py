"""`python -m gamedsl`: the same as the command `gamedsl`."""

from gamedsl.cli.main import main

if __name__ == "__main__":
    main()
