//===- KernelRun.h - library kernels through the interpreter ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_INTERPRETER_KERNELRUN_H
#define TILEC_TEST_UNIT_INTERPRETER_KERNELRUN_H

#include "tile/KernelInfo.h"
#include "tilec/Interpreter/HostKernel.h"

#include "mlir/IR/MLIRContext.h"

#include <functional>
#include <random>

namespace tilec::test {

/// A tensor in this process, row-major.
struct HostTensor {
  HostTensor(tile::DType dtype, std::vector<int64_t> shape);

  int64_t count() const;
  void set(int64_t index, double value);
  double at(int64_t index) const;
  /// All elements.
  std::vector<double> values() const;
  tile::Tensor view();

  tile::DType dtype;
  std::vector<int64_t> shape;
  std::vector<char> bytes; // guard, elements, guard; all ones at first: NaN
};

/// Numbers of N(0, 1), rounded to the tensor's type.
HostTensor randomTensor(tile::DType dtype, std::vector<int64_t> shape, uint64_t seed);

using Config = std::vector<std::pair<std::string, std::string>>;

/// Every thread does everything, or roles where the kernel allows them.
enum class Path { simple, scheduled };

/// A kernel of the library, down to `sm`.
class LibraryKernel {
public:
  /// A failure to build fails the test.
  LibraryKernel(const std::string &name, const std::string &dtype, const Config &config,
                Path path = Path::simple);
  /// Text of a module in any stage up to `sm`.
  explicit LibraryKernel(const std::string &ir);
  ~LibraryKernel();

  /// Null if it could not be built.
  mlir::ModuleOp module() { return root.get(); }
  /// Everything that was reported while a kernel ran, in one text; empty: no fault.
  std::string run(std::vector<tile::Arg> args, uint64_t seed = 1);
  /// As `run`, on a changed copy of the module, which may hang.
  std::string runChanged(std::function<void(mlir::ModuleOp)> change, std::vector<tile::Arg> args,
                         uint64_t seed = 1);

  /// Of the launches to come.
  int64_t smCount = 2;
  /// As of InterpretedKernel.
  bool hasCounter = true;

private:
  std::string run(mlir::ModuleOp module, std::vector<tile::Arg> args, uint64_t seed, bool mayHang);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> root;
};

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_INTERPRETER_KERNELRUN_H
