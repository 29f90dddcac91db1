//===- StandInDriver.cpp - a libcuda.so.1 that does nothing, at once ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every call succeeds. What is left of a call of the library is our own time on the host. Device
// memory is host memory; a launch and an encoded tensor map are counted.

#include <cuda.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {
std::atomic<uint64_t> launches = 0, maps = 0;
int object; // what all handles point to

template <class Handle> CUresult give(Handle *handle) {
  *handle = reinterpret_cast<Handle>(&object);
  return CUDA_SUCCESS;
}
void *memory(CUdeviceptr pointer) { return reinterpret_cast<void *>(pointer); }
} // namespace

extern "C" {
uint64_t standInLaunches() { return launches; }
uint64_t standInMaps() { return maps; }

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult, const char **text) {
  *text = "CUDA_ERROR";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char **text) {
  *text = "of the stand-in";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice) {
  *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9
           : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT   ? 132
                                                                     : 0;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) { return give(context); }
CUresult cuCtxGetCurrent(CUcontext *context) { return give(context); }
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxGetDevice(CUdevice *device) { return cuDeviceGet(device, 0); }
CUresult cuModuleLoadData(CUmodule *module, const void *) { return give(module); }
CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule, const char *) {
  return give(function);
}
CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule, const char *) {
  static uint32_t counters[4096];
  *pointer = reinterpret_cast<CUdeviceptr>(counters);
  *bytes = sizeof counters;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream, void **, void **) {
  ++launches;
  return CUDA_SUCCESS;
}
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType, cuuint32_t, void *address,
                                const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  ++maps;
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &address, sizeof address);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream) { return CUDA_SUCCESS; }
CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  *id = reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus *status) {
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *) { return CUDA_SUCCESS; }
CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
  *pointer = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  return CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr pointer) {
  std::free(memory(pointer));
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoD(CUdeviceptr target, const void *source, size_t bytes) {
  std::memcpy(memory(target), source, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH(void *target, CUdeviceptr source, size_t bytes) {
  std::memcpy(target, memory(source), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t bytes) {
  std::memset(memory(pointer), value, bytes);
  return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent *event, unsigned) { return give(event); }
CUresult cuEventDestroy(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent, CUstream) { return CUDA_SUCCESS; }
CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventElapsedTime(float *milliseconds, CUevent, CUevent) {
  *milliseconds = 0;
  return CUDA_SUCCESS;
}
}
