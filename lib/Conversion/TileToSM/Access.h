//===- Access.h - a fragment's registers against memory ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_ACCESS_H
#define TILEC_LIB_CONVERSION_TILETOSM_ACCESS_H

#include "Address.h"

namespace tilec::to_sm {

/// A tile in memory as one thread sees it, in one region.
class TileMemory {
public:
  virtual ~TileMemory() = default;
  virtual Value address(ArrayRef<int64_t> offset) = 0;
  virtual Value load(Type type, Value address) = 0;
  virtual void store(Value value, Value address) = 0;
  /// True if the element is there; null if always.
  virtual Value isThere(ArrayRef<int64_t> offset) { return bounds.at(offset); }
  /// True if vectors lie at any multiple of an element.
  virtual bool isSplit() const { return false; }

  Emitter e;

protected:
  TileMemory(Emitter e, Bounds bounds) : e(e), bounds(std::move(bounds)) {}
  Bounds bounds;
};

class SharedMemory : public TileMemory {
public:
  SharedMemory(Emitter e, const SharedView &view, ArrayRef<ThreadCoord> coords)
      : TileMemory(e, Bounds(e, view.extents, coords)), where(e, view, coords) {}
  Value address(ArrayRef<int64_t> offset) override { return where.at(offset); }
  Value load(Type type, Value address) override {
    return mlir::sm::LoadSharedOp::create(e.builder, e.loc, type, address);
  }
  void store(Value value, Value address) override {
    mlir::sm::StoreSharedOp::create(e.builder, e.loc, value, address);
  }

private:
  SharedAddress where;
};

class GlobalMemory : public TileMemory {
public:
  /// `inside`: all elements of the window are there. `split`: addresses are multiples of an
  /// element.
  GlobalMemory(Emitter e, const Window &window, const WindowFacts &facts, int64_t elementBytes,
               ArrayRef<int64_t> extents, ArrayRef<ThreadCoord> coords, bool inside,
               bool split = false)
      : TileMemory(e, inside ? Bounds(e, extents, coords) : Bounds(e, window, extents, coords)),
        where(e, window, facts.contiguousAxis, elementBytes, coords), split(split) {}
  Value address(ArrayRef<int64_t> offset) override { return where.at(offset); }
  bool isSplit() const override { return split; }
  Value load(Type type, Value address) override {
    return mlir::sm::LoadGlobalOp::create(e.builder, e.loc, type, address);
  }
  void store(Value value, Value address) override {
    mlir::sm::StoreGlobalOp::create(e.builder, e.loc, value, address);
  }

private:
  WindowAddress where;
  bool split;
};

/// Elements per access along `axis` (-1: one) in at most 16 bytes, so that none is half outside a
/// tile of these extents.
int64_t vectorLength(const FragmentLayout &layout, int64_t axis, int64_t elementBytes,
                     ArrayRef<int64_t> extents);

/// The same along the rows of a shared tile.
int64_t vectorLength(const FragmentLayout &layout, const SharedView &view);

/// Registers as branches yield them: narrow elements in whole words, which LLVM would otherwise
/// take apart and keep in a register each.
mlir::VectorType carriedType(mlir::VectorType type);
Value fromCarried(Emitter e, Value carried, mlir::VectorType type);

/// Reads all registers, `length` of them at once; what is not there becomes `pad`. Of
/// `carriedType`.
Value loadCarried(TileMemory &memory, const FragmentLayout &layout, mlir::VectorType type,
                  int64_t length, mlir::TypedAttr pad);
/// The same, as the registers themselves.
Value loadRegisters(TileMemory &memory, const FragmentLayout &layout, mlir::VectorType type,
                    int64_t length, mlir::TypedAttr pad);
/// Writes all registers, `length` of them at once, where they are there.
void storeRegisters(TileMemory &memory, const FragmentLayout &layout, Value value, int64_t length);

/// How a window is accessed: with vectors and without predicates where it is there completely, and
/// otherwise with predicates on vectors or, where the facts do not allow that, on elements.
struct AccessPlan {
  int64_t fastLength = 1, slowLength = 1;
  Value fast; // where the first is used; null: always
  bool hasFast = true, hasSlow = true;
};
/// `length` elements per vector at most, `accesses` of them. `complete`: what else has to hold for
/// all of it to be there (null: nothing).
AccessPlan planAccess(Emitter e, const Window &window, const WindowFacts &facts,
                      ArrayRef<int64_t> extents, int64_t elementBytes, int64_t length,
                      int64_t accesses, Value complete = {});

/// What `then` yields where the condition holds, and `otherwise` elsewhere.
SmallVector<Value> choose(Emitter e, Value condition, llvm::function_ref<SmallVector<Value>()> then,
                          llvm::function_ref<SmallVector<Value>()> otherwise);

/// A window that a fragment is read from or written to.
struct WindowTile {
  const Window &window;
  WindowFacts facts;
  int64_t bytes; // of an element
  ArrayRef<int64_t> extents;
};

/// One way to access it.
struct AccessWay {
  int64_t length = 1;  // elements per access
  bool inside = false; // all of the window is there
  bool split = false;  // vectors lie at any multiple of an element
};

/// Emits `access` in the ways of `plan`, each under the test that it needs, and returns what they
/// yield. A thread that holds a vector cut by the window's end goes element by element; the others
/// keep their vectors, split where rows start at odd addresses.
SmallVector<Value> accessWindow(Emitter e, const WindowTile &tile, const FragmentLayout &layout,
                                ArrayRef<ThreadCoord> coords, const AccessPlan &plan,
                                llvm::function_ref<SmallVector<Value>(AccessWay)> access);

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_ACCESS_H
