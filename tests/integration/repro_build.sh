#!/bin/sh
# SPDX-License-Identifier: MIT
# repro_build: two clones at different paths build the same bytes.
set -eu
git -C "$NF_SOURCE" rev-parse --git-dir >/dev/null 2>&1 || {
	echo "SKIP git-checkout: this source tree is no git checkout, so it cannot be cloned"
	exit 77
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for where in "$tmp/one" "$tmp/another/path/that/is/longer"; do
	mkdir -p "$(dirname "$where")"
	git clone -q "$NF_SOURCE" "$where"
	(cd "$where" && meson setup build/release >/dev/null &&
		ninja -j1 -C build/release src/cli/noisefloor >/dev/null)
done
one=$tmp/one/build/release/src/cli/noisefloor
other=$tmp/another/path/that/is/longer/build/release/src/cli/noisefloor
if ! cmp "$one" "$other"; then
	strings -a "$one" | grep -m3 -F "$tmp" || true
	exit 1
fi
# The comparison can fail: another byte is noticed.
printf x >>"$other"
! cmp -s "$one" "$other"
echo "two clones, same $(wc -c <"$one") bytes: $(sha256sum "$one" | cut -d' ' -f1)"
