//===- Reshape.h - layouts of tiles whose axes are split, joined, reordered -===//
// SPDX-License-Identifier: Apache-2.0
//
// Each function answers: if a tile has this layout, which layout lets every element of the reshaped
// tile stay in its thread? Taking the accumulator of wgmma apart into pairs, for example, renames
// bit 0 of the register: column c becomes (c / 2, c % 2), and both halves of a pair are in one
// thread. Nothing is returned where no layout of our form does that; the tile then has to be
// converted first.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LAYOUT_RESHAPE_H
#define TILEC_LAYOUT_RESHAPE_H

#include "tilec/Layout/FragmentLayout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilec {

/// Axis `axis` of outer * inner elements becomes axes `axis` (of outer) and `axis + 1` (of inner):
/// element i is (i / inner, i % inner). Registers keep their numbers. Nothing where a step of the
/// layout crosses a multiple of `inner`.
std::optional<FragmentLayout> splitAxis(const FragmentLayout &layout, int axis, int64_t outer,
                                        int64_t inner);

/// The inverse: axes `axis` and `axis + 1` become one, (i, j) becomes i * inner + j. Registers may
/// change their numbers. Nothing where the inner axis has padding, or where warps or lanes move
/// along the joined axis in another order than layouts have.
std::optional<FragmentLayout> joinAxes(const FragmentLayout &layout, int axis, int64_t outer,
                                       int64_t inner);

/// Axis k of the result is axis `dims[k]` of the source. Always there; registers keep their
/// numbers.
FragmentLayout permuteAxes(const FragmentLayout &layout, llvm::ArrayRef<int64_t> dims);

/// The layout of the elements at one position of `axis`. Nothing if lanes or warps move along it:
/// then only some threads have them.
std::optional<FragmentLayout> takeAxis(const FragmentLayout &layout, int axis);

/// Tiles of this layout beside each other along a new axis `axis`, in registers. takeAxis() of it
/// is `layout` again.
FragmentLayout stackAxis(const FragmentLayout &layout, int axis, int64_t count);

/// The register of `from` that each register of `to` takes, the same in every thread; -1 for
/// padding. `shape` is the result's, and `source` gives the coordinates in the source of an element
/// of the result. Nothing if some thread would need what another one has.
std::optional<llvm::SmallVector<int64_t>>
registerSources(const FragmentLayout &from, const FragmentLayout &to, llvm::ArrayRef<int64_t> shape,
                llvm::function_ref<Coord(llvm::ArrayRef<int64_t>)> source);

} // namespace tilec

#endif // TILEC_LAYOUT_RESHAPE_H
