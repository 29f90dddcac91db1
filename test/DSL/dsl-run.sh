#!/bin/sh
# Compiles a file of kernels against the embedded language and prints their IR, or what is wrong.
#   dsl-run.sh BUILD FILE.cpp [argument of emitMain ...]
# CXX chooses the compiler: clang++-22 by default, g++ 12 does too. The file is compiled from its own
# folder, so that locations in messages are its bare name.
set -e
build=$1 file=$2
shift 2
tests=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$tests/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$(dirname "$file")"
${CXX:-clang++-22} -std=c++20 -O0 -Wall -Wextra -I "$root/dsl/include" -I "$root/kernels/common" \
  -c "$(basename "$file")" -o "$work/kernels.o"
${CXX:-clang++-22} -std=c++20 -O0 -I "$root/dsl/include" "$tests/main.cpp" "$work/kernels.o" \
  -o "$work/emit" -L "$build/lib" -lTileDsl "-Wl,-rpath,$build/lib"
"$work/emit" "$@"
