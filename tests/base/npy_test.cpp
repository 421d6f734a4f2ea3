#include "base/npy.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "base/files.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::base {
namespace {

using lab::expect_error;
using lab::TemporaryFolder;

template <class T>
std::vector<T> values_of(NpyFile& file) {
  std::vector<T> values(static_cast<std::size_t>(file.n_values(sizeof(T))));
  file.read(std::as_writable_bytes(std::span(values)));
  return values;
}

template <class T>
void expect_round_trip(const char* type, const std::vector<std::int64_t>& shape, const std::vector<T>& values) {
  const TemporaryFolder folder;
  write_npy<T>(folder.path() / "a.npy", shape, values);
  NpyFile file(folder.path() / "a.npy");
  EXPECT_EQ(file.type(), type);
  EXPECT_EQ(file.shape(), shape);
  EXPECT_EQ(values_of<T>(file), values);
}

TEST(Npy, ReadsBackWrittenValues) {
  expect_round_trip<float>("<f4", {2, 3}, {1, 2, 3, 4, 5, 6.5f});
  expect_round_trip<double>("<f8", {1, 1, 2}, {0.1, -1e300});
  expect_round_trip<std::int32_t>("<i4", {3}, {1, -2, 3});
  expect_round_trip<std::int32_t>("<i4", {0}, {});
  expect_round_trip<float>("<f4", {}, {7});
}

TEST(Npy, WritesTheHeaderOfNumPy) {
  const TemporaryFolder folder;
  const std::vector<float> values{1, 2};
  write_npy<float>(folder.path() / "a.npy", {1, 1, 2}, values);
  const std::string file = base::read_file(folder.path() / "a.npy").value();
  EXPECT_EQ(file.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(file.substr(10, 59), "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2)");
  EXPECT_EQ(file[npy_header_bytes - 1], '\n');
  EXPECT_EQ(file.size(), npy_header_bytes + 8u);
}

TEST(Npy, WritesTheSameFileInPieces) {
  const TemporaryFolder folder;
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  write_npy<float>(folder.path() / "whole.npy", {6}, values);
  write_npy<float>(folder.path() / "target.npy", {1}, std::vector<float>{0});
  std::filesystem::create_symlink("target.npy", folder.path() / "link.npy");
  NpyWriter<float> writer(folder.path() / "link.npy", {6});
  writer.write(std::span(values).first(1));
  writer.write({});
  writer.write(std::span(values).subspan(1));
  EXPECT_EQ(NpyFile(folder.path() / "target.npy").shape(), std::vector<std::int64_t>{1}) << "as it was";
  writer.commit();
  EXPECT_EQ(base::read_file(folder.path() / "target.npy"), base::read_file(folder.path() / "whole.npy"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link.npy"));
  { const NpyWriter<float> left(folder.path() / "whole.npy", {1000}); }
  EXPECT_EQ(NpyFile(folder.path() / "whole.npy").shape(), std::vector<std::int64_t>{6});
  EXPECT_EQ(folder.n_entries(), 3) << "nothing is left behind";
  NpyWriter<float>("/dev/null", {1}).commit();
  expect_error(ErrorCode::io, "Is a directory", [&] { NpyWriter<float>(folder.path(), {1}); });
}

/// Returns a file of this version with this header and `n_bytes` bytes of values.
std::string npy(int version, const std::string& header, std::size_t n_bytes) {
  std::string file("\x93NUMPY", 6);
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>(header.size() >> (8 * i) & 255);
  return file + header + std::string(n_bytes, '\0');
}

NpyFile opened(const std::string& text) {
  return NpyFile(std::make_unique<std::istringstream>(text), text.size(), "a.npy");
}

TEST(Npy, ReadsAllVersionsAndSpellings) {
  for (const int version : {1, 2, 3}) {
    NpyFile file = opened(npy(version, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1, 3), }\n", 48));
    EXPECT_EQ(show_shape(file.shape()), "(2, 1, 3)");
    EXPECT_EQ(file.type(), "<f8");
    EXPECT_EQ(values_of<double>(file), std::vector<double>(6));
  }
  EXPECT_EQ(opened(npy(1, "{\"shape\":(1,),\"descr\":\"|u1\",\"fortran_order\":False}", 1)).shape(),
            std::vector<std::int64_t>{1});
}

TEST(Npy, RejectsInvalidFilesWithWhatWasExpected) {
  const auto refused = [](const std::string& words, const std::string& text) {
    expect_error(ErrorCode::bad_argument, words, [&] { opened(text).n_values(4); });
  };
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }";
  refused("'a.npy' is in Fortran order; expected C order",
          npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2, 3), }", 24));
  refused("structured elements", npy(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 2, 3), }", 24));
  refused("'a.npy' does not match its header: (1, 2, 3) of 4 bytes each; 23 bytes follow the header", npy(1, good, 23));
  refused("25 bytes follow the header", npy(1, good, 25));
  refused("'a.npy' is not a .npy file", "");
  refused("is not a .npy file", "PK\x03\x04 something else");
  refused("is a .npy file of version 9; expected 1 to 3", npy(9, good, 24));
  refused("is truncated: its header is incomplete", npy(1, good, 0).substr(0, 40));
}

TEST(Npy, RejectsHostileHeaders) {
  const std::string start = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
  for (const std::string& header : {
           start + "(4294967296, 4294967296, 4294967296), }",  // overflows
           start + "(9223372036854775807, 1, 1), }",
           start + "(99999999999999999999, 1, 1), }",
           start + "(-1, -1, 24), }",
           start + "(1, 2, x), }",
           start + "(1, 2, 3",
           start + "(1, 2, 3), } import os",
           std::string("{'descr': '<f4', 'fortran_order': False}"),
           std::string("{'descr"),
           std::string("{"),
           std::string(""),
           std::string("os.system('true')"),
       }) {
    expect_error(ErrorCode::bad_argument, "a.npy' ", [&] { opened(npy(1, header, 24)).n_values(4); });
  }
  std::string endless = npy(2, "{", 0);
  for (std::size_t i = 8; i < 12; ++i) endless[i] = '\xff';  // a header of 4 GiB
  expect_error(ErrorCode::bad_argument, "header", [&] { opened(endless); });
}

TEST(Npy, ReportsAMissingFile) {
  expect_error(ErrorCode::io, "cannot read '/nowhere/a.npy'", [] { NpyFile("/nowhere/a.npy"); });
}

}  // namespace
}  // namespace rafter::base
