// A request for what is not there, with what is.
// RUN: not %dsl %s --kernel=coyp 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not %dsl %s --kernel=copy_1d --dtype=e4m3 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not %dsl %s --kernel=copy_1d --config=blok=3 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not %dsl %s --kernel=copy_1d --config=block=big 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %dsl %s --kernel=copy_1d --config=fast=2 2>&1 | FileCheck %s --check-prefix=BOOLEAN
// RUN: not %dsl %s --kernel=copy_1d --config=warps=64 2>&1 | FileCheck %s --check-prefix=WARPS
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {
  int block = 64;
  bool fast = true;
  int warps = 0;
};
TILE_CONFIG(Config, block, fast, warps);

template <class T> void copy_1d(Kernel &k, const Config &) {}
TILE_KERNEL(copy_1d, Config, f32, bf16);

// KERNEL: error: no kernel is named 'coyp'; there are: copy_1d
// DTYPE: error: kernel 'copy_1d' is not registered for dtype 'e4m3'; it is for: f32, bf16
// FIELD: error: kernel 'copy_1d' has no config field 'blok'; its fields and defaults are: block=64, fast=1, warps=0
// VALUE: error: config field 'block' takes an integer; found 'big'
// BOOLEAN: error: config field 'fast' takes 0, 1, false or true; found '2'
// WARPS: request.cpp:20:{{[0-9]+}}: error: a kernel runs on 1 to 32 warps; found 64
