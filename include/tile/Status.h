//===- Status.h - errors as values ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_STATUS_H
#define TILE_STATUS_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace tile {

/// Success, or one sentence: what was expected, what was found. The library throws nothing and
/// prints nothing; every failure arrives here.
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;

  static Status error(std::string message) {
    Status status;
    status.text = std::move(message);
    if (status.text.empty())
      status.text = "unknown error";
    return status;
  }

  bool ok() const { return text.empty(); }

  /// Empty on success.
  const std::string &message() const { return text; }

private:
  std::string text;
};

/// A value, or the reason why there is none. Dereferencing a failed result is a caller's bug.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : content(std::move(value)) {}
  Result(Status error) : failure(std::move(error)) { assert(!failure.ok()); }

  bool ok() const { return content.has_value(); }
  const Status &status() const { return failure; }
  const std::string &message() const { return failure.message(); }

  T &operator*() & { return *content; }
  T &&operator*() && { return *std::move(content); }
  const T &operator*() const & { return *content; }
  T *operator->() { return &*content; }
  const T *operator->() const { return &*content; }

private:
  std::optional<T> content;
  Status failure;
};

} // namespace tile

#endif // TILE_STATUS_H
