#include "solve/npy.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/files.hpp"
#include "lab/expect_error.hpp"
#include "lab/temporary_folder.hpp"

namespace rafter::solve {
namespace {

using lab::expect_error;
using lab::TemporaryFolder;

template <class T>
class NpyOf : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(NpyOf, Types);

TYPED_TEST(NpyOf, WhatIsWrittenIsReadBack) {
  const TemporaryFolder folder;
  std::vector<TypeParam> values(2 * 3 * 5);
  std::iota(values.begin(), values.end(), TypeParam{0.1});
  write_npy<TypeParam>(folder.path() / "a.npy", {2, 3, 5}, values);
  const Field field = read_npy(folder.path() / "a.npy");
  EXPECT_EQ(field.shape, (GridShape{2, 3, 5}));
  EXPECT_EQ(std::get<std::vector<TypeParam>>(field.values), values);
}

TEST(Npy, TheHeaderIsNumPysOwn) {
  const TemporaryFolder folder;
  const std::vector<float> values{1, 2};
  write_npy<float>(folder.path() / "a.npy", {1, 1, 2}, values);
  const std::string file = base::read_file(folder.path() / "a.npy").value();
  EXPECT_EQ(file.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(file.substr(10, 59), "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2)");
  EXPECT_EQ(file[npy_header_bytes - 1], '\n');
  EXPECT_EQ(file.size(), npy_header_bytes + 8u);
}

/// A file of one version with this header and this many bytes of values.
std::string npy(int version, const std::string& header, std::size_t n_bytes) {
  std::string file("\x93NUMPY", 6);
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>(header.size() >> (8 * i) & 255);
  return file + header + std::string(n_bytes, '\0');
}

Field read_text(const std::string& text) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "a.npy", text);
  return read_npy(folder.path() / "a.npy");
}

TEST(Npy, AllVersionsAndSpellingsAreRead) {
  for (const int version : {1, 2, 3}) {
    const Field field = read_text(npy(version, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1, 3), }\n", 48));
    EXPECT_EQ(field.shape, (GridShape{2, 1, 3}));
    EXPECT_EQ(field.precision(), Precision::float64);
  }
  EXPECT_EQ(read_text(npy(1, "{\"shape\":(1,1,1),\"descr\":\"<f4\",\"fortran_order\":False}", 4)).shape.n_cells(), 1);
}

TEST(Npy, WhatIsNoFieldIsRefusedWithWhatWasExpected) {
  const auto refused = [](const std::string& part, const std::string& text) {
    expect_error(ErrorCode::bad_argument, part, [&] { read_text(text); });
  };
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }";
  refused("is in Fortran order; expected C order",
          npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2, 3), }", 24));
  refused("type '<i4'; expected float32", npy(1, "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2, 3), }", 24));
  refused("type '>f4'; expected float32", npy(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (1, 2, 3), }", 24));
  refused("several parts", npy(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 2, 3), }", 24));
  refused("has 2 axes", npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24));
  refused("has 0 axes", npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 4));
  refused("does not hold what its header says", npy(1, good, 23));
  refused("does not hold what its header says", npy(1, good, 25));
  refused("is no .npy file", "");
  refused("is no .npy file", "PK\x03\x04 something else");
  refused("version 9", npy(9, good, 24));
}

TEST(Npy, HostileHeadersAreRefused) {
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
    expect_error(ErrorCode::bad_argument, "a.npy' ", [&] { read_text(npy(1, header, 24)); });
  }
  std::string endless = npy(2, "{", 0);
  for (std::size_t i = 8; i < 12; ++i) endless[i] = '\xff';  // a header of 4 GiB
  expect_error(ErrorCode::bad_argument, "header", [&] { read_text(endless); });
}

TEST(Npy, AMissingFileIsAnError) {
  expect_error(ErrorCode::io, "cannot read '/nowhere/a.npy'", [] { read_npy("/nowhere/a.npy"); });
}

}  // namespace
}  // namespace rafter::solve
