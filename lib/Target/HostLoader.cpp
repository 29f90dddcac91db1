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

// libgcc's conversions of f16, for objects built for a machine without them. They are hidden
// symbols of this program, which a search of the process does not find.
extern "C" float __extendhfsf2(_Float16);
extern "C" _Float16 __truncsfhf2(float);

/// Makes the functions that are not in a shared library known under their names.
static Error defineRuntimeSymbols(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  auto define = [&](StringRef name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                          JITSymbolFlags::Exported};
  };
  define("__extendhfsf2", &__extendhfsf2);
  define("__truncsfhf2", &__truncsfhf2);
  return jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)));
}

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
  if (Error error = defineRuntimeSymbols(**jit))
    return std::move(error);
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
