//===- AttentionCase.h - one call of an attention kernel and its check ----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_ATTENTIONCASE_H
#define TEST_KERNELS_ATTENTIONCASE_H

#include "Harness.h"
#include "Reference.h"

namespace tile::test {

/// Which key blocks a query block lists. No list names a block twice.
enum class Lists {
  none,    // counts 0
  one,     // one random block
  all,     // every block, ascending
  some,    // a random half, in random order
  invalid, // as `some`, with negative entries and entries past the end in between
  onlyInvalid,
};

/// How q, k, v and o lie in memory.
enum class Memory {
  packed,      // row-major [batch, heads, length, dim]
  padded,      // gaps after rows and heads
  interleaved, // [batch, length, heads, dim]
};

struct AttentionCase {
  int64_t batch = 1, kvHeads = 1, group = 2;
  int64_t qLen = 0, kvLen = 0;
  Lists lists = Lists::some;
  Memory memory = Memory::padded;
};

/// The tensors of one call, of which dense_forward takes no lists: it does what
/// block_sparse_forward does with `Lists::all`. The lists of paired_forward are made from the
/// others when it runs; group_forward has one for each key head, and an even group. Blocks that
/// nothing selects and everything outside the views is NaN.
class AttentionCall {
public:
  AttentionCall(const Variant &variant, const AttentionCase &given, Random &random);

  const AttentionShape &shape() const { return input.shape; }
  /// Row of q or o, by batch, head and position.
  int64_t queryRow(int64_t batch, int64_t head, int64_t row) const {
    return (batch * shape().heads + head) * shape().qLen + row;
  }

  Status run();
  /// Compares o and lse with the reference.
  Status check();
  Status runAndCheck();
  /// Runs with a query of NaN: compares its row with NaN, all others with what o and lse were
  /// before.
  Status checkNaNInRow(int64_t row);
  /// Keys whose scores change from block to block by a step of each query's own, in base 2: maxima
  /// climb and fall, by less than `OnlineSoftmax` lets them lag, by just that and by more.
  void climb(Random &random);
  /// Scores of keys from `first` on overflow to -inf, so that they weigh nothing though no mask
  /// hides them. With `farBelow` those of the other keys lie so far below 0 that f32 holds none of
  /// their exponentials.
  void overflowFrom(int64_t first, bool farBelow);
  /// Sets the rows of unselected key blocks to NaN. Called by the constructor; again after a test
  /// has written k or v.
  void poisonUnselected();

  Variant variant;
  GuardedTensor q, k, v, blockCount, blockIndex, o, lse;
  float scale;
  AttentionInput input; // values are those of the tensors at check()

private:
  AttentionCall(const Variant &variant, const AttentionCase &given, const AttentionShape &shape,
                Random &random);
  Status runPaired();
  void readLists();
  void fillLists(Lists lists, Random &random);
};

/// "q_len 65, kv_len 129, ..." for SCOPED_TRACE.
std::string describe(const AttentionCase &given);

class AttentionKernelTest : public KernelTest {
protected:
  /// Makes the call with random values and compares its results with the reference.
  void check(const AttentionCase &given) {
    SCOPED_TRACE(describe(given));
    EXPECT_OK(AttentionCall(variant(), given, random).runAndCheck());
  }
};

} // namespace tile::test

#endif // TEST_KERNELS_ATTENTIONCASE_H
