#include "apps/score/windows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/classify/image_files.hpp"
#include "base/files.hpp"
#include "rafter/half.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::score {
namespace {

using classify::bytes_of;
using classify::npy_file;
using lab::expect_error;
using lab::TemporaryFolder;

constexpr SpectralShape two_of_three{.mels = 3, .frames = 2, .latent = 4, .slice = 5};

class Windows : public testing::Test {
 protected:
  WindowFile opened(const std::string& text) const {
    base::write_file(folder_.path() / "x.npy", text);
    return {folder_.path() / "x.npy", two_of_three};
  }

  /// Expects a file of these values in its type to be read in pieces of `piece` values.
  template <class T>
  void expect_read(const char* type, const std::string& shape, const std::vector<float>& values, std::size_t piece) {
    std::vector<T> stored;
    for (const float value : values) stored.emplace_back(value);
    WindowFile file = opened(npy_file(type, shape, bytes_of(stored)));
    EXPECT_EQ(file.n(), std::ssize(values) / 6);
    std::vector<float> found(values.size());
    for (std::size_t at = 0; at < found.size(); at += piece)
      file.read(std::span(found).subspan(at, std::min(piece, found.size() - at)));
    EXPECT_TRUE(found == values) << type << " " << shape << " in pieces of " << piece;
  }

  TemporaryFolder folder_;
};

TEST_F(Windows, ReadsEveryTypeAndShapeWholeOrInPieces) {
  const std::vector<float> values{1, -2, 3.5f, 0, -0.25f, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 0x1p-14f};
  for (const std::size_t piece : {6, 12, 18}) {
    for (const char* shape : {"(3, 2, 3)", "(3, 6)"}) {
      expect_read<float>("<f4", shape, values, piece);
      expect_read<double>("<f8", shape, values, piece);
      expect_read<Half>("<f2", shape, values, piece);
    }
  }
}

TEST_F(Windows, ConvertsManyInBlocks) {
  std::vector<float> many(200004);  // more than a block, and not a multiple of one
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i % 2048);
  expect_read<double>("<f8", "(33334, 6)", many, many.size());
  expect_read<Half>("<f2", "(33334, 6)", many, many.size());
}

TEST_F(Windows, ValuesOutOfRangeBecomeInfinite) {
  const std::vector<double> values{1e300, -1e300, 0.1, NAN, 0, 0};
  WindowFile file = opened(npy_file("<f8", "(1, 6)", bytes_of(values)));
  EXPECT_TRUE(file.description().starts_with("float64, from ")) << file.description();
  std::vector<float> found(6);
  file.read(found);
  EXPECT_EQ(found[0], INFINITY);
  EXPECT_EQ(found[1], -INFINITY);
  EXPECT_EQ(found[2], 0.1f);
  EXPECT_TRUE(std::isnan(found[3]));
}

TEST_F(Windows, RejectsInvalidFilesWithWhatWasExpected) {
  const auto refused = [&](const std::string& words, const std::string& type, const std::string& shape,
                           std::size_t n_bytes) {
    expect_error(ErrorCode::bad_argument, words, [&] { opened(npy_file(type, shape, std::string(n_bytes, '\0'))); });
  };
  refused("has the shape (3, 3, 2); expected windows for this model, (N, 2, 3) or (N, 6)", "<f4", "(3, 3, 2)", 72);
  refused("has the shape (3, 5); expected windows", "<f4", "(3, 5)", 60);
  refused("has the shape (6,); expected windows", "<f4", "(6,)", 24);
  refused("has the shape (); expected windows", "<f4", "()", 4);
  refused("has the shape (1, 1, 2, 3); expected windows", "<f4", "(1, 1, 2, 3)", 24);
  refused("has elements of type '>f4'; expected float16, float32 or float64", ">f4", "(1, 6)", 24);
  refused("has elements of type '<i4'", "<i4", "(1, 6)", 24);
  refused("does not match its header", "<f4", "(1, 6)", 23);
  refused("does not match its header", "<f8", "(1, 6)", 24);
  expect_error(ErrorCode::io, "cannot read '/nowhere/x.npy'", [] { WindowFile("/nowhere/x.npy", two_of_three); });
}

}  // namespace
}  // namespace rafter::score
