//===- Npy.cpp - NumPy's array files --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include <cstring>
#include <fstream>
#include <iterator>

using tile::DType;
using tile::Result;
using tile::Status;

namespace tilerun {

namespace {
constexpr char magic[] = "\x93NUMPY";
constexpr size_t magicSize = 6;

/// Value of `key` in the header, a Python dictionary: the text up to the closing quote or
/// parenthesis, or up to the next comma.
std::string headerValue(const std::string &header, const std::string &key) {
  size_t at = header.find("'" + key + "'");
  if (at == std::string::npos || (at = header.find(':', at)) == std::string::npos)
    return "";
  at = header.find_first_not_of(' ', at + 1);
  if (at == std::string::npos)
    return "";
  if (header[at] == '\'' || header[at] == '(') {
    size_t end = header.find(header[at] == '(' ? ')' : '\'', at + 1);
    return header.substr(at + 1, end == std::string::npos ? end : end - at - 1);
  }
  return header.substr(at, header.find_first_of(",}", at) - at);
}

/// "2, 3" or "2," or "". Nothing if it is anything else.
std::optional<std::vector<int64_t>> parseShape(const std::string &text) {
  std::vector<int64_t> shape;
  const char *at = text.c_str();
  while (true) {
    at += std::strspn(at, " ,");
    if (!*at)
      return shape;
    char *end = nullptr;
    int64_t extent = std::strtoll(at, &end, 10);
    if (end == at || extent < 0)
      return std::nullopt;
    shape.push_back(extent);
    at = end;
  }
}

/// Bytes per element of a little-endian number, 0 for anything else.
int64_t elementBytes(const std::string &descr) {
  if (descr.size() != 3 || !std::strchr("<|=", descr[0]) || !std::strchr("fiub", descr[1]) ||
      !std::strchr("1248", descr[2]))
    return 0;
  return descr[2] - '0';
}

/// Nothing if the product does not fit.
std::optional<int64_t> byteCount(const std::vector<int64_t> &shape, int64_t bytes) {
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return std::nullopt;
  return bytes;
}
} // namespace

Result<NpyArray> readNpy(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Status::error("cannot open '" + path + "'");
  std::vector<char> content((std::istreambuf_iterator<char>(file)),
                            std::istreambuf_iterator<char>());
  if (content.size() < 12 || std::memcmp(content.data(), magic, magicSize) != 0)
    return Status::error("'" + path + "' is not an .npy file");
  // Version 1 has a header length of two bytes, later ones of four.
  size_t lengthBytes = content[magicSize] == 1 ? 2 : 4, length = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= static_cast<size_t>(static_cast<unsigned char>(content[8 + i])) << (8 * i);
  size_t begin = 8 + lengthBytes + length;
  if (begin > content.size())
    return Status::error("'" + path + "' ends within its header");
  std::string header(content.data() + 8 + lengthBytes, length);

  NpyArray array;
  array.descr = headerValue(header, "descr");
  int64_t bytes = elementBytes(array.descr);
  auto shape = parseShape(headerValue(header, "shape"));
  if (bytes == 0 || !shape)
    return Status::error("'" + path + "': expected little-endian numbers, found the header " +
                         header.substr(0, header.find('\n')));
  array.shape = *shape;
  if (headerValue(header, "fortran_order") != "False")
    return Status::error("'" + path +
                         "': expected row-major order, found Fortran order; save "
                         "numpy.ascontiguousarray(x)");
  auto expected = byteCount(array.shape, bytes);
  if (!expected || static_cast<size_t>(*expected) != content.size() - begin)
    return Status::error("'" + path + "': expected the elements of " +
                         tile::shapeText(array.shape) + ", found " +
                         std::to_string(content.size() - begin) + " bytes");
  array.data.assign(content.begin() + static_cast<std::ptrdiff_t>(begin), content.end());
  return array;
}

Status writeNpy(const std::string &path, const NpyArray &array) {
  std::string header = "{'descr': '" + array.descr + "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    header += std::to_string(extent) + ", ";
  header += "), }";
  // The elements start at a multiple of 64 bytes; the header ends in a newline.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file.write(magic, magicSize);
  file.put(1).put(0);
  file.put(static_cast<char>(header.size() & 255)).put(static_cast<char>(header.size() >> 8));
  file << header;
  file.write(array.data.data(), static_cast<std::streamsize>(array.data.size()));
  file.flush();
  return file ? Status() : Status::error("cannot write '" + path + "'");
}

const char *npyType(DType dtype) {
  switch (dtype) {
  case DType::f32:
    return "<f4";
  case DType::f16:
    return "<f2";
  case DType::bf16:
    return "<u2";
  case DType::e4m3:
  case DType::e5m2:
    return "|u1";
  case DType::i1:
    return "|b1";
  case DType::i8:
    return "|i1";
  case DType::i16:
    return "<i2";
  case DType::i32:
    return "<i4";
  case DType::i64:
    return "<i8";
  }
  return "";
}

Result<std::vector<char>> convertNpy(const NpyArray &array, DType dtype) {
  // The first character says the byte order, which readNpy has checked.
  std::string kind = array.descr.substr(1);
  bool isByte = kind == "b1" || kind == "u1" || kind == "i1";
  if (kind == npyType(dtype) + 1 || (isByte && (dtype == DType::i1 || dtype == DType::i8)))
    return array.data;
  bool isDouble = kind == "f8";
  if (!tile::isFloat(dtype) || (kind != "f4" && !isDouble))
    return Status::error("expected elements of type " + std::string(npyType(dtype)) + " for " +
                         tile::name(dtype) + ", found " + array.descr);
  size_t from = isDouble ? 8 : 4, to = static_cast<size_t>(tile::byteSize(dtype));
  size_t count = array.data.size() / from;
  std::vector<char> result(count * to);
  for (size_t i = 0; i < count; ++i) {
    double value = 0;
    if (isDouble)
      std::memcpy(&value, array.data.data() + i * from, from);
    else
      value = tile::readElement(DType::f32, array.data.data() + i * from);
    tile::writeElement(dtype, result.data() + i * to, value);
  }
  return result;
}

} // namespace tilerun
