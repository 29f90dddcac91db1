//===- Pch.cpp - carrier of the precompiled header --------------------------===//
// SPDX-License-Identifier: Apache-2.0
