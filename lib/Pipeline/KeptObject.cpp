//===- KeptObject.cpp - a source that was compiled before -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "KeptObject.h"

#include "tilec/Target/Reuse.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilec;

KeptObject::KeptObject(StringRef folder, StringRef source, ArrayRef<StringRef> command) {
  SmallString<128> where(source), path(folder);
  sys::fs::make_absolute(where);
  sys::path::append(path, sys::path::stem(source) + "-" + hashOf({where}).substr(0, 16));
  object = (path + ".so").str();
  list = (path + ".list").str();
  // The compiler comes first.
  this->command = fileState(command.front()) + "\n" + join(command, "\n");
}

/// Of the object itself too: the list may be that of another process's object.
std::string KeptObject::keyOf(ArrayRef<std::string> files) const {
  std::string all = command + "\n" + fileState(object);
  for (const std::string &file : files)
    all += "\n" + fileState(file);
  return hashOf({all});
}

/// The list is a key, then the files that it was made of, a line each.
std::string KeptObject::find() const {
  auto buffer = MemoryBuffer::getFile(list);
  if (!buffer || !sys::fs::exists(object))
    return {};
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.empty())
    return {};
  std::vector<std::string> files(lines.begin() + 1, lines.end());
  return keyOf(files) == lines.front() ? object : std::string();
}

/// The files of a rule of make: "kernels.so: a.cpp \<newline> b.h".
static std::vector<std::string> filesOf(StringRef rule) {
  std::vector<std::string> files;
  std::string file;
  rule = rule.split(": ").second;
  for (size_t i = 0; i <= rule.size(); ++i) {
    if (i + 1 < rule.size() && rule[i] == '\\' && rule[i + 1] != '\n') {
      file += rule[++i]; // an escaped space
    } else if (i < rule.size() && rule[i] != '\\' && !isSpace(rule[i])) {
      file += rule[i];
    } else if (!file.empty()) {
      files.push_back(std::move(file));
      file.clear();
    }
  }
  return files;
}

std::string KeptObject::keep(StringRef compiled, StringRef dependencies) const {
  auto rule = MemoryBuffer::getFile(dependencies);
  if (!rule || sys::fs::rename(compiled, object))
    return compiled.str();
  std::vector<std::string> files = filesOf((*rule)->getBuffer());
  for (std::string &file : files) { // a later process may run elsewhere
    SmallString<128> path(file);
    sys::fs::make_absolute(path);
    file = path.str();
  }
  std::string text = keyOf(files) + "\n" + join(files, "\n") + "\n";
  // Without a list nothing is found later, and no harm is done.
  consumeError(writeToOutput(list, [&](raw_ostream &os) {
    os << text;
    return Error::success();
  }));
  return object;
}
