#include <gtest/gtest.h>

#include <cstring>

#include "base/files.hpp"
#include "library/safetensors/file.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::safetensors {
namespace {

using lab::expect_error;
using lab::TemporaryFolder;
using namespace std::string_literals;

std::string with_length(std::uint64_t length, const std::string& rest) {
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return file + rest;
}

/// Returns a file with this header and `n_bytes` bytes of data: 0, 1, 2, ...
std::string file_with(const std::string& header, std::size_t n_bytes) {
  std::string data;
  for (std::size_t i = 0; i < n_bytes; ++i) data += static_cast<char>(i);
  return with_length(header.size(), header + data);
}

File parse(const std::string& file) { return {std::as_bytes(std::span(file)), "m"}; }

std::string bytes_of(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()};
}

std::string written(std::vector<Tensor> tensors, const std::map<std::string, std::string>& metadata = {}) {
  const TemporaryFolder folder;
  write_file(folder.path() / "m", std::move(tensors), metadata);
  return base::read_file(folder.path() / "m").value();
}

/// One entry of a header.
std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

TEST(Safetensors, FindsTensorsAtTheirOffsets) {
  const std::string file =
      file_with("{" + entry("b", "F32", "[1,2]", "[2,10]") + "," + entry("__metadata__", "x", "\"y\"", "\"z\"") +
                    " ,\n" + entry("a", "I8", "[2]", "[0,2]") + "}   \n",
                10);
  const File found = parse(file);
  ASSERT_EQ(found.tensors().size(), 2u);
  const Tensor &a = found.tensors()[0], &b = found.tensors()[1];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.dtype, "I8");
  EXPECT_EQ(a.shape, std::vector<std::int64_t>{2});
  EXPECT_EQ(bytes_of(a), "\0\1"s);
  EXPECT_EQ(b.name, "b");
  EXPECT_EQ(b.shape, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(bytes_of(b), "\2\3\4\5\6\7\10\11");
  EXPECT_EQ(found.metadata(),
            (std::map<std::string, std::string>{{"dtype", "x"}, {"shape", "y"}, {"data_offsets", "z"}}));
}

TEST(Safetensors, AcceptsScalarsEmptyTensorsAndNoTensors) {
  EXPECT_TRUE(parse(file_with("{}", 0)).tensors().empty());
  EXPECT_TRUE(parse(file_with("{\"__metadata__\":{}}", 0)).tensors().empty());
  const std::string file =
      file_with("{" + entry("scalar", "F64", "[]", "[0,8]") + "," + entry("none", "F32", "[3,0]", "[8,8]") + "," +
                    entry("neither", "BF16", "[0]", "[0,0]") + "}",
                8);
  const File found = parse(file);
  ASSERT_EQ(found.tensors().size(), 3u);
  EXPECT_EQ(found.tensors()[0].name, "neither");
  EXPECT_EQ(found.tensors()[1].bytes.size(), 8u);
  EXPECT_TRUE(found.tensors()[2].bytes.empty());
}

TEST(Safetensors, ChecksTheSizeOfEveryType) {
  const std::pair<const char*, int> types[] = {
      {"BOOL", 8},    {"U8", 8},      {"I8", 8},          {"F8_E4M3", 8},    {"F8_E5M2", 8}, {"F8_E8M0", 8},
      {"I16", 16},    {"U16", 16},    {"F16", 16},        {"BF16", 16},      {"I32", 32},    {"U32", 32},
      {"F32", 32},    {"C64", 64},    {"F64", 64},        {"I64", 64},       {"U64", 64},    {"F4", 4},
      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}};
  for (const auto& [type, bits] : types) {
    const std::size_t n_bytes = static_cast<std::size_t>(bits) / 2;  // four elements
    EXPECT_EQ(parse(file_with("{" + entry("x", type, "[2,2]", "[0," + std::to_string(n_bytes) + "]") + "}", n_bytes))
                  .tensors()[0]
                  .bytes.size(),
              n_bytes)
        << type;
  }
}

TEST(Safetensors, WritesTheBytesOfTheReferenceImplementation) {
  // safetensors 0.8.0: save({"b": float32 [1, 2], "a": float32 [2, 1], "h": float16 0, "q\"": int64 [0]})
  const float one_two[] = {1, 2};
  const char half[2] = {};
  const std::string expected =
      "{\"q\\\"\":{\"dtype\":\"I64\",\"shape\":[0],\"data_offsets\":[0,0]},"
      "\"a\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]},"
      "\"b\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[8,16]},"
      "\"h\":{\"dtype\":\"F16\",\"shape\":[],\"data_offsets\":[16,18]}}";
  const std::string file = written({{"b", "F32", {1, 2}, std::as_bytes(std::span(one_two))},
                                    {"h", "F16", {}, std::as_bytes(std::span(half))},
                                    {"q\"", "I64", {0}, {}},
                                    {"a", "F32", {2, 1}, std::as_bytes(std::span(one_two))}});
  ASSERT_EQ(file.substr(8, expected.size()), expected);
  const std::size_t padded = (expected.size() + 7) / 8 * 8;
  EXPECT_EQ(file.substr(0, 8), with_length(padded, ""));
  EXPECT_EQ(file.substr(8 + expected.size(), padded - expected.size()), std::string(padded - expected.size(), ' '));
  EXPECT_EQ(std::memcmp(file.data() + 8 + padded + 8, one_two, 8), 0);
  EXPECT_EQ(file.size(), 8 + padded + 18);
}

TEST(Safetensors, ReadsWhatItWrote) {
  const std::string data = "abcdefgh";
  const std::string name = "a \"name\"\n\\ \u00e4";
  const std::map<std::string, std::string> metadata{{"format", "pt"}, {"\"", "\t"}};
  const TemporaryFolder folder;
  write_file(folder.path() / "deep/m", {{name, "U16", {2, 2}, std::as_bytes(std::span(data))}}, metadata);
  const File found(folder.path() / "deep/m");
  ASSERT_EQ(found.tensors().size(), 1u);
  EXPECT_EQ(found.tensors()[0].name, name);
  EXPECT_EQ(bytes_of(found.tensors()[0]), data);
  EXPECT_EQ(found.metadata(), metadata);
  EXPECT_EQ(folder.n_entries(), 2) << "nothing but the folder and the file";
}

TEST(Safetensors, RejectsInvalidFilesWithTheReason) {
  const std::string good = "{" + entry("a", "F32", "[2]", "[0,8]") + "}";
  const auto two = [](const std::string& a, const std::string& b) {
    return "{" + entry("a", "F32", "[1]", a) + "," + entry("b", "F32", "[1]", b) + "}";
  };
  const struct {
    std::string file, words;
  } cases[] = {
      {"", "'m' is not a safetensors file: it has 0 bytes; expected 8 with the length of a header"},
      {"1234567", "'m' is not a safetensors file: it has 7 bytes"},
      {with_length(100, good), "'m' is truncated: its header has 100 bytes; the file has 54"},
      {with_length(100'000'001, good),
       "'m' is not a safetensors file: its header would have 100000001 bytes; expected at"},
      {with_length(~std::uint64_t{0}, good), "its header would have 18446744073709551615 bytes"},
      {with_length(0, ""), "expected a header that begins with '{' at byte 8"},
      {file_with(" " + good, 8), "expected a header that begins with '{' at byte 8"},
      {file_with("[]", 0), "expected a header that begins with '{' at byte 8"},
      {file_with(good + "x", 8), "'m' has a header that is not JSON: syntax error at byte 62"},
      {file_with(good + "{}", 8), "is not JSON"},
      {file_with("{", 0), "is not JSON"},
      {file_with("{\"a\":NaN}", 0), "is not JSON"},
      {file_with("{\"\xff\":1}", 0), "is not JSON"},
      {file_with(good + "\0\0"s, 8), "'m' has a header that is not JSON: a zero at byte 62"},
      {file_with(good, 7), "'m': tensor 'a' is truncated: it ends at byte 8 of the data, which has 7"},
      {file_with(good, 9), "'m' has 1 bytes after its last tensor"},
      {file_with("{}", 1), "'m' has 1 bytes after its last tensor"},
      {file_with(two("[0,4]", "[5,9]"), 9),
       "'m': tensor 'b' leaves a gap: it begins at byte 5 of the data; expected 4, where 'a' ends"},
      {file_with(two("[0,4]", "[3,7]"), 7), "'m': tensor 'b' overlaps another: it begins at byte 3 of the data"},
      {file_with(two("[0,4]", "[0,4]"), 4), "'m': tensor 'b' overlaps another"},
      {file_with(two("[4,8]", "[8,12]"), 12),
       "'m': tensor 'a' leaves a gap: it begins at byte 4 of the data; expected 0, where the data begins"},
      {file_with("{" + entry("a", "F32", "[2]", "[8,0]") + "}", 8),
       "'m': tensor 'a' ends before it begins: its data_offsets are 8 and 0"},
      {file_with("{" + entry("a", "F32", "[3]", "[0,8]") + "}", 8),
       "'m': tensor 'a' has 8 bytes; expected 12, for (3,) of F32"},
      {file_with("{" + entry("a", "F4", "[3]", "[0,2]") + "}", 2),
       "'m': tensor 'a' does not end at a byte boundary: (3,) of F4"},
      {file_with("{" + entry("a", "F31", "[2]", "[0,8]") + "}", 8),
       "'m': tensor 'a' has the unknown dtype 'F31': did you mean"},
      {file_with("{" + entry("a", "f32", "[2]", "[0,8]") + "}", 8), "has the unknown dtype 'f32'"},
  };
  for (const auto& [file, words] : cases) {
    expect_error(ErrorCode::bad_argument, words, [&file = file] { parse(file); });
    const TemporaryFolder folder;
    base::write_file(folder.path() / "m", file);
    expect_error(ErrorCode::bad_argument, words.starts_with("'m'") ? words.substr(3) : words,
                 [&] { File(folder.path() / "m"); });
  }
}

TEST(Safetensors, RejectsHostileHeaders) {
  const auto shape = [](const std::string& text) { return "{" + entry("a", "F32", text, "[0,8]") + "}"; };
  const auto offsets = [](const std::string& text) { return "{" + entry("a", "F32", "[2]", text) + "}"; };
  const std::string deep(100000, '[');
  const struct {
    std::string header, words;
  } cases[] = {
      {shape("[4294967296,4294967296,4294967296]"), "has an impossible shape: (4294967296, 4294967296,"},
      {shape("[9223372036854775807]"), "has an impossible shape"},
      {shape("[2,4611686018427387904,2]"), "has an impossible shape"},
      {shape("[18446744073709551615]"), "has an invalid shape: expected a list of integers, 0 or more and below 2^63"},
      {shape("[99999999999999999999]"), "has an invalid shape"},
      {shape("[-1,-2]"), "has an invalid shape"},
      {shape("[2.0]"), "has an invalid shape"},
      {shape("[\"2\"]"), "has an invalid shape"},
      {shape("[[2]]"), "has an invalid shape"},
      {shape("[null]"), "has an invalid shape"},
      {shape("2"), "has an invalid shape"},
      {shape("{}"), "has an invalid shape"},
      {shape(deep), "has an invalid shape"},
      {offsets("[0]"), "has an invalid data_offsets: expected two integers, 0 or more: begin and end"},
      {offsets("[0,8,16]"), "has an invalid data_offsets"},
      {offsets("[]"), "has an invalid data_offsets"},
      {offsets("[-0,8]"), "has an invalid data_offsets"},
      {offsets("[0,8.0]"), "has an invalid data_offsets"},
      {offsets("[0,8e0]"), "has an invalid data_offsets"},
      {offsets("[0,true]"), "has an invalid data_offsets"},
      {offsets("[0,18446744073709551616]"), "has an invalid data_offsets"},
      {offsets("\"0,8\""), "has an invalid data_offsets"},
      {offsets("[18446744073709551608,0]"), "ends before it begins"},
      {offsets("[18446744073709551607,18446744073709551615]"), "leaves a gap"},
      {"{\"a\":[]}", "'m' has an invalid value for tensor 'a': expected an object of dtype, shape and data_offsets"},
      {"{\"a\":" + deep, "'m' has an invalid value for tensor 'a'"},
      {"{\"a\":null}", "'m' has an invalid value for tensor 'a'"},
      {"{\"a\":{\"dtype\":32}}", "'m': tensor 'a' has an invalid dtype: expected a string"},
      {"{\"a\":{\"dtype\":[]}}", "'m': tensor 'a' has an invalid dtype: expected a string"},
      {"{\"a\":{}}", "'m': tensor 'a' has no dtype"},
      {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", "'m': tensor 'a' has no shape"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}", "'m': tensor 'a' has no data_offsets"},
      {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", "'m' has 'dtype' twice in tensor 'a'"},
      {"{\"a\":{\"stride\":1}}", "'m': tensor 'a' has an entry 'stride': expected only dtype, shape and data_offsets"},
      {"{" + entry("a", "F32", "[2]", "[0,8]") + "," + entry("a", "F32", "[0]", "[8,8]") + "}", "'m' has 'a' twice"},
      {"{\"__metadata__\":{},\"__metadata__\":{}}", "'m' has '__metadata__' twice"},
      {"{\"__metadata__\":{\"x\":\"1\",\"x\":\"2\"}}", "'m' has 'x' twice in __metadata__"},
      {"{\"__metadata__\":{\"x\":1}}", "'m' has an invalid __metadata__: expected one object of strings"},
      {"{\"__metadata__\":{\"x\":{}}}", "'m' has an invalid __metadata__"},
      {"{\"__metadata__\":\"x\"}", "'m' has an invalid __metadata__"},
      {"{\"__metadata__\":[]}", "'m' has an invalid __metadata__"},
      {"{\"\\u0007\":1}", "for tensor '?'"},
      {"{\"" + std::string(1000, 'x') + "\":1}", "for tensor '" + std::string(80, 'x') + "...'"},
  };
  for (const auto& [header, words] : cases)
    expect_error(ErrorCode::bad_argument, words, [&header = header] { parse(file_with(header, 8)); });
}

TEST(Safetensors, RejectsInvalidTensorsBeforeWriting) {
  const TemporaryFolder folder;
  const std::string data(8, 'x');
  const auto refused = [&](const std::string& words, std::vector<Tensor> tensors,
                           const std::map<std::string, std::string>& metadata = {}) {
    expect_error(ErrorCode::bad_argument, words, [&] { write_file(folder.path() / "m", tensors, metadata); });
  };
  const auto bytes = std::as_bytes(std::span(data));
  refused("safetensors::write_file: tensor 'a' has 8 bytes; expected 12, for (3,) of F32", {{"a", "F32", {3}, bytes}});
  refused("tensor 'a' has the unknown dtype 'float'", {{"a", "float", {2}, bytes}});
  refused("tensor 'a' has an impossible shape", {{"a", "F32", {-1, -2}, bytes}});
  refused("tensor 'a' appears twice", {{"a", "F32", {2}, bytes}, {"a", "F32", {2}, bytes}});
  refused("tensor '__metadata__' has a reserved name", {{"__metadata__", "F32", {2}, bytes}});
  refused("not UTF-8", {{"\xff", "F32", {2}, bytes}});
  refused("not UTF-8", {}, {{"a", "\xff"}});
  EXPECT_EQ(folder.n_entries(), 0);
}

TEST(Safetensors, ReportsUnreadableFiles) {
  const TemporaryFolder folder;
  expect_error(ErrorCode::io, "cannot read '/nowhere/m': No such file", [] { File("/nowhere/m"); });
  expect_error(ErrorCode::io, "it is a folder", [&] { File(folder.path()); });
  expect_error(ErrorCode::io, "cannot read '/dev/null'", [&] { File("/dev/null"); });
}

}  // namespace
}  // namespace rafter::safetensors
