//===- Lowering.h - what the files of convert-tile-to-sm share --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A fragment becomes a vector of its registers. Its coordinates are a part that depends on the
// thread (computed once per operation) plus a part that depends on the register alone (a constant):
// addresses and bounds are built from the two parts, so most registers cost an immediate offset.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_LOWERING_H
#define TILEC_LIB_CONVERSION_TILETOSM_LOWERING_H

#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/MapVector.h"

namespace tilec::to_sm {
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Location;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::Type;
using mlir::Value;

/// Integer arithmetic with constants folded, at one place and location.
class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value constant(Type type, int64_t value) const;
  Value i32(int64_t value) const;
  Value i64(int64_t value) const;
  Value add(Value a, Value b) const;
  Value add(Value a, int64_t b) const;
  Value sub(Value a, Value b) const;
  Value mul(Value a, Value b) const;
  Value mul(Value a, int64_t b) const;
  /// Unsigned quotient and remainder; a power of two becomes a shift or a mask.
  Value div(Value a, int64_t b) const;
  Value rem(Value a, int64_t b) const;
  Value shiftLeft(Value a, int64_t bits) const;
  Value shiftRight(Value a, int64_t bits) const;
  Value bitAnd(Value a, Value b) const;
  Value bitAnd(Value a, int64_t b) const;
  Value bitOr(Value a, Value b) const;
  Value bitXor(Value a, Value b) const;
  Value bitXor(Value a, int64_t b) const;
  Value min(Value a, Value b) const; // signed
  Value max(Value a, Value b) const; // signed
  Value compare(mlir::arith::CmpIPredicate predicate, Value a, Value b) const;
  Value select(Value condition, Value a, Value b) const;
  /// i32 to i64; the value is not negative.
  Value widen(Value a) const;
  /// i64 to i32; the value fits.
  Value narrow(Value a) const;
  /// Both predicates; a null value is "always".
  Value both(Value a, Value b) const;

  mlir::OpBuilder &builder;
  Location loc;
};

/// What is known of a window's memory, from the operation that made it and the launch facts.
struct WindowFacts {
  int64_t contiguousAxis = -1; // axis of the window that runs over the tensor's last dimension
  int64_t alignment = 1;       // bytes that divide the window's start and all strides, at most 16
  int64_t boundMultiple = 1;   // elements that divide where the window starts and ends being there
};

/// What is known of a slice of a shared tile: the whole tile, and per axis what is added up to
/// where the slice starts (i64), and what divides the sum (0 is divided by everything).
struct SliceFacts {
  mlir::tile::SharedType whole;
  SmallVector<SmallVector<Value, 1>> offsets;
  SmallVector<int64_t> multiples;
};

/// A ring of slots: where it is, and how it is released.
struct ChannelPlace {
  int64_t slots = 0, barriers = 0; // bytes into shared memory
  int64_t stages = 1;
  bool byWarps = false; // every consumer warp releases a slot, otherwise one thread per warpgroup
  int64_t copiers = 0;  // threads that fill a slot by cp.async and say so; 0: TMA fills it
  bool posted = false;  // the producer's thread writes a number
};

/// What a role-split kernel adds (../PipeToSM).
struct PipeState {
  llvm::MapVector<Operation *, ChannelPlace> channels;
  bool hasTurns = false;
  bool hasItems = false;     // the roles loop over work items
  int64_t producerLoops = 0; // of one item
  bool threadsCopy = false;  // all threads of the producer run its code
  /// Operations of the producer that one thread runs: no exchange between lanes.
  llvm::DenseSet<Operation *> singleThreaded;
  /// Gathers whose rows are 0, 1, 2, ...
  llvm::DenseSet<Operation *> inOrder;
  /// Of a product in flight: the A registers that are still read, and the accumulators of its
  /// chains.
  llvm::DenseMap<Value, SmallVector<Value>> wordsInFlight, chainsInFlight;
};

/// What the patterns of one kernel share.
struct KernelState {
  int64_t numWarps = 4;      // of the consumers, on a role-split kernel
  int64_t producerWarps = 0; // behind them
  int64_t ctasPerSM = 1;
  Value thread, lane, cta, sharedBase; // defined at the kernel's entry
  Value ctaWarp;                       // the warp in the CTA
  Value warp; // the same, or, where the producer's threads copy, the warp in its role
  // Set by the kernel's pattern:
  llvm::StringMap<Value> dims;            // launch-time dimensions
  SmallVector<SmallVector<Value>> params; // the kernel's parameters, each as its flat arguments
  SmallVector<Value> tensorMaps;          // in the order of `maps` in `tile.launch`
  llvm::DenseMap<Operation *, WindowFacts> facts; // of each operation that accesses a window
  llvm::DenseMap<Value, SliceFacts> slices;       // of each handle that is one
  PipeState pipe;

  int64_t numThreads() const { return 32 * numWarps; }
};

/// Finds the facts of every access in the kernel.
void collectWindowFacts(mlir::tile::KernelOp kernel, KernelState &state);

/// Finds where every slice of a shared tile starts.
void collectSlices(mlir::tile::KernelOp kernel, KernelState &state);

/// fragment -> vector of registers, shared tile -> i32 address, global tensor and window -> several
/// values.
class TileTypeConverter : public mlir::TypeConverter {
public:
  TileTypeConverter();
};

/// A pattern that knows its kernel.
template <typename Op> class TilePattern : public mlir::OpConversionPattern<Op> {
public:
  TilePattern(const mlir::TypeConverter &types, mlir::MLIRContext *context,
              const KernelState &state)
      : mlir::OpConversionPattern<Op>(types, context), state(state) {}

protected:
  const KernelState &state;
};

inline FragmentLayout layoutOf(Type type) {
  auto tensor = llvm::cast<mlir::RankedTensorType>(type);
  return llvm::cast<mlir::tile::FragAttr>(tensor.getEncoding()).getLayout();
}
/// How an element lies in memory: i1 as a byte, everything else as itself.
Type storageType(Type element);
int64_t storageBytes(Type element);
/// Elements [first, first + count) of a vector.
Value slice(Emitter e, Value vector, int64_t first, int64_t count);
/// The vectors one after the other.
Value concatenate(Emitter e, ArrayRef<Value> vectors);
/// Builds `vector[i] = source[table[i]]`; -1 takes element 0.
Value permute(Emitter e, Value source, ArrayRef<int64_t> table);

/// The scalar (of any type) of another lane.
Value shuffle(Emitter e, mlir::sm::ShuffleMode mode, Value value, Value lane);
/// Of the lane whose number differs in the bits of `distance`.
Value shuffleXor(Emitter e, Value value, int64_t distance);

void populateKernelPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                            KernelState &state);
void populateWindowPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                            KernelState &state);
void populateCopyPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                          KernelState &state);
void populateLoadPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                          KernelState &state);
void populateStorePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                           KernelState &state);
void populateGatherPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                            KernelState &state);
void populateScalarPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                            KernelState &state);
void populateGemmPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                          KernelState &state);
void populateAtomicPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                            KernelState &state);
void populateScanPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                          KernelState &state);
void populateReducePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                            KernelState &state);
void populateShapePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                           KernelState &state);
void populateReshapePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                             KernelState &state);
void populateSlicePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                           KernelState &state);
void populateConvertLayoutPatterns(mlir::RewritePatternSet &patterns,
                                   const mlir::TypeConverter &types, KernelState &state);
void populateDebugPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                           KernelState &state);
/// Channels, cursors and accumulators in flight.
void addPipeConversions(mlir::TypeConverter &types);
/// Reads the channels' places; fails where they have none.
LogicalResult collectPipe(mlir::tile::KernelOp kernel, KernelState &state);
void populatePipePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                          KernelState &state);
/// True for the approximate functions that become `sm` operations.
bool isApproximated(Operation *op);
void populateElementwisePatterns(mlir::RewritePatternSet &patterns,
                                 const mlir::TypeConverter &types);
void populateCastPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types);

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_LOWERING_H
