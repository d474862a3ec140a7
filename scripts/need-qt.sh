#!/bin/sh
# Usage: need-qt.sh PYTHON [xvfb]
# Leaves with 0 where PyQt6 of this Python finds the libraries it needs (with xvfb: and there is a
# screen in memory); installs Debian's where it may, else says the command.
python=${1:?usage: need-qt.sh PYTHON [xvfb]}
packages="libegl1 libgl1 libglib2.0-0 libxkbcommon0 libdbus-1-3 libfontconfig1 fonts-dejavu-core"
screen="xvfb xauth libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-render-util0 libxcb-shape0 libxcb-xinerama0"

try='from PyQt6.QtWidgets import QApplication; QApplication([])'
works() {
    if [ -z "$1" ]; then
        QT_QPA_PLATFORM=offscreen "$python" -c "$try" 2>/dev/null
    else
        command -v xvfb-run >/dev/null && QT_QPA_PLATFORM=xcb xvfb-run -a "$python" -c "$try" 2>/dev/null
    fi
}

works "${2:-}" && exit 0
[ -z "${2:-}" ] || packages="$packages $screen"
install="apt-get update -qq && apt-get install -y -qq --no-install-recommends $packages"
if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
    echo "installing the libraries of Qt"
    DEBIAN_FRONTEND=noninteractive sh -c "$install" >/dev/null && works "${2:-}" && exit 0
fi
echo "PyQt6 does not start. Run this, then try again: sudo sh -c '$install'" >&2
exit 2
