"""The entry point of `python -m nomicwolf`."""

from nomicwolf.cli.main import main

if __name__ == "__main__":
    main()
