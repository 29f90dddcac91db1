//===- EmitLauncher.cpp - writes the launcher that Launcher.cpp includes --===//
// SPDX-License-Identifier: Apache-2.0

#include "tilec/Target/Library.h"

#include <fstream>

using namespace tilec;

/// attend_row(in[n, 64] bf16, default[n] f32 out, scale f32 > 0, flag i1, splits): names that a
/// launcher has to change, and a dimension that only the caller knows.
static KernelDesc exampleKernel() {
  KernelDesc desc;
  desc.symbol = "attend_row__bf16";
  desc.source = "attend_row";
  desc.dims = {"n", "splits"};
  desc.facts = {{"n", 2}};
  desc.groups = {{"n * 2", "splits"}};
  using Kind = tile::ParamInfo::Kind;
  desc.params = {
      {"in", Kind::tensor, tile::DType::bf16, tile::Access::in, {"n", "64"}, true, false},
      {"default", Kind::tensor, tile::DType::f32, tile::Access::out, {"n"}, false, false},
      {"scale", Kind::scalar, tile::DType::f32, tile::Access::in, {}, false, true},
      {"flag", Kind::scalar, tile::DType::i1, tile::Access::in, {}, false, false}};
  desc.grid = {"n", "splits"};
  desc.derived = {"reciprocal(splits)", "n * 2"};
  desc.counter = true;
  desc.numWarps = 8;
  desc.producerWarps = 4;
  desc.sharedBytes = 1024;
  desc.maps = {{.param = 0, .rank = 2, .box = {16, 64}, .swizzle = 128}};
  return desc;
}

/// Usage: EmitLauncher HEADER ASSEMBLY IMAGE
int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  std::ofstream(argv[1]) << emitLauncherHeader(exampleKernel(),
                                               {.hasImage = true, .hasHost = true, .alias = {}});
  std::ofstream(argv[2]) << emitImageSource(exampleKernel(), argv[3]);
  return 0;
}
