//===- Driver.cpp - the CUDA driver, opened at first use ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Driver.h"

#include <dlfcn.h>
#include <string>

namespace tile {

namespace {
/// Images come from the ptxas of CUDA 13; a driver loads images of its own major version at most.
constexpr int oldestDriver = 13000;

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}
} // namespace

#define TILE_SYMBOL_TEXT(name) #name
#define TILE_SYMBOL(name) TILE_SYMBOL_TEXT(name)

Result<Driver> Driver::load(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return Status::error("no CUDA driver: " + std::string(dlerror()));
  Driver driver;
#define TILE_FIND(function)                                                                        \
  driver.function =                                                                                \
      reinterpret_cast<decltype(driver.function)>(dlsym(handle, TILE_SYMBOL(function)));           \
  if (!driver.function)                                                                            \
    return Status::error("the CUDA driver " + std::string(library) + " has no function " +         \
                         TILE_SYMBOL(function) + "; expected a driver for CUDA " +                 \
                         versionText(oldestDriver) + " or newer");
  TILE_DRIVER_FUNCTIONS(TILE_FIND)
#undef TILE_FIND
  if (Status status = driver.check(driver.cuInit(0), "cuInit"); !status.ok())
    return status;
  return driver;
}

const Result<Driver> &Driver::get() {
  // Never destroyed: other static objects free their memory through it.
  static const Result<Driver> &driver = *new Result<Driver>(load("libcuda.so.1"));
  return driver;
}

Status Driver::check(CUresult result, const char *what) const {
  if (result == CUDA_SUCCESS)
    return {};
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  return Status::error(std::string(what) + " failed with " +
                       (name ? name : std::to_string(static_cast<int>(result))) +
                       (text ? ": " + std::string(text) : ""));
}

Result<const Driver *> readyDriver() {
  if (!Driver::get().ok())
    return Driver::get().status();
  Result<CUcontext> context = currentContext(*Driver::get());
  if (!context.ok())
    return context.status();
  return &*Driver::get();
}

Result<CUcontext> currentContext(const Driver &driver) {
  CUcontext context = nullptr;
  Status status = driver.check(driver.cuCtxGetCurrent(&context), "cuCtxGetCurrent");
  if (!status.ok())
    return status;
  if (context)
    return context;
  static const Result<CUcontext> primary = [&]() -> Result<CUcontext> {
    CUdevice device = 0;
    CUcontext retained = nullptr;
    Status status = driver.check(driver.cuDeviceGet(&device, 0), "cuDeviceGet");
    if (status.ok())
      status = driver.check(driver.cuDevicePrimaryCtxRetain(&retained, device),
                            "cuDevicePrimaryCtxRetain");
    if (!status.ok())
      return status;
    return retained;
  }();
  if (!primary.ok())
    return primary.status();
  status = driver.check(driver.cuCtxSetCurrent(*primary), "cuCtxSetCurrent");
  if (!status.ok())
    return status;
  return *primary;
}

Status checkDevice(const Driver &driver) {
  int version = 0, major = 0, minor = 0;
  CUdevice device = 0;
  Status status = driver.check(driver.cuDriverGetVersion(&version), "cuDriverGetVersion");
  if (status.ok() && version < oldestDriver)
    return Status::error("expected a driver for CUDA " + versionText(oldestDriver) +
                         " or newer, found one for CUDA " + versionText(version));
  if (status.ok())
    status = driver.check(driver.cuCtxGetDevice(&device), "cuCtxGetDevice");
  if (status.ok())
    status = driver.check(
        driver.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
        "cuDeviceGetAttribute");
  if (status.ok())
    status = driver.check(
        driver.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
        "cuDeviceGetAttribute");
  if (status.ok() && (major != 9 || minor != 0))
    return Status::error("expected a device of compute capability 9.0, found " +
                         std::to_string(major) + "." + std::to_string(minor));
  return status;
}

} // namespace tile
