//===- BlockSparse.cpp - chooses the block-sparse kernel for a call ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Three ways: each block of queries by itself; with workspace, neighbouring blocks in pairs, by
// lists made on the device; and heads in pairs where a group of them has one list.

#include "tile/Attention.h"

#include "AttentionEntry.h"

#include <algorithm>
#include <array>

using namespace tile;
using kernels::AttentionEntry;

namespace {
constexpr const char *operation = "block_sparse_attention";
using Entries = std::vector<AttentionEntry>;

Status fail(const Status &status) {
  return Status::error(std::string(operation) + ": " + status.message());
}

std::string describe(DType dtype, int64_t headDim, int64_t valueDim, int64_t queryBlock,
                     int64_t keyBlock, bool causal) {
  return std::string(name(dtype)) + " with head_dim " + std::to_string(headDim) + ", value_dim " +
         std::to_string(valueDim) + ", blocks of " + std::to_string(queryBlock) + " queries by " +
         std::to_string(keyBlock) + " keys" + (causal ? ", causal" : ", not causal");
}

const AttentionEntry *find(const Entries &entries, const Tensor &q, const Tensor &v,
                           const BlockSparseOptions &options) {
  for (const AttentionEntry &entry : entries)
    if (entry.dtype == q.dtype && entry.headDim == q.shape[3] && entry.valueDim == v.shape[3] &&
        entry.queryBlock == options.queryBlock && entry.keyBlock == options.keyBlock &&
        entry.causal == options.causal)
      return &entry;
  return nullptr;
}

/// `what` is added to what was asked for.
Result<const AttentionEntry *> choose(const Entries &entries, const BlockSparseTensors &tensors,
                                      const BlockSparseOptions &options, const char *what = "") {
  const Tensor &q = tensors.q, &v = tensors.v;
  if (Status status = kernels::checkRank("q", q, {"batch", "heads", "q_len", "head_dim"});
      !status.ok())
    return status;
  if (Status status = kernels::checkRank("v", v, {"batch", "kv_heads", "kv_len", "value_dim"});
      !status.ok())
    return status;
  if (const AttentionEntry *entry = find(entries, q, v, options))
    return entry;
  std::string present;
  for (const AttentionEntry &entry : entries)
    present +=
        (present.empty() ? "" : "; ") + describe(entry.dtype, entry.headDim, entry.valueDim,
                                                 entry.queryBlock, entry.keyBlock, entry.causal);
  return kernels::noKernel(describe(q.dtype, q.shape[3], v.shape[3], options.queryBlock,
                                    options.keyBlock, options.causal) +
                               what,
                           present);
}

Result<const AttentionEntry *> chooseSingle(const BlockSparseTensors &tensors,
                                            const BlockSparseOptions &options) {
  static const Entries &entries = *kernels::attentionEntries("block_sparse_forward");
  return choose(entries, tensors, options);
}

//===----------------------------------------------------------------------===//
// A list for each group of heads
//===----------------------------------------------------------------------===//

/// The lists have an entry for each key head, and query heads are more.
bool isGrouped(const BlockSparseTensors &tensors) {
  return tensors.blockIndex.rank == 4 && tensors.q.rank == 4 && tensors.k.rank == 4 &&
         tensors.blockIndex.shape[1] == tensors.k.shape[1] &&
         tensors.blockIndex.shape[1] != tensors.q.shape[1];
}

Result<const AttentionEntry *> chooseGroup(const BlockSparseTensors &tensors,
                                           const BlockSparseOptions &options) {
  static const Entries &entries = *kernels::attentionEntries("group_forward");
  int64_t heads = tensors.q.shape[1], groups = tensors.k.shape[1];
  if (groups == 0 || heads % (2 * groups) != 0)
    return Status::error("argument 'block_index': expected lists of " + std::to_string(heads) +
                         " heads, or an even number of heads for each of " +
                         std::to_string(groups) + " lists, found " +
                         shapeText(tensors.blockIndex.extents()));
  return choose(entries, tensors, options, ", a list for each group of heads");
}

//===----------------------------------------------------------------------===//
// Blocks of queries in pairs
//===----------------------------------------------------------------------===//

/// Two kernels, and what lies between them.
struct Pairs {
  const AttentionEntry *attend = nullptr; // null: no pairs for this call
  const kernels::Variant *prepare = nullptr;
  std::array<int64_t, 4> count = {}; // shapes in the workspace
  std::array<int64_t, 5> index = {};
  int64_t keyBlocks = 0;

  int64_t countBytes() const { return padded(count[0] * count[1] * count[2] * count[3]); }
  int64_t bytes() const {
    return countBytes() + padded(index[0] * index[1] * index[2] * index[3] * index[4]);
  }
  /// Of i32, in whole lines of 16 bytes.
  static int64_t padded(int64_t elements) { return (elements * 4 + 15) / 16 * 16; }
};

struct ListsEntry {
  kernels::Variant variant;
  int64_t entries, keyBlocks;
};

std::vector<ListsEntry> *listsEntries() {
  auto *made = new std::vector<ListsEntry>;
  for (kernels::Variant &variant : kernels::variantsOf("pair_lists")) {
    int64_t entries = variant.config("entries"), keyBlocks = variant.config("most");
    made->push_back({std::move(variant), entries, keyBlocks});
  }
  return made;
}

/// The smallest kernel for lists of so many entries; null if there is none.
const kernels::Variant *findLists(int64_t entries, int64_t keyBlocks) {
  static const std::vector<ListsEntry> &list = *listsEntries();
  const ListsEntry *found = nullptr;
  for (const ListsEntry &entry : list)
    if (entry.entries >= entries && entry.keyBlocks >= keyBlocks &&
        (!found || entry.entries + entry.keyBlocks < found->entries + found->keyBlocks))
      found = &entry;
  return found ? &found->variant : nullptr;
}

Pairs findPairs(const BlockSparseTensors &tensors, const BlockSparseOptions &options) {
  static const Entries &entries = *kernels::attentionEntries("paired_forward");
  Pairs pairs;
  const Tensor &q = tensors.q, &v = tensors.v, &lists = tensors.blockIndex;
  if (lists.rank != 4) // the launcher says so
    return pairs;
  const AttentionEntry *attend = find(entries, q, v, options);
  if (!attend)
    return pairs;
  int64_t both = 2 * options.queryBlock, most = lists.shape[3];
  pairs.keyBlocks = (v.shape[2] + options.keyBlock - 1) / options.keyBlock;
  pairs.prepare = findLists(most, pairs.keyBlocks);
  if (!pairs.prepare)
    return pairs;
  int64_t number = (q.shape[2] + both - 1) / both;
  pairs.count = {q.shape[0], q.shape[1], number, 2};
  pairs.index = {q.shape[0], q.shape[1], number, 2, most};
  pairs.attend = attend;
  return pairs;
}

/// The workspace is as large as `bytes`, on the device, and no other tensor's memory.
Status check(const Tensor &workspace, int64_t bytes, Device device,
             const BlockSparseTensors &tensors) {
  if (Status status = kernels::checkWorkspace(workspace, bytes); !status.ok())
    return status;
  if (workspace.device != device)
    return Status::error("argument 'workspace': expected memory of " + std::string(name(device)) +
                         ", found " + name(workspace.device));
  auto begin = reinterpret_cast<uintptr_t>(workspace.data), end = begin + bytes;
  const std::pair<const char *, const Tensor *> others[] = {{"q", &tensors.q},
                                                            {"k", &tensors.k},
                                                            {"v", &tensors.v},
                                                            {"block_count", &tensors.blockCount},
                                                            {"block_index", &tensors.blockIndex},
                                                            {"o", &tensors.o},
                                                            {"lse", &tensors.lse}};
  for (auto [name, other] : others) {
    if (other->empty())
      continue;
    int64_t last = 0;
    for (int axis = 0; axis < other->rank && axis < maxRank; ++axis)
      last += (other->shape[axis] - 1) * other->strides[axis];
    auto otherBegin = reinterpret_cast<uintptr_t>(other->data);
    if (otherBegin < end && begin < otherBegin + (last + 1) * byteSize(other->dtype))
      return Status::error("argument 'workspace': expected memory of its own, since the kernel "
                           "writes it, found an overlap with '" +
                           std::string(name) + "'");
  }
  return {};
}

/// There is a list for each block of queries, so that the kernels see whatever else is wrong.
bool hasEveryList(const BlockSparseTensors &tensors, const BlockSparseOptions &options) {
  int64_t blocks = (tensors.q.shape[2] + options.queryBlock - 1) / options.queryBlock;
  return tensors.blockCount.rank == 3 && tensors.blockCount.shape[2] == blocks &&
         tensors.blockIndex.shape[2] == blocks;
}

/// `single` is the kernel that takes the caller's tensors as they are, with `given`: it says best
/// what is wrong with them. Nothing is launched if anything is.
Status runPairs(const Pairs &pairs, Stream stream, const BlockSparseTensors &tensors,
                const BlockSparseOptions &options, const Tensor &workspace,
                const kernels::Variant &single, std::span<const Arg> given) {
  auto explain = [&](const Status &status) {
    Status better = single.check(operation, stream, given);
    return better.ok() ? status : better;
  };
  if (!hasEveryList(tensors, options))
    return explain(Status());
  if (Status status = check(workspace, pairs.bytes(), stream.device(), tensors); !status.ok())
    return explain(fail(status));
  auto *memory = static_cast<uint8_t *>(workspace.data);
  Tensor count(memory, DType::i32, pairs.count, workspace.device);
  Tensor index(memory + pairs.countBytes(), DType::i32, pairs.index, workspace.device);
  const Arg lists[] = {tensors.blockCount, tensors.blockIndex, count, index,
                       Arg::integer(DType::i32, pairs.keyBlocks)};
  const Arg args[] = {tensors.q, tensors.k, tensors.v,   count,
                      index,     tensors.o, tensors.lse, given.back()};
  const kernels::Variant &attend = pairs.attend->variant;
  Status status = attend.check(operation, stream, args);
  if (status.ok())
    status = pairs.prepare->launch(operation, stream, lists);
  return status.ok() ? attend.launch(operation, stream, args) : explain(status);
}
} // namespace

Result<int64_t> tile::blockSparseAttentionWorkspace(const BlockSparseTensors &tensors,
                                                    const BlockSparseOptions &options) {
  bool grouped = isGrouped(tensors);
  auto entry = grouped ? chooseGroup(tensors, options) : chooseSingle(tensors, options);
  if (!entry.ok())
    return fail(entry.status());
  if (grouped)
    return int64_t(0);
  Pairs pairs = findPairs(tensors, options);
  return pairs.attend ? pairs.bytes() : int64_t(0);
}

Status tile::blockSparseAttention(Stream stream, const BlockSparseTensors &tensors,
                                  const BlockSparseOptions &options, const Tensor &workspace) {
  bool grouped = isGrouped(tensors);
  auto entry = grouped ? chooseGroup(tensors, options) : chooseSingle(tensors, options);
  if (!entry.ok())
    return fail(entry.status());
  const Arg args[] = {
      tensors.q,          tensors.k, tensors.v,   tensors.blockCount,
      tensors.blockIndex, tensors.o, tensors.lse, (*entry)->scaleFactor(options.scale)};
  const kernels::Variant &variant = (*entry)->variant;
  if (!grouped && workspace.rank != 0)
    if (Pairs pairs = findPairs(tensors, options); pairs.attend)
      return runPairs(pairs, stream, tensors, options, workspace, variant, args);
  return variant.launch(operation, stream, args);
}
