//===- HostLoader.cpp - host objects in this process ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Target/Host.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

using namespace llvm;

namespace tilec {

struct LoadedHostObject::Impl {
  std::unique_ptr<orc::LLJIT> jit;
};

Expected<LoadedHostObject> LoadedHostObject::load(StringRef object) {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  Expected<std::unique_ptr<orc::LLJIT>> jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  char prefix = (*jit)->getDataLayout().getGlobalPrefix();
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process)
    return process.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  if (Error error = (*jit)->addObjectFile(MemoryBuffer::getMemBufferCopy(object, "tile-kernel.o")))
    return std::move(error);
  LoadedHostObject loaded;
  loaded.impl = std::make_shared<Impl>();
  loaded.impl->jit = std::move(*jit);
  return loaded;
}

Expected<LoadedHostObject::Function> LoadedHostObject::function(StringRef name) const {
  Expected<orc::ExecutorAddr> address = impl->jit->lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<Function>();
}

} // namespace tilec
