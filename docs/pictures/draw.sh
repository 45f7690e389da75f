#!/bin/sh
# Draws every picture from its source: needs Graphviz. A picture names the digest of its source, so that a test can tell
# without Graphviz whether the two belong together.
set -eu
cd "$(dirname "$0")"
for source in *.dot; do
    picture=${source%.dot}.svg
    digest=$(sha256sum "$source" | cut -d' ' -f1)
    # Pages may be dark: the background is white, with round corners.
    dot -Tsvg "$source" | sed -E \
        -e '/^<!--.*-->$/d' -e '/^<!--/,/-->$/d' \
        -e "s|^<svg |<!-- of $source, sha256:$digest -->\n&|" \
        -e 's~^<polygon fill="white" stroke="(none|transparent)" points="([-0-9.]+),[-0-9.]+ [-0-9.]+,([-0-9.]+) .*~<rect fill="white" x="\2" y="\3" width="100%" height="100%" rx="8"/>~' \
        -e 's|font-family="Helvetica[^"]*"|font-family="Helvetica,Arial,sans-serif"|' \
        >"$picture"
done
