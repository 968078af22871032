#!/bin/sh
# SPDX-License-Identifier: MIT
# exports.sh LIBRARY GOLDEN: the library exports the symbols that the golden lists, no more and no less.
# NF_BLESS=1 writes the golden instead. Instrumented builds are skipped: they add symbols.
set -eu

lib=$1 golden=$2
export LC_ALL=C

exports=$(nm -D --defined-only "$lib" | awk '{ print $3 }' | sort)
if printf '%s\n' "$exports" | grep -qE '^(__odr_|__asan_|__ubsan_|__tsan_|__gcov_|__llvm_)'; then
	echo "instrumented build: its exports are not the library's"
	exit 77
fi
if [ "${NF_BLESS:-}" = 1 ]; then
	printf '%s\n' "$exports" >"$golden"
	exit 0
fi
if ! printf '%s\n' "$exports" | diff -u "$golden" -; then
	echo "the exported symbols changed; when that is meant: NF_BLESS=1 meson test exports"
	exit 1
fi
