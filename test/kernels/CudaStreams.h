//===- CudaStreams.h - streams and graphs of the driver ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_CUDASTREAMS_H
#define TEST_KERNELS_CUDASTREAMS_H

#include "tile/Runtime.h"

#include "gtest/gtest.h"

#include <dlfcn.h>

namespace tile::test {

/// What the runtime has no use for: more streams, a look at one without waiting, graphs.
class CudaStreams {
public:
  /// One that does not wait for the null stream.
  Stream create() const {
    void *stream = nullptr;
    constexpr unsigned nonBlocking = 1;
    call<void **, unsigned>("cuStreamCreate", &stream, nonBlocking);
    return Stream::cuda(stream);
  }
  bool isBusy(Stream stream) const {
    constexpr int notReady = 600;
    return result<void *>("cuStreamQuery", stream.handle()) == notReady;
  }
  /// What `queue` queues on the stream, as a graph.
  template <class Queue> void *capture(Stream stream, const Queue &queue) const {
    void *graph = nullptr, *ready = nullptr;
    constexpr int threadLocal = 1;
    call<void *, int>("cuStreamBeginCapture_v2", stream.handle(), threadLocal);
    queue();
    call<void *, void **>("cuStreamEndCapture", stream.handle(), &graph);
    call<void **, void *, unsigned long long>("cuGraphInstantiateWithFlags", &ready, graph, 0);
    return ready;
  }
  void launch(void *graph, Stream stream) const {
    call<void *, void *>("cuGraphLaunch", graph, stream.handle());
  }

private:
  template <class... Args> int result(const char *name, Args... args) const {
    auto *function = library ? reinterpret_cast<int (*)(Args...)>(dlsym(library, name)) : nullptr;
    return function ? function(args...) : -1;
  }
  template <class... Args> void call(const char *name, Args... args) const {
    EXPECT_EQ(result<Args...>(name, args...), 0) << name;
  }

  void *library = dlopen("libcuda.so.1", RTLD_NOW);
};

} // namespace tile::test

#endif // TEST_KERNELS_CUDASTREAMS_H
