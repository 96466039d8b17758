#!/bin/sh
# Draws media/icon.png from media/icon.svg with a Chromium: scripts/icon.sh [CHROMIUM]
set -eu
cd "$(dirname "$0")/.."
"${1:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --window-size=128,128 --default-background-color=00000000 \
    --screenshot=media/icon.png "file://$PWD/media/icon.svg"
