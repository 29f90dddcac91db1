//===- HostPool.cpp - thread blocks on the threads of this process --------===//
// SPDX-License-Identifier: Apache-2.0

#include "HostPool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

namespace tile {

int64_t hostThreads() {
  static const int64_t count = [] {
    const char *text = std::getenv("TILE_HOST_THREADS");
    int64_t asked = text ? std::strtoll(text, nullptr, 10) : 0;
    int64_t present = std::max(1u, std::thread::hardware_concurrency());
    return asked > 0 ? std::min<int64_t>(asked, 1024) : present;
  }();
  return count;
}

namespace {
/// Workers sleep between launches. Each takes chunks of the grid until none is left; the launching
/// thread works too and then waits for the others.
class HostPool {
public:
  HostPool() {
    for (int64_t i = 1; i < hostThreads(); ++i)
      workers.emplace_back([this] { serve(); });
  }

  ~HostPool() {
    {
      std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    for (std::thread &worker : workers)
      worker.join();
  }

  void run(HostFunction newFunction, void **newParams, int64_t newGrid) {
    std::lock_guard turn(oneLaunch);
    {
      std::lock_guard lock(mutex);
      function = newFunction;
      params = newParams;
      grid = newGrid;
      chunk = std::max<int64_t>(1, grid / (hostThreads() * 8));
      next = 0;
      busy = workers.size();
      ++generation;
    }
    wake.notify_all();
    takeChunks();
    std::unique_lock lock(mutex);
    done.wait(lock, [this] { return busy == 0; });
  }

private:
  void takeChunks() {
    for (int64_t begin; (begin = next.fetch_add(chunk)) < grid;)
      function(params, begin, std::min(begin + chunk, grid));
  }

  void serve() {
    uint64_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return stopping || generation != seen; });
      if (stopping)
        return;
      seen = generation;
      lock.unlock();
      takeChunks();
      lock.lock();
      if (--busy == 0)
        done.notify_one();
    }
  }

  std::mutex oneLaunch, mutex;
  std::condition_variable wake, done;
  std::vector<std::thread> workers;
  HostFunction function = nullptr;
  void **params = nullptr;
  int64_t grid = 0, chunk = 1;
  std::atomic<int64_t> next = 0;
  size_t busy = 0;
  uint64_t generation = 0;
  bool stopping = false;
};

/// The pool of this process. A child of fork() has none of its parent's threads, and the parent's
/// locks may be held in it: it leaves that pool alone and makes its own.
class ProcessPool {
public:
  ~ProcessPool() {
    if (owner == getpid())
      delete pool;
  }
  HostPool &get() {
    if (owner.load(std::memory_order_acquire) != getpid()) {
      std::lock_guard lock(making);
      if (owner != getpid()) {
        pool = new HostPool;
        owner.store(getpid(), std::memory_order_release);
      }
    }
    return *pool;
  }

private:
  std::mutex making;
  HostPool *pool = nullptr;
  std::atomic<pid_t> owner = 0;
};
} // namespace

void runOnHost(HostFunction function, void **params, int64_t grid) {
  if (grid == 1 || hostThreads() == 1)
    return function(params, 0, grid);
  static ProcessPool pool;
  pool.get().run(function, params, grid);
}

} // namespace tile
