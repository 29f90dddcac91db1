//===- Session.cpp - launches with poisoned outputs and guards ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Session.h"

#include <algorithm>

using tile::Result;
using tile::Status;

namespace tilerun {

namespace {
/// All ones is NaN in every float format and -1 in every integer type.
constexpr uint8_t poison = 0xff;
constexpr int64_t guardBytes = 1024;
constexpr int warmUpRuns = 3;
} // namespace

Result<Session> Session::create(const Arguments &arguments, const tile::Launcher &launcher,
                                tile::Device device) {
  Session session(launcher,
                  device == tile::Device::host ? tile::Stream::host() : tile::Stream::cuda());
  for (const Argument &argument : arguments.params) {
    if (!argument.isTensor()) {
      session.args.push_back(*argument.scalar);
      continue;
    }
    if (Status status = session.place(argument, device); !status.ok())
      return Status::error("'" + argument.param->name + "': " + status.message());
  }
  for (unsigned dim : launcher.dimArguments())
    session.args.push_back(tile::Arg::integer(tile::DType::i64, arguments.dims[dim]));
  return session;
}

Status Session::place(const Argument &argument, tile::Device device) {
  const HostArray &array = argument.array;
  tile::Tensor tensor(nullptr, array.dtype, std::span<const int64_t>(array.shape), device);
  int64_t bytes = tensor.elements() * tile::byteSize(array.dtype);
  Result<tile::Buffer> buffer = tile::Buffer::allocate(device, bytes + 2 * guardBytes);
  if (!buffer.ok())
    return buffer.status();
  tensor.data = static_cast<char *>(buffer->data()) + guardBytes;
  tensors.push_back(tensor);
  args.push_back(tensors.back());
  placed.push_back({&argument, *std::move(buffer), bytes});
  return {};
}

Status Session::prepare(Placed &item) {
  Status status = item.buffer.fill(poison, item.buffer.size());
  if (status.ok() && item.argument->isRead())
    status = item.buffer.upload(item.argument->array.data.data(), item.bytes, guardBytes);
  return status;
}

Status Session::checkGuards(const Placed &item) const {
  std::vector<uint8_t> guard(guardBytes);
  const std::string &name = item.argument->param->name;
  for (int64_t offset : {int64_t(0), guardBytes + item.bytes}) {
    if (Status status = item.buffer.download(guard.data(), guardBytes, offset); !status.ok())
      return status;
    auto changed = std::find_if(guard.begin(), guard.end(), [](uint8_t b) { return b != poison; });
    if (changed == guard.end())
      continue;
    int64_t at = offset + (changed - guard.begin()) - guardBytes;
    return Status::error("the kernel wrote outside '" + name + "': byte " + std::to_string(at) +
                         " of " + std::to_string(item.bytes));
  }
  if (item.argument->param->access != tile::Access::in)
    return {};
  std::vector<char> now(static_cast<size_t>(item.bytes));
  if (Status status = item.buffer.download(now.data(), item.bytes, guardBytes); !status.ok())
    return status;
  return now == item.argument->array.data
             ? Status()
             : Status::error("the kernel wrote to its input '" + name + "'");
}

Status Session::run() {
  for (Placed &item : placed)
    if (Status status = prepare(item); !status.ok())
      return status;
  if (Status status = launcher->launch(stream, args); !status.ok())
    return status;
  if (Status status = stream.synchronize(); !status.ok())
    return Status::error("while the kernel ran: " + status.message());
  for (const Placed &item : placed)
    if (Status status = checkGuards(item); !status.ok())
      return status;
  return {};
}

Result<std::vector<double>> Session::time(int count) {
  std::vector<tile::Timer> timers;
  for (int i = 0; i < count; ++i) {
    Result<tile::Timer> timer = tile::Timer::create(stream);
    if (!timer.ok())
      return timer.status();
    timers.push_back(*std::move(timer));
  }
  for (int i = -warmUpRuns; i < count; ++i) {
    Status status = i < 0 ? Status() : timers[i].start();
    if (status.ok())
      status = launcher->launch(stream, args);
    if (status.ok() && i >= 0)
      status = timers[i].stop();
    if (!status.ok())
      return status;
  }
  std::vector<double> times;
  for (const tile::Timer &timer : timers) {
    Result<double> milliseconds = timer.milliseconds();
    if (!milliseconds.ok())
      return milliseconds.status();
    times.push_back(*milliseconds * 1000);
  }
  return times;
}

Result<HostArray> Session::content(const Argument &argument) const {
  for (const Placed &item : placed) {
    if (item.argument != &argument)
      continue;
    HostArray array{item.argument->array.dtype, item.argument->array.shape, {}};
    array.data.resize(static_cast<size_t>(item.bytes));
    Status status = item.buffer.download(array.data.data(), item.bytes, guardBytes);
    if (!status.ok())
      return status;
    return array;
  }
  return Status::error("'" + argument.param->name + "' is not a tensor");
}

} // namespace tilerun
