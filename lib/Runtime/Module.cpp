//===- Module.cpp - a kernel's image, loaded once per context -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Module.h"
#include "Driver.h"

#include <string>

namespace tile {

Module::~Module() {
  // Failures here mean that the context or the driver has gone first, and the module with it.
  for (Loaded &entry : loaded)
    (void)Driver::get()->cuModuleUnload(static_cast<CUmodule>(entry.module));
}

static Result<std::unique_ptr<ItemCounters>> findCounters(const Driver &driver, CUmodule module) {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  Status status =
      driver.check(driver.cuModuleGetGlobal(&address, &bytes, module, ItemCounters::symbol),
                   ("cuModuleGetGlobal('" + std::string(ItemCounters::symbol) + "')").c_str());
  if (!status.ok())
    return status;
  return std::make_unique<ItemCounters>(address, bytes);
}

Result<Module::Loaded> Module::load(void *context) const {
  const Driver &driver = *Driver::get();
  if (!info.image)
    return Status::error("the kernel was built without an image for the GPU");
  if (Status status = checkDevice(driver); !status.ok())
    return status;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  Status status = driver.check(driver.cuModuleLoadData(&module, info.image), "cuModuleLoadData");
  if (!status.ok())
    return status;
  status = driver.check(driver.cuModuleGetFunction(&function, module, info.symbol),
                        ("cuModuleGetFunction('" + std::string(info.symbol) + "')").c_str());
  if (status.ok() && info.sharedBytes > 0)
    status = driver.check(
        driver.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                  static_cast<int>(info.sharedBytes)),
        ("reserving " + std::to_string(info.sharedBytes) + " bytes of shared memory").c_str());
  std::unique_ptr<ItemCounters> counters;
  if (status.ok() && info.counter) {
    Result<std::unique_ptr<ItemCounters>> found = findCounters(driver, module);
    status = found.status();
    if (found.ok())
      counters = *std::move(found);
  }
  if (!status.ok()) {
    (void)driver.cuModuleUnload(module);
    return status;
  }
  return Loaded{context, module, function, std::move(counters)};
}

namespace {
/// Lets this thread make calls that a stream capture of the application would forbid, though they
/// touch no stream: loading an image does.
class OutsideCapture {
public:
  explicit OutsideCapture(const Driver &driver) : driver(driver) { exchange(); }
  ~OutsideCapture() { exchange(); }
  OutsideCapture(const OutsideCapture &) = delete;

private:
  void exchange() { (void)driver.cuThreadExchangeStreamCaptureMode(&mode); }

  const Driver &driver;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
};
} // namespace

Result<const Module::Loaded *> Module::find() {
  if (!Driver::get().ok())
    return Driver::get().status();
  Result<CUcontext> context = currentContext(*Driver::get());
  if (!context.ok())
    return context.status();
  std::lock_guard lock(mutex);
  for (const Loaded &entry : loaded)
    if (entry.context == *context)
      return &entry;
  OutsideCapture outside(*Driver::get());
  Result<Loaded> entry = load(*context);
  if (!entry.ok())
    return entry.status();
  return &loaded.emplace_back(*std::move(entry));
}

Status Module::launch(void *stream, void **params, int64_t grid, uint64_t *counter) {
  Result<const Loaded *> entry = find();
  if (!entry.ok())
    return entry.status();
  const Driver &driver = *Driver::get();
  if (counter)
    *counter = (*entry)->counters->of(driver, stream);
  return driver.check(driver.cuLaunchKernel(
                          static_cast<CUfunction>((*entry)->function), static_cast<unsigned>(grid),
                          1, 1, static_cast<unsigned>(info.numWarps + info.producerWarps) * 32, 1,
                          1, static_cast<unsigned>(info.sharedBytes), static_cast<CUstream>(stream),
                          params, nullptr),
                      "cuLaunchKernel");
}

} // namespace tile
