//===- TileToLinalg.h - a tile kernel as upstream dialects -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The passes of the host target. Order and the upstream passes between them: lib/Target/Host.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_CONVERSION_TILETOLINALG_H
#define TILEC_CONVERSION_TILETOLINALG_H

#include <memory>

namespace mlir {
class DialectRegistry;
class Pass;
} // namespace mlir

namespace tilec {

/// Name of the unit attribute on functions that run one CTA of a kernel (between
/// `convert-tile-to-linalg` and `host-entry`).
inline constexpr const char *hostCtaAttrName = "tilec.host_cta";
/// Of such a function: behind the launch dimensions it takes the number of CTAs; then a pointer to
/// a `tile::HostReport`.
inline constexpr const char *hostGridAttrName = "tilec.host_grid";
inline constexpr const char *hostReportAttrName = "tilec.host_report";

/// `convert-tile-to-linalg`: each `tile.kernel` becomes a private function that runs one CTA. Its
/// arguments are memrefs, scalars, the launch dimensions and the CTA's index. Fragments stay
/// tensors, shared tiles become allocations, windows loops over the part that is there.
std::unique_ptr<mlir::Pass> createConvertTileToLinalgPass();

/// `host-fuse-elementwise`: merges elementwise linalg ops on tensors, but never moves expensive
/// math from a smaller loop nest into a larger one. What is left of splat constants becomes fills.
std::unique_ptr<mlir::Pass> createHostFuseElementwisePass();

/// `host-matmul-loops`: f32 `linalg.matmul` on buffers becomes register-blocked vector loops.
std::unique_ptr<mlir::Pass> createHostMatmulLoopsPass();

/// `host-copy-loops`: copies between buffers that are not both contiguous become loops.
std::unique_ptr<mlir::Pass> createHostCopyLoopsPass();

/// `host-emulate-floats`: bf16 and fp8 arithmetic becomes f32 arithmetic, rounded after every
/// operation; fp8 conversions become integer operations.
std::unique_ptr<mlir::Pass> createHostEmulateFloatsPass();

/// `host-entry`: adds the function that a launcher calls, `NAME(void **params, i64 begin, i64
/// end)`, which unpacks the arguments and runs the CTAs begin to end - 1.
std::unique_ptr<mlir::Pass> createHostEntryPass();

/// `host-checks`: once control flow has no structure, assertions report to the launcher and leave
/// the function that runs their CTA.
std::unique_ptr<mlir::Pass> createHostChecksPass();

/// Makes the passes known to command lines, and the upstream one that stands between the first two.
void registerTileToLinalgPasses();

/// Every dialect and interface model that these passes and the upstream passes after them use.
void registerTileToLinalgDialects(mlir::DialectRegistry &registry);

} // namespace tilec

#endif // TILEC_CONVERSION_TILETOLINALG_H
