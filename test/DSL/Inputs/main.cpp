//===- main.cpp - prints the IR of the kernels linked with it -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/KernelList.h"

int main(int argc, char **argv) { return tile::emitMain(argc, argv); }
