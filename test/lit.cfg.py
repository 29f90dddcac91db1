# lit configuration; `ninja check-tile-lit` passes the build folder.
import os
import shutil
import sys

import lit.formats

config.name = "tilec"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".cpp", ".test"]
config.test_source_root = os.path.dirname(__file__)
build = lit_config.params.get("build", os.path.join(config.test_source_root, "..", "build"))
build = os.path.abspath(build)
config.test_exec_root = os.path.join(build, "test")
config.excludes = ["Inputs", "unit", "integration", "kernels", "fuzz"]

llvm = lit_config.params.get("llvm", "/usr/lib/llvm-22")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), os.path.join(llvm, "bin"), config.environment["PATH"]]
)
for name in ("TILEC_PTXAS", "CUDA_HOME", "LD_LIBRARY_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

source = os.path.abspath(os.path.join(config.test_source_root, ".."))
config.substitutions += [
    ("%build", build),
    ("%source", source),
    ("%python", sys.executable),
    ("%dsl", os.path.join(source, "test", "DSL", "dsl-run.sh") + " " + build),
]

# Tests that assemble need ptxas; elsewhere they are unsupported, not failures.
places = [lit_config.params.get("ptxas"), os.environ.get("TILEC_PTXAS"), shutil.which("ptxas"), "/usr/local/cuda/bin/ptxas"]
found = [place for place in places if place and os.access(place, os.X_OK)]
if found:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", found[0]))
# So with the disassembler of a CUDA toolkit.
nvdisasm = shutil.which("nvdisasm", path=os.pathsep.join([os.environ["PATH"], "/usr/local/cuda/bin"]))
if nvdisasm:
    config.available_features.add("nvdisasm")
    config.substitutions.append(("%nvdisasm", nvdisasm))
