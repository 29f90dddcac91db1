//===- HostPool.cpp - thread blocks on the threads of this process --------===//
// SPDX-License-Identifier: Apache-2.0

#include "HostPool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
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
} // namespace

void runOnHost(HostFunction function, void **params, int64_t grid) {
  if (grid == 1 || hostThreads() == 1)
    return function(params, 0, grid);
  static HostPool pool;
  pool.run(function, params, grid);
}

} // namespace tile
