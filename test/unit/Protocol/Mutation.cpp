//===- Mutation.cpp - one mistake in a kernel, and who finds it -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Mutation.h"

#include "tilec/Protocol/Proof.h"

#include "gtest/gtest.h"

void tilec::test::expectFound(const Mutation &mutation) {
  KernelIR ir(mutation.kernel);
  if (mutation.changeIR)
    mutation.changeIR(ir);
  std::optional<protocol::Extraction> kernel = ir.extract();
  ASSERT_TRUE(kernel);
  if (mutation.changeProgram)
    mutation.changeProgram(kernel->program);
  std::vector<protocol::Fault> faults = protocol::prove(kernel->program);
  if (*mutation.proof) {
    ASSERT_FALSE(faults.empty());
    EXPECT_NE(faults.front().message.find(mutation.proof), std::string::npos) << faults.front().message;
  } else {
    EXPECT_TRUE(faults.empty()) << faults.front().message;
  }
  protocol::ModelResult model = protocol::exploreAll(kernel->program);
  EXPECT_EQ(static_cast<int>(model.verdict), static_cast<int>(mutation.model)) << model.message;
  EXPECT_EQ(model.trace.empty(), model.verdict == protocol::Verdict::Good);
}
