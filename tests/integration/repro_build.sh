#!/bin/sh
# SPDX-License-Identifier: MIT
# repro_build: trees at different paths build the same bytes.
set -eu
git -C "$NF_SOURCE" rev-parse --git-dir >/dev/null 2>&1 || {
	echo "SKIP git-checkout: this source tree is no git checkout, so it cannot be cloned"
	exit 77
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
build() {
	mkdir -p "$(dirname "$1")"
	git clone -q "$NF_SOURCE" "$1"
	(cd "$1" && meson setup build/release -Dbuildtype=debugoptimized >/dev/null &&
		ninja -j1 -C build/release src/cli/noisefloor >/dev/null)
}
build "$tmp/one/path/that/is/longer"
one=$tmp/one/path/that/is/longer/build/release/src/cli/noisefloor
# The program under test is the other build, where its tree is what a clone gets.
other=$NF_BIN
if [ -n "$(git -C "$NF_SOURCE" status --porcelain)" ] || [ "$NF_BUILD" != "$NF_SOURCE/build/release" ]; then
	build "$tmp/another"
	other=$tmp/another/build/release/src/cli/noisefloor
fi
if ! cmp "$one" "$other"; then
	strings -a "$one" | grep -m3 -F "$tmp" || true
	exit 1
fi
# The comparison can fail: another byte is noticed.
printf x >>"$one"
! cmp -s "$one" "$other"
echo "two builds, same $(wc -c <"$one") bytes: $(sha256sum "$one" | cut -d' ' -f1)"
