"""Say what is missing before an environment is made: Python 3.11 or later, with venv and pip."""

import importlib.util
import sys

if sys.version_info < (3, 11):
    sys.exit(
        "nomicwolf needs Python 3.11 or later, and this is {}.{}. "
        "Name another with: make PYTHON=python3.12 ...".format(*sys.version_info)
    )
if importlib.util.find_spec("ensurepip") is None:
    sys.exit("This Python has no ensurepip. On Debian and Ubuntu: apt-get install python3-venv")
