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
cache=$build/test/DSL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiler=${CXX:-clang++-22}
flags="-std=c++20 -O0 -I $root/dsl/include"
# A sanitized libTileDsl wants a program that is linked so, whoever compiled it.
if grep -q '^TILEC_SANITIZE:BOOL=ON' "$build/CMakeCache.txt" 2> /dev/null; then
  sanitize="-fsanitize=address,undefined -fno-sanitize=vptr"
fi

# The main program and clang's precompiled header are kept in the build folder.
mkdir -p "$cache"
fresh() { [ -f "$1" ] && [ -z "$(find "$root/dsl/include" "$tests/Inputs" -newer "$1" -name '*.[hc]*')" ]; }
if ! fresh "$cache/main.o"; then
  clang++-22 $flags -c "$tests/Inputs/main.cpp" -o "$work/main.o"
  mv "$work/main.o" "$cache/main.o"
fi
header=
if [ "$compiler" = clang++-22 ]; then
  if ! fresh "$cache/Dsl.pch"; then
    clang++-22 $flags -Wall -Wextra -x c++-header "$root/dsl/include/tile/dsl/Dsl.h" -o "$work/Dsl.pch"
    mv "$work/Dsl.pch" "$cache/Dsl.pch"
  fi
  header="-include-pch $cache/Dsl.pch"
fi

cd "$(dirname "$file")"
$compiler $flags $header -Wall -Wextra -Wno-unused-value -c "$(basename "$file")" -o "$work/kernels.o"
clang++-22 $sanitize "$cache/main.o" "$work/kernels.o" -fuse-ld=lld -o "$work/emit" -L "$build/lib" -lTileDsl \
  "-Wl,-rpath,$build/lib"
"$work/emit" "$@"
