//===- Targets.cpp - one random program on each target --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "Mutate.h"

#include "tile/dsl/Build.h"
#include "tilec/Interpreter/HostKernel.h"
#include "tilec/Pipeline/Compile.h"
#include "tilec/Pipeline/Dialects.h"
#include "tilec/Target/Host.h"

#include "mlir/IR/Verifier.h"

#include <cstring>
#include <deque>
#include <functional>

using namespace mlir;

namespace tilec::fuzz {

std::string ProgramId::text() const {
  return "--config=seed=" + std::to_string(seed) + ",statements=" + std::to_string(statements) +
         ",dropped=" + std::to_string(dropped);
}

static ::tile::BuildRequest requestOf(const ProgramId &id) {
  return {"random_program",
          "i32",
          {{"seed", std::to_string(id.seed)},
           {"statements", std::to_string(id.statements)},
           {"dropped", std::to_string(id.dropped)}}};
}

namespace {
/// The tensors of a launch, the same for each target.
class Launch {
public:
  explicit Launch(int64_t seed);
  std::vector<::tile::Arg> args();
  std::vector<int32_t> results() const;

private:
  struct Matrix {
    std::vector<int64_t> shape;
    std::vector<int32_t> values;
    ::tile::Tensor view;
  };
  void add(std::vector<int64_t> shape, Random *random);

  std::deque<Matrix> matrices;
};
} // namespace

void Launch::add(std::vector<int64_t> shape, Random *random) {
  Matrix &matrix = matrices.emplace_back();
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  matrix.shape = std::move(shape);
  matrix.values.assign(static_cast<size_t>(count), -1);
  for (int32_t &value : matrix.values)
    if (random) // mostly small, some anything
      value = static_cast<int32_t>(pick(*random, 0, 7) ? pick(*random, -20, 100)
                                                       : static_cast<int64_t>((*random)()));
}

Launch::Launch(int64_t seed) {
  Random random(static_cast<uint64_t>(seed) + 77);
  Shape shape = shapeOf(seed);
  int64_t rows = pick(random, 1, 2 * shape.m + 5), cols = pick(random, 1, 2 * shape.n + 5);
  add({rows, cols}, &random);
  add({cols}, &random);
  add({16}, &random);
  add({programs, slots, shape.m}, nullptr);
  add({programs, slots, shape.n}, nullptr);
  add({programs, slots, shape.m, shape.n}, nullptr);
  add({programs, slots}, nullptr);
}

std::vector<::tile::Arg> Launch::args() {
  std::vector<::tile::Arg> result;
  for (Matrix &matrix : matrices) {
    matrix.view = ::tile::Tensor(matrix.values.data(), ::tile::DType::i32,
                                 std::span<const int64_t>(matrix.shape), ::tile::Device::host);
    result.emplace_back(matrix.view);
  }
  return result;
}

std::vector<int32_t> Launch::results() const {
  std::vector<int32_t> all;
  for (const Matrix &matrix : matrices)
    all.insert(all.end(), matrix.values.begin(), matrix.values.end());
  return all;
}

static Outcome launch(const ProgramId &id, KernelDesc desc, ::tile::HostFunction function,
                      const std::string &errors) {
  KernelTables tables(std::move(desc), nullptr, function);
  ::tile::Launcher launcher(tables.info());
  Launch tensors(id.seed);
  ::tile::Status status = launcher.launch(::tile::Stream::host(), tensors.args());
  if (!status.ok() || !errors.empty())
    return {{}, status.message() + errors};
  return {tensors.results(), ""};
}

/// A context whose errors become text.
class Session {
public:
  Session() : context(dialects(), MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
        llvm::raw_string_ostream os(errors);
        os << diagnostic.getLocation() << ": " << diagnostic << "\n";
        for (Diagnostic &note : diagnostic.getNotes())
          os << "  " << note.getLocation() << ": " << note << "\n";
      }
      return success();
    });
  }

  MLIRContext context;
  std::string errors;

private:
  static DialectRegistry dialects() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }
};

static Outcome runOnHost(const ProgramId &id, Session &session, ModuleOp module) {
  CompileOptions options;
  options.target = TargetKind::Host;
  auto result = compile(module, options);
  if (failed(result))
    return {{}, session.errors};
  auto object = LoadedHostObject::load(result->object);
  if (!object)
    return {{}, llvm::toString(object.takeError())};
  auto function = object->function(result->desc.symbol);
  if (!function)
    return {{}, llvm::toString(function.takeError())};
  return launch(id, std::move(result->desc), *function, session.errors);
}

static Outcome runInterpreted(const ProgramId &id, Session &session, ModuleOp module, bool simple) {
  CompileOptions options;
  options.until = Stage::SM;
  options.simple = simple;
  if (failed(compile(module, options)))
    return {{}, session.errors};
  auto kernels = module.getOps<func::FuncOp>();
  auto kernel = InterpretedKernel::create(*kernels.begin());
  if (failed(kernel))
    return {{}, session.errors};
  (*kernel)->seed = static_cast<uint64_t>(id.seed);
  (*kernel)->setSmCount(1); // a persistent grid has one CTA for all of its coordinates
  Outcome outcome = launch(id, (*kernel)->desc(), (*kernel)->function(), session.errors);
  return session.errors.empty() ? outcome : Outcome{{}, session.errors};
}

Outcome runProgram(const ProgramId &id, Target target) {
  Session session;
  OwningOpRef<ModuleOp> module = ::tile::build(session.context, requestOf(id));
  if (!module)
    return {{}, session.errors};
  if (target == Target::host)
    return runOnHost(id, session, *module);
  return runInterpreted(id, session, *module, target == Target::simple);
}

static std::string compileFor(TargetKind target, const ::tile::BuildRequest &request,
                              const std::function<void(ModuleOp)> &change) {
  Session session;
  OwningOpRef<ModuleOp> module = ::tile::build(session.context, request);
  CompileOptions options;
  options.target = target;
  options.until = target == TargetKind::Host ? Stage::LLVM : Stage::SM;
  if (module)
    change(*module);
  if ((!module || failed(verify(*module)) || failed(compile(*module, options))) &&
      session.errors.empty())
    return "failed without a message";
  return session.errors;
}

std::string compileWild(int64_t seed) {
  ::tile::BuildRequest request{
      "wild_program",
      "i32",
      {{"seed", std::to_string(seed)}, {"statements", "10"}, {"dropped", "0"}}};
  std::string errors;
  for (TargetKind target : {TargetKind::Host, TargetKind::Cuda})
    errors += compileFor(target, request, [](ModuleOp) {});
  return errors;
}

std::string compileMutated(int64_t seed) {
  std::string errors;
  for (TargetKind target : {TargetKind::Host, TargetKind::Cuda}) {
    Random random(static_cast<uint64_t>(seed));
    errors += compileFor(target, requestOf({seed % 50, 6, 0}), [&](ModuleOp module) {
      mutate(module, random, 1 + static_cast<int>(seed % 3));
    });
  }
  return errors;
}

std::string programText(const ProgramId &id) {
  Session session;
  OwningOpRef<ModuleOp> module = ::tile::build(session.context, requestOf(id));
  if (!module)
    return session.errors;
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

} // namespace tilec::fuzz
