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

#endif // TILEC_SM_ATTRS_TD
