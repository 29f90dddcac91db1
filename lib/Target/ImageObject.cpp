//===- ImageObject.cpp - objects that embed a cubin ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "tilec/Target/Library.h"

#include "HostMachine.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

FailureOr<std::string> tilec::emitImageObject(Location location, const KernelDesc &desc,
                                              StringRef image) {
  std::unique_ptr<llvm::TargetMachine> machine = createHostMachine(location, HostOptions());
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  llvm::Module module("image", context);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  llvm::Constant *bytes = llvm::ConstantDataArray::getString(context, image, /*AddNull=*/false);
  std::string name = desc.symbol + "_image";
  auto *global = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::ExternalLinkage, bytes, name);
  global->setAlignment(llvm::Align(64));
  global->setSection(".rodata." + name);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return emitError(location,
                     "expected an LLVM that writes x86-64 objects, found one that does not");
  passes.run(module);
  return std::string(object.begin(), object.end());
}
