//===- Options.h - tile-run's command line ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILE_RUN_OPTIONS_H
#define TILE_RUN_OPTIONS_H

#include "tile/Runtime.h"
#include "tile/Status.h"

#include <map>
#include <optional>
#include <string>

namespace tilerun {

/// Where a tensor's content comes from.
struct InputSpec {
  enum class Kind { file, random, zeros } kind = Kind::zeros;
  std::string path;
  uint64_t seed = 0;
  /// Uniform in [first, second], integers inclusive; without it normal(0, 1).
  std::optional<std::pair<int64_t, int64_t>> range;
};

/// What an output is compared with.
struct ExpectSpec {
  std::string path;
  /// Without them the element type decides (Compare.h).
  std::optional<double> relative, absolute;
};

struct Options {
  /// A kernel's name, a .cpp or a .mlir.
  std::string kernel;
  std::string config, dtype;
  /// Nothing: the GPU where there is one.
  std::optional<tile::Device> target;
  /// On the host, but the GPU's code: its `sm` stage in the interpreter, in the order of `seed`.
  bool interpret = false;
  uint64_t seed = 0;
  /// Every thread does everything, also where the kernel could be split into roles.
  bool simple = false;
  std::map<std::string, InputSpec> inputs;
  std::map<std::string, std::string> scalars;
  std::map<std::string, int64_t> dims;
  /// Output to file.
  std::map<std::string, std::string> outputs;
  std::map<std::string, ExpectSpec> expectations;
  /// Timed launches; 0 for none.
  int timedRuns = 0;
  bool json = false;
};

/// The error names the argument, what was expected and what came.
tile::Result<Options> parseOptions(int argc, char **argv);

/// "random", "random:7", "random:0..63", "random:7:0..63", "zeros" or a path.
tile::Result<InputSpec> parseInputSpec(const std::string &text);

/// "file.npy" or "file.npy,rtol,atol".
tile::Result<ExpectSpec> parseExpectSpec(const std::string &text);

} // namespace tilerun

#endif // TILE_RUN_OPTIONS_H
