//===- Options.h - the command line of tilec ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TOOLS_TILEC_OPTIONS_H
#define TILEC_TOOLS_TILEC_OPTIONS_H

#include "tile/dsl/Build.h"
#include "tilec/Pipeline/Compile.h"

namespace tilec {

/// What `--emit` asks for: a language of the pipeline, or files for a build system.
enum class Output { Stage, Object, Header, Library };

struct DriverOptions {
  std::string input; // a registered kernel, a source, or a file of any saved stage
  ::tile::BuildRequest request;
  CompileOptions compile;
  Output output = Output::Stage;
  std::string outputFile;
  std::string symbol; // that the kernel of --emit=library must have; empty: any
  std::string name; // of the files of --emit=library, and of a launcher; empty: the kernel's symbol
  bool list = false, json = false, report = false, printLayouts = false, printSharedMap = false,
       printSchedule = false;

  /// The input is a saved stage after MLIR.
  bool isText() const {
    return llvm::StringRef(input).ends_with(".ll") || llvm::StringRef(input).ends_with(".ptx");
  }
  /// The output is machine code, which is for files, and no file is named.
  bool outputUnwanted() const {
    bool binary =
        output == Output::Object || (output == Output::Stage && compile.until == Stage::Cubin);
    return binary && outputFile == "-";
  }
  /// Nothing after the inspections is asked for.
  bool inspectOnly() const {
    return outputUnwanted() && (printLayouts || printSharedMap || printSchedule) && !report &&
           compile.saveStages.empty();
  }
};

/// Reads the command line; on bad arguments prints one message and returns nothing.
std::optional<DriverOptions> parseCommandLine(int argc, char **argv);

/// `--list`: kernels, element types, configuration fields.
void listKernels(llvm::raw_ostream &os, bool json);
/// `--report`: resources, notices, time per phase.
void printReport(llvm::raw_ostream &os, const CompileResult &result);
/// `--print-layouts`: each line that makes fragments, and their layout.
void printLayouts(llvm::raw_ostream &os, mlir::ModuleOp module);
/// `--print-shared-map`: byte ranges of the shared tiles.
void printSharedMap(llvm::raw_ostream &os, mlir::ModuleOp module);
/// `--print-schedule`: the roles of a kernel at work, or why it has none.
mlir::LogicalResult printSchedule(llvm::raw_ostream &os, mlir::ModuleOp module,
                                  const CompileOptions &options);
/// `schedule.svg` among the saved stages of a kernel that has roles.
mlir::LogicalResult saveSchedule(mlir::ModuleOp module, const CompileOptions &options);
/// `--emit=library`: cubin, launcher header, assembly and object that embed the cubin, and host
/// object, as DIR/NAME{.cubin,.h,.S,_image.o,.o}. Compiles `module` for both targets.
mlir::LogicalResult writeLibraryFiles(mlir::ModuleOp module, const DriverOptions &options);
/// Writes `text` to `path`, "-" meaning standard output.
mlir::LogicalResult writeFile(mlir::Location location, llvm::StringRef path, llvm::StringRef text);

} // namespace tilec

#endif // TILEC_TOOLS_TILEC_OPTIONS_H
