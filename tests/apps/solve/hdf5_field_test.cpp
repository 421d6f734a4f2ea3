// Fields in HDF5, read back by the HDF5 library where other readers matter.
#include "apps/solve/hdf5_field.hpp"

#include <gtest/gtest.h>
#define H5_USE_110_API
#include <hdf5.h>

#include <array>
#include <numeric>

#include "base/files.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::solve {
namespace {

using lab::expect_error;
using lab::TemporaryFolder;

class Hdf5 : public testing::Test {
 protected:
  std::filesystem::path path(const char* name = "a.h5") const { return folder_.path() / name; }

  /// Writes a dataset like another program might; compressed with `chunk`.
  void write_foreign(const char* file, const char* name, std::vector<hsize_t> extents, hid_t type, bool chunk) {
    const bool is_there = std::filesystem::exists(path(file));
    const hid_t f = is_there ? H5Fopen(path(file).c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                             : H5Fcreate(path(file).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (chunk) H5Pset_chunk(how, static_cast<int>(extents.size()), extents.data());
    const hid_t dataset = H5Dcreate2(f, name, type, space, links, how, H5P_DEFAULT);
    std::size_t n = 1;
    for (const hsize_t extent : extents) n *= extent;
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 0.);
    EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, 0, 0, H5P_DEFAULT, values.data()), 0);
    H5Dclose(dataset);
    H5Pclose(how);
    H5Sclose(space);
    H5Pclose(links);
    H5Fclose(f);
  }

  TemporaryFolder folder_;
};

template <class T>
void round_trip(const std::filesystem::path& path) {
  std::vector<T> values(3 * 4 * 5);
  std::iota(values.begin(), values.end(), T{0.1});
  write_hdf5<T>(path, {"temperature", {3, 4, 5}, {1, 2, 4}, 700, 0.25}, values);
  const Field field = read_hdf5(path, "");
  EXPECT_EQ(field.shape, (GridShape{3, 4, 5}));
  EXPECT_EQ(std::get<std::vector<T>>(field.values), values);
}

TEST_F(Hdf5, ReadsBackWhatItWrote) {
  round_trip<float>(path());
  round_trip<double>(path());
  EXPECT_EQ(folder_.n_entries(), 1);
}

TEST_F(Hdf5, Hdf5FindsValuesAndAttributes) {
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
  write_hdf5<float>(path(), {"temperature", {2, 2, 2}, {1, 2, 4}, 700, 0.25}, values);
  const hid_t file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t dataset = H5Dopen2(file, "/temperature", H5P_DEFAULT);
  std::array<double, 8> read{};
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, 0, 0, H5P_DEFAULT, read.data()), 0);
  EXPECT_EQ(read[0], 1);
  EXPECT_EQ(read[7], 8);
  std::int64_t step = 0;
  double time = 0;
  std::array<double, 3> spacing{};
  const auto get = [&](const char* name, hid_t type, void* to) {
    const hid_t attribute = H5Aopen(dataset, name, H5P_DEFAULT);
    EXPECT_GE(H5Aread(attribute, type, to), 0) << name;
    H5Aclose(attribute);
  };
  get("step", H5T_NATIVE_INT64, &step);
  get("time", H5T_NATIVE_DOUBLE, &time);
  get("spacing_zyx", H5T_NATIVE_DOUBLE, spacing.data());
  EXPECT_EQ(step, 700);
  EXPECT_EQ(time, 0.25);
  EXPECT_EQ(spacing, (std::array<double, 3>{1, 2, 4}));
  H5Dclose(dataset);
  H5Fclose(file);
}

TEST_F(Hdf5, ReadsFilesOfOtherPrograms) {
  write_foreign("chunked.h5", "data/u", {2, 3, 4}, H5T_IEEE_F64BE, true);  // big endian, in chunks, in a group
  const Field field = read_hdf5(path("chunked.h5"), "");
  EXPECT_EQ(field.shape, (GridShape{2, 3, 4}));
  EXPECT_EQ(std::get<std::vector<double>>(field.values)[23], 23);
  EXPECT_EQ(read_hdf5(path("chunked.h5"), "/data/u").shape, (GridShape{2, 3, 4}));
}

TEST_F(Hdf5, RequiresANameForOneOfSeveral) {
  write_foreign("two.h5", "u", {2, 2, 2}, H5T_IEEE_F32LE, false);
  write_foreign("two.h5", "v", {2, 2, 3}, H5T_IEEE_F32LE, false);
  write_foreign("two.h5", "flat", {4}, H5T_IEEE_F32LE, false);
  write_foreign("two.h5", "whole", {2, 2, 2}, H5T_STD_I32LE, false);
  expect_error(ErrorCode::bad_argument, "has several fields, u, v: name one", [&] { read_hdf5(path("two.h5"), ""); });
  EXPECT_EQ(read_hdf5(path("two.h5"), "v").shape, (GridShape{2, 2, 3}));
  expect_error(ErrorCode::bad_argument, "has no dataset 'w'", [&] { read_hdf5(path("two.h5"), "w"); });
  expect_error(ErrorCode::bad_argument, "three or two axes", [&] { read_hdf5(path("two.h5"), "flat"); });
  expect_error(ErrorCode::bad_argument, "float32 or float64", [&] { read_hdf5(path("two.h5"), "whole"); });
}

TEST_F(Hdf5, ReadsTwoAxesAsAFlatField) {
  write_foreign("plate.h5", "u", {3, 4}, H5T_IEEE_F64LE, false);
  const Field field = read_hdf5(path("plate.h5"), "");
  EXPECT_EQ(field.shape, (GridShape{1, 3, 4}));
  EXPECT_EQ(std::get<std::vector<double>>(field.values)[11], 11);
  write_foreign("plate.h5", "v", {2, 3, 4}, H5T_IEEE_F64LE, false);
  EXPECT_EQ(read_hdf5(path("plate.h5"), "").shape, (GridShape{2, 3, 4}));  // the dataset of three axes is chosen
  EXPECT_EQ(read_hdf5(path("plate.h5"), "u").shape, (GridShape{1, 3, 4}));
}

/// Returns all values of a dataset, which must have these extents.
template <class T>
std::vector<T> all_of(const std::filesystem::path& path, const char* name, hid_t type, std::vector<hsize_t> extents) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  std::vector<hsize_t> found(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, found.data(), nullptr);
  EXPECT_EQ(found, extents) << name;
  std::vector<T> values(static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
  EXPECT_GE(H5Dread(dataset, type, 0, 0, H5P_DEFAULT, values.data()), 0) << name;
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return values;
}

TEST_F(Hdf5, WritesCellsAsAListToo) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  write_hdf5<double>(path("f.h5"), {"u", {1, 2, 3}, {}, 0, 0}, values, CellList::beside);
  EXPECT_EQ(all_of<double>(path("f.h5"), "u_list", H5T_NATIVE_DOUBLE, {6}), values);
  EXPECT_EQ(std::get<std::vector<double>>(read_hdf5(path("f.h5"), "").values), values);  // still the only field
}

TEST_F(Hdf5, WritesAGridAsAMesh) {
  write_hdf5_mesh(path("m.h5"), {1, 2, 3}, {5, 0.5, 2});
  const auto points = all_of<double>(path("m.h5"), "points", H5T_NATIVE_DOUBLE, {2 * 3 * 4, 3});
  const auto cells = all_of<std::int32_t>(path("m.h5"), "cells", H5T_NATIVE_INT32, {6, 8});
  EXPECT_EQ(static_cast<std::int64_t>(points.size() * 8 + cells.size() * 4), mesh_bytes({1, 2, 3}));
  EXPECT_EQ(std::vector(points.end() - 3, points.end()), (std::vector<double>{6, 1, 5}));  // x, y, z
  const std::vector<std::int32_t> last(cells.end() - 8, cells.end());
  EXPECT_EQ(last, (std::vector<std::int32_t>{6, 7, 11, 10, 18, 19, 23, 22}));
  expect_error(ErrorCode::bad_argument, "too many points", [&] {
    write_hdf5_mesh(path("n.h5"), {2000, 2000, 2000}, {});
  });
}

TEST_F(Hdf5, RejectsFilesWithoutAField) {
  expect_error(ErrorCode::io, "the file does not exist", [&] { read_hdf5(path("missing.h5"), ""); });
  base::write_file(path("text.h5"), "not a field");
  expect_error(ErrorCode::bad_argument, "is not an HDF5 file", [&] { read_hdf5(path("text.h5"), ""); });
  write_foreign("flat.h5", "flat", {4}, H5T_IEEE_F32LE, false);
  expect_error(ErrorCode::bad_argument, "has no dataset of three or two axes", [&] { read_hdf5(path("flat.h5"), ""); });
}

TEST_F(Hdf5, ReportsADamagedFile) {
  const std::vector<float> values(1000, 1.f);
  write_hdf5<float>(path(), {"temperature", {10, 10, 10}, {}, 0, 0}, values);
  const std::string whole = base::read_file(path()).value();
  for (const std::size_t n : {whole.size() / 2, whole.size() - 4, std::size_t{600}}) {
    base::write_file(path("cut.h5"), whole.substr(0, n));
    EXPECT_THROW(read_hdf5(path("cut.h5"), ""), Error) << n;
  }
}

TEST_F(Hdf5, CreatesMissingFoldersAndReportsAFileInTheWay) {
  const std::vector<float> values(8, 1.f);
  write_hdf5<float>(path("new/a.h5"), {"temperature", {2, 2, 2}, {}, 0, 0}, values);
  EXPECT_EQ(read_hdf5(path("new/a.h5"), "").shape.nx, 2);
  base::write_file(path("plain"), "kept");
  expect_error(ErrorCode::io, "cannot write", [&] {
    write_hdf5<float>(path("plain/a.h5"), {"temperature", {2, 2, 2}, {}, 0, 0}, values);
  });
}

}  // namespace
}  // namespace rafter::solve
