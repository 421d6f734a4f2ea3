#include "apps/solve/npy.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/npy.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::solve {
namespace {

using lab::expect_error;
using lab::TemporaryFolder;

template <class T>
class NpyFieldOf : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(NpyFieldOf, Types);

TYPED_TEST(NpyFieldOf, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  std::vector<TypeParam> values(2 * 3 * 5);
  std::iota(values.begin(), values.end(), TypeParam{0.1});
  base::write_npy<TypeParam>(folder.path() / "a.npy", {2, 3, 5}, values);
  const Field field = read_npy(folder.path() / "a.npy");
  EXPECT_EQ(field.shape, (GridShape{2, 3, 5}));
  EXPECT_EQ(std::get<std::vector<TypeParam>>(field.values), values);
}

TEST(NpyField, RejectsInvalidFieldsWithWhatWasExpected) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a.npy";
  const std::vector<float> floats(6);
  const auto refused = [&](const std::string& words, const std::vector<std::int64_t>& shape) {
    base::write_npy<float>(path, shape, floats);
    expect_error(ErrorCode::bad_argument, words, [&] { read_npy(path); });
  };
  refused("has 4 axes, (1, 1, 2, 3); expected three: z, y, x; or two: y, x", {1, 1, 2, 3});
  refused("has 1 axes, (6,); expected three: z, y, x", {6});
  refused("has 0 axes, (); expected three: z, y, x", {});
  refused("does not match its header", {1, 2, 4});
  base::write_npy<std::int32_t>(path, {1, 2, 3}, std::vector<std::int32_t>(6));
  expect_error(ErrorCode::bad_argument, "type '<i4'; expected float32", [&] { read_npy(path); });
}

}  // namespace
}  // namespace rafter::solve
