#!/bin/sh
# Usage: setup-venv.sh EXTRA [FOLDER]   (all: enough to run; dev: also to test, lint and document)
#        setup-venv.sh --find  (only prints the Python to use)
# Makes .venv (or $VENV) in the repository's root and installs Plumbline into it, editable, with
# EXTRA, and the package of FOLDER with it. Takes nothing for granted but Python >= 3.11; $PYTHON names the one to use.
# Exits 2 where something must be done by hand first, and says what.
set -eu

extra=${1:?usage: setup-venv.sh EXTRA}
cd "$(dirname "$0")/.."
venv=${VENV:-.venv}

stop() {
    printf '%s\n' "$@" >&2
    exit 2
}

is_recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

# Debian and its kin put ensurepip into a package of its own.
has_pip_inside() { "$1" -c 'import ensurepip, venv; ensurepip.version()' >/dev/null 2>&1; }

# Prints the Python to use: the first recent one that can make an environment, else the first recent one.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        is_recent "$PYTHON" || stop "PYTHON=$PYTHON is not a Python >= 3.11." \
            "Name another one, or leave PYTHON out to look for it on the PATH."
        printf '%s\n' "$PYTHON"
        return
    fi
    first=
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        is_recent "$name" || continue
        if has_pip_inside "$name"; then
            printf '%s\n' "$name"
            return
        fi
        first=${first:-$name}
    done
    [ -n "$first" ] || stop "Plumbline needs Python >= 3.11, and none is on the PATH." \
        "Install one, or name it: make PYTHON=/path/to/python3 ..."
    printf '%s\n' "$first"
}

# Makes sure that $1 has ensurepip: installs it as root, else says how.
need_ensurepip() {
    has_pip_inside "$1" && return
    version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    package=python$version-venv
    command -v apt-get >/dev/null 2>&1 ||
        stop "$1 (Python $version) comes without ensurepip, so no environment can be made." \
            "Install it with your system's packages, or name another Python: make PYTHON=..."
    if [ "$(id -u)" -ne 0 ]; then
        stop "$1 (Python $version) comes without ensurepip. Run this, then try again:" \
            "    sudo apt-get update && sudo apt-get install -y $package"
    fi
    echo "Installing $package ..."
    log=$(mktemp)
    if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y "$package"; } \
        >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        stop "Could not install $package; its messages are above."
    fi
    rm -f "$log"
    has_pip_inside "$1" ||
        stop "$1 is still without ensurepip after installing $package; name another: make PYTHON=..."
}

if [ "$extra" = --find ]; then
    find_python
    exit
fi

# An interrupted run or an upgraded system leaves an environment that does not work: make it anew.
if ! { is_recent "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; }; then
    python=$(find_python)
    need_ensurepip "$python"
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi

echo "Installing plumbline-eval[$extra]${2:+ and $2} into $venv ..."
"$venv/bin/python" -m pip install -qq --disable-pip-version-check --editable ".[$extra]" ${2:+--editable "$2"}
# pip compiles what it installs, but not what stays in its place: every worker of the tests would.
"$venv/bin/python" -m compileall -q -j 0 src
