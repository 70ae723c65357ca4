"""``python -m nomicwolf``: the program, where a Python is at hand and its command is not."""

from nomicwolf.cli.main import main

if __name__ == "__main__":
    main()
