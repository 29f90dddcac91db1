//===- KernelRun.cpp - library kernels through the interpreter ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "KernelRun.h"

#include "tile/dsl/Build.h"
#include "tilec/Pipeline/Compile.h"
#include "tilec/Pipeline/Dialects.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace tilec::test {

/// No tensor begins where another one, read past its end, would be.
static constexpr int64_t guardBytes = 1 << 16;

HostTensor::HostTensor(::tile::DType dtype, std::vector<int64_t> shape)
    : dtype(dtype), shape(std::move(shape)),
      bytes(static_cast<size_t>(count() * ::tile::byteSize(dtype) + 2 * guardBytes),
            static_cast<char>(0xff)) {}

int64_t HostTensor::count() const {
  int64_t result = 1;
  for (int64_t extent : shape)
    result *= extent;
  return result;
}

void HostTensor::set(int64_t index, double value) {
  ::tile::writeElement(dtype, bytes.data() + guardBytes + index * ::tile::byteSize(dtype), value);
}

double HostTensor::at(int64_t index) const {
  return ::tile::readElement(dtype, bytes.data() + guardBytes + index * ::tile::byteSize(dtype));
}

std::vector<double> HostTensor::values() const {
  std::vector<double> result;
  for (int64_t i = 0; i < count(); ++i)
    result.push_back(at(i));
  return result;
}

::tile::Tensor HostTensor::view() {
  return ::tile::Tensor(bytes.data() + guardBytes, dtype, std::span<const int64_t>(shape),
                        ::tile::Device::host);
}

HostTensor randomTensor(::tile::DType dtype, std::vector<int64_t> shape, uint64_t seed) {
  HostTensor result(dtype, std::move(shape));
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  for (int64_t i = 0; i < result.count(); ++i)
    result.set(i, normal(random));
  return result;
}

static DialectRegistry allDialects() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

LibraryKernel::LibraryKernel(const std::string &name, const std::string &dtype,
                             const Config &config, Path path)
    : context(allDialects(), MLIRContext::Threading::DISABLED) {
  root = ::tile::build(context, {name, dtype, config});
  CompileOptions options;
  options.until = Stage::SM;
  options.simple = path == Path::simple;
  if (!root || failed(compile(*root, options)))
    ADD_FAILURE() << name << " did not compile";
}

LibraryKernel::LibraryKernel(const std::string &ir)
    : context(allDialects(), MLIRContext::Threading::DISABLED) {
  context.loadAllAvailableDialects();
  root = parseSourceString<ModuleOp>(ir, &context);
  if (!root)
    ADD_FAILURE() << "did not parse:\n" << ir;
}

LibraryKernel::~LibraryKernel() = default;

std::string LibraryKernel::run(ModuleOp module, std::vector<::tile::Arg> args, uint64_t seed,
                               bool mayHang) {
  std::string text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream os(text);
    os << diagnostic.getLocation() << ": " << diagnostic << "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      os << "  " << note.getLocation() << ": " << note << "\n";
    return success();
  });
  auto kernels = module.getOps<func::FuncOp>();
  if (kernels.empty())
    return "no kernel in sm\n";
  auto kernel = InterpretedKernel::create(*kernels.begin());
  if (failed(kernel))
    return text + "no program\n";
  (*kernel)->seed = seed;
  (*kernel)->hasCounter = hasCounter;
  (*kernel)->setSmCount(smCount);
  if (mayHang)
    (*kernel)->maxSteps = uint64_t(1) << 24;
  KernelTables tables((*kernel)->desc(), nullptr, (*kernel)->function());
  ::tile::Launcher launcher(tables.info());
  ::tile::Status status = launcher.launch(::tile::Stream::host(), args);
  if (!status.ok())
    text += status.message() + "\n";
  if ((*kernel)->hasFailed() && text.empty())
    text = "failed without a message\n";
  return text;
}

std::string LibraryKernel::run(std::vector<::tile::Arg> args, uint64_t seed) {
  return run(*root, std::move(args), seed, false);
}

std::string LibraryKernel::runChanged(std::function<void(ModuleOp)> change,
                                      std::vector<::tile::Arg> args, uint64_t seed) {
  OwningOpRef<ModuleOp> copy = root->clone();
  change(*copy);
  return run(*copy, std::move(args), seed, true);
}

} // namespace tilec::test
