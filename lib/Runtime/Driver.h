//===- Driver.h - the CUDA driver, opened at first use --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_RUNTIME_DRIVER_H
#define TILE_RUNTIME_DRIVER_H

#include "tile/Status.h"

#include <cuda.h>

namespace tile {

/// The functions of libcuda.so.1 that the runtime calls. The header's macros map each name to its
/// current version (cuMemAlloc to cuMemAlloc_v2), here and in the look-up alike.
#define TILE_DRIVER_FUNCTIONS(X)                                                                   \
  X(cuInit)                                                                                        \
  X(cuDriverGetVersion)                                                                            \
  X(cuGetErrorName)                                                                                \
  X(cuGetErrorString)                                                                              \
  X(cuDeviceGet)                                                                                   \
  X(cuDeviceGetCount)                                                                              \
  X(cuDeviceGetAttribute)                                                                          \
  X(cuDevicePrimaryCtxRetain)                                                                      \
  X(cuCtxGetCurrent)                                                                               \
  X(cuCtxSetCurrent)                                                                               \
  X(cuCtxGetDevice)                                                                                \
  X(cuModuleLoadData)                                                                              \
  X(cuModuleUnload)                                                                                \
  X(cuModuleGetFunction)                                                                           \
  X(cuModuleGetGlobal)                                                                             \
  X(cuFuncSetAttribute)                                                                            \
  X(cuLaunchKernel)                                                                                \
  X(cuTensorMapEncodeTiled)                                                                        \
  X(cuStreamSynchronize)                                                                           \
  X(cuStreamGetId)                                                                                 \
  X(cuStreamIsCapturing)                                                                           \
  X(cuThreadExchangeStreamCaptureMode)                                                             \
  X(cuMemAlloc)                                                                                    \
  X(cuMemFree)                                                                                     \
  X(cuMemcpyHtoD)                                                                                  \
  X(cuMemcpyDtoH)                                                                                  \
  X(cuMemsetD8)                                                                                    \
  X(cuEventCreate)                                                                                 \
  X(cuEventDestroy)                                                                                \
  X(cuEventRecord)                                                                                 \
  X(cuEventSynchronize)                                                                            \
  X(cuEventElapsedTime)

struct Driver {
#define TILE_DECLARE(function) decltype(&::function) function = nullptr;
  TILE_DRIVER_FUNCTIONS(TILE_DECLARE)
#undef TILE_DECLARE

  /// Opens the library, finds the functions, initialises the driver.
  static Result<Driver> load(const char *library);

  /// The process's driver; the same error each time where there is none.
  static const Result<Driver> &get();

  /// `what` says what was tried: "cuModuleLoadData".
  Status check(CUresult result, const char *what) const;
};

/// The driver's current context; a thread without one gets the primary context of device 0.
Result<CUcontext> currentContext(const Driver &driver);

/// The process's driver, with a context current.
Result<const Driver *> readyDriver();

/// Error unless kernels built for sm_90a can run on the current context's device.
Status checkDevice(const Driver &driver);

} // namespace tile

#endif // TILE_RUNTIME_DRIVER_H
