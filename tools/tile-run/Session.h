//===- Session.h - launches with poisoned outputs and guards ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILE_RUN_SESSION_H
#define TILE_RUN_SESSION_H

#include "Arguments.h"

#include "tile/KernelInfo.h"

#include <list>
#include <vector>

namespace tilerun {

/// The kernel's arguments in the memory of one device. Each tensor lies between two guards, so that
/// a stray write is found and a stray read meets NaN.
class Session {
public:
  /// `arguments` must outlive the session.
  static tile::Result<Session> create(const Arguments &arguments, const tile::Launcher &launcher,
                                      tile::Device device);

  /// Fills outputs and workspaces with NaN, restores inputs, launches, waits, checks the guards.
  tile::Status run();

  /// Microseconds of each of `count` launches after some to warm up.
  tile::Result<std::vector<double>> time(int count);

  /// The content of a tensor after the last launch.
  tile::Result<HostArray> content(const Argument &argument) const;

private:
  struct Placed {
    const Argument *argument;
    tile::Buffer buffer; // guard, elements, guard
    int64_t bytes;       // of the elements
  };

  Session(const tile::Launcher &launcher, tile::Stream stream)
      : launcher(&launcher), stream(stream) {}
  tile::Status place(const Argument &argument, tile::Device device);
  tile::Status prepare(Placed &placed);
  tile::Status checkGuards(const Placed &placed) const;

  const tile::Launcher *launcher;
  tile::Stream stream;
  std::vector<Placed> placed; // of the tensors
  std::list<tile::Tensor> tensors;
  std::vector<tile::Arg> args;
};

} // namespace tilerun

#endif // TILE_RUN_SESSION_H
