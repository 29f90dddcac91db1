//===- SMAttrs.td - enumerations of the `sm` dialect -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_ATTRS_TD
#define TILEC_SM_ATTRS_TD

include "tilec/Dialect/SM/IR/SMDialect.td"

def SM_ShuffleMode : I32EnumAttr<"ShuffleMode", "which lane a shuffle reads", [
    I32EnumAttrCase<"Xor", 0, "xor">, I32EnumAttrCase<"Idx", 1, "idx">,
    I32EnumAttrCase<"Up", 2, "up">, I32EnumAttrCase<"Down", 3, "down">]> {
  let cppNamespace = "::mlir::sm";
}

def SM_VoteMode : I32EnumAttr<"VoteMode", "how the lanes' predicates are combined", [
    I32EnumAttrCase<"Any", 0, "any">, I32EnumAttrCase<"All", 1, "all">]> {
  let cppNamespace = "::mlir::sm";
}

class SM_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::sm";
}

def SM_AtomicKind : SM_Enum<"AtomicKind", "what an atomic operation writes", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"UMax", 3, "umax">,
    I32EnumAttrCase<"UMin", 4, "umin">, I32EnumAttrCase<"And", 5, "and">,
    I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Exch", 7, "exch">,
    I32EnumAttrCase<"Cas", 8, "cas">, I32EnumAttrCase<"Inc", 9, "inc">]>;
def SM_MemoryOrder : SM_Enum<"MemoryOrder", "what an atomic operation or a fence orders", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">]>;
def SM_MemoryScope : SM_Enum<"MemoryScope", "among whom it orders", [
    I32EnumAttrCase<"Cta", 0, "cta">, I32EnumAttrCase<"Gpu", 1, "gpu">,
    I32EnumAttrCase<"System", 2, "sys">]>;

#endif // TILEC_SM_ATTRS_TD
