//===- ReuseTest.cpp - kept machine code is found whole or not at all -----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Target/Reuse.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace mlir;
using namespace tilec;

namespace {
class ReuseTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilec-reuse", path));
    store = {(path + "/kept").str(), "command"};
    folder = path.str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  LogicalResult keep(llvm::StringRef key, const KeptCode &code) {
    return store.keep("kernel", key, code, UnknownLoc::get(&context));
  }
  std::string file() const { return store.folder + "/kernel"; }
  std::string bytes() const {
    std::ifstream stream(file(), std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  void write(const std::string &text) const { std::ofstream(file(), std::ios::binary) << text; }

  MLIRContext context;
  std::string folder;
  Reuse store;
};

const KeptCode code = {std::string("code\nwith \0 in it", 17), "a log\n12 registers\n"};
} // namespace

TEST_F(ReuseTest, FindsWhatWasKept) {
  std::string key = store.key({"text", "options"}, "");
  ASSERT_FALSE(key.empty());
  EXPECT_FALSE(store.find("kernel", key));
  ASSERT_TRUE(succeeded(keep(key, code)));
  auto found = store.find("kernel", key);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->code, code.code);
  EXPECT_EQ(found->log, code.log);
  EXPECT_FALSE(store.find("kernel", store.key({"text", "other options"}, "")));
  EXPECT_FALSE(store.find("another", key));
}

TEST_F(ReuseTest, ADamagedFileIsNotFound) {
  std::string key = store.key({"text"}, "");
  ASSERT_TRUE(succeeded(keep(key, code)));
  std::string whole = bytes();
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] ^= 1;
    write(changed);
    EXPECT_FALSE(store.find("kernel", key)) << "byte " << i;
    write(whole.substr(0, i));
    EXPECT_FALSE(store.find("kernel", key)) << "only " << i << " bytes";
  }
  write(whole + "x");
  EXPECT_FALSE(store.find("kernel", key));
  write(whole);
  EXPECT_TRUE(store.find("kernel", key));
}

TEST_F(ReuseTest, KeysSeeBordersProgramsAndCommandLines) {
  std::string key = store.key({"ab", "c"}, "");
  EXPECT_EQ(key, store.key({"ab", "c"}, ""));
  EXPECT_NE(key, store.key({"a", "bc"}, ""));
  EXPECT_NE(key, store.key({"ab", "c", ""}, ""));
  EXPECT_NE(key, (Reuse{store.folder, "another"}.key({"ab", "c"}, "")));

  std::string program = folder + "/program";
  EXPECT_EQ(store.key({"ab", "c"}, program), "") << "no such program";
  std::ofstream(program) << "one";
  std::string withProgram = store.key({"ab", "c"}, program);
  EXPECT_NE(withProgram, key);
  EXPECT_EQ(withProgram, store.key({"ab", "c"}, program));
  std::ofstream(program) << "other";
  EXPECT_NE(withProgram, store.key({"ab", "c"}, program));
}

TEST_F(ReuseTest, WithoutAKeyOrAFolderNothingIsKept) {
  EXPECT_TRUE(succeeded(keep("", code)));
  EXPECT_FALSE(llvm::sys::fs::exists(store.folder));
  EXPECT_FALSE(store.find("kernel", ""));
  store.folder = "";
  EXPECT_FALSE(store);
  EXPECT_TRUE(succeeded(keep("key", code)));
  EXPECT_FALSE(store.find("kernel", "key"));
}

TEST_F(ReuseTest, AFolderThatCannotBeMadeIsAnError) {
  std::ofstream(folder + "/file") << "in the way";
  store.folder = folder + "/file/kept";
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(keep("key", code)));
  EXPECT_TRUE(llvm::StringRef(message).starts_with("cannot write '")) << message;
}
