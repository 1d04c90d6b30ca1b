"""Packages of the Python package index that tests use."""
import os, subprocess, sys

builds = os.path.realpath(f"{os.path.dirname(os.path.realpath(__file__))}/../../.build")


def environment(name, *package):
    """Returns the folder of a Python environment with a package (words for 'pip install'), which is made below .build if it is
    missing; None if the package index cannot be reached."""
    folder = f"{builds}/{name}"
    if not os.path.exists(f"{folder}/ready"):
        install = [f"{folder}/bin/pip", "install", "-q", "--disable-pip-version-check", "--retries", "1", "--timeout", "10", *package]
        for command, seconds in ([sys.executable, "-m", "venv", "--clear", folder], 120), (install, 240):
            if subprocess.run(command, capture_output=True, timeout=seconds).returncode != 0:
                return None
        open(f"{folder}/ready", "w").close()
    return folder
