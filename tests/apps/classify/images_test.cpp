// Files of images and labels: reading, and messages for invalid files.
#include "apps/classify/images.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/classify/lenet/lenet.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "image_files.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::classify {
namespace {

using lab::expect_error;

std::string pixels(std::size_t n_images) {
  std::string bytes;
  for (std::size_t i = 0; i < n_images * Lenet::image_pixels; ++i) bytes += static_cast<char>(i * 7 % 251);
  return bytes;
}

std::vector<std::uint8_t> as_bytes(const std::string& text) { return {text.begin(), text.end()}; }
std::vector<float> as_floats(const std::string& text) {
  const auto bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

TEST(Images, AreReadFromIdxAndNpy) {
  const std::string two = pixels(2);
  const std::vector<float> floats = as_floats(two);
  for (const std::string& file : {idx_file({2, 86, 86}, two), idx_file({2, 1, 86, 86}, two),
                                  npy_file("|u1", "(2, 86, 86)", two), npy_file("|u1", "(2, 1, 86, 86)", two)}) {
    const Images images = parse_images(file, "x");
    EXPECT_EQ(images.n, 2);
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(images.pixels), as_bytes(two));
  }
  for (const char* shape : {"(2, 86, 86)", "(2, 1, 86, 86)"}) {
    const Images images = parse_images(npy_file("<f4", shape, bytes_of(floats)), "x");
    EXPECT_EQ(images.n, 2);
    EXPECT_EQ(std::get<std::vector<float>>(images.pixels), floats);
  }
  EXPECT_EQ(parse_images(idx_file({0, 86, 86}, ""), "x").n, 0);
}

TEST(Images, RejectsInvalidFilesWithWhatWasExpected) {
  const std::string one = pixels(1);
  std::vector<float> bad(2 * Lenet::image_pixels);
  bad[Lenet::image_pixels + 5] = NAN;
  std::vector<float> too_large(2 * Lenet::image_pixels), negative(2 * Lenet::image_pixels);
  too_large[Lenet::image_pixels] = 255.5f;
  negative[1] = -0.5f;
  const struct {
    std::string file, words;
  } cases[] = {
      {"", "'x' is truncated at byte 0: expected the magic number of an IDX file"},
      {std::string("\0\0\x08", 3), "'x' is truncated at byte 3: expected the magic number"},
      {"P5 86 86 255", "'x' is not an IDX file: its first bytes are 50 35, expected 00 00"},
      {std::string("\0\0\x0d\x03", 4), "'x' has elements of type 0x0d at byte 2: expected unsigned bytes, 0x08"},
      {std::string("\0\0\x08\x00", 4), "'x' has no axes at byte 3: expected 1 or more"},
      {idx_file({1, 86, 86}, "").substr(0, 14), "'x' is truncated at byte 14: expected the extent of axis 3 of 3"},
      {idx_file({1, 28, 28}, one), "'x' has the shape (1, 28, 28); expected images, (N, 86, 86) or (N, 1, 86, 86)"},
      {idx_file({1, 3, 86, 86}, one), "'x' has the shape (1, 3, 86, 86); expected images"},
      {idx_file({7396}, one), "'x' has the shape (7396,); expected images"},
      {idx_file({1, 1, 1, 86, 86}, one), "'x' has the shape (1, 1, 1, 86, 86); expected images"},
      {idx_file({2, 86, 86}, one), "does not match its header: (2, 86, 86) bytes from byte 16 on; the file has 7396"},
      {idx_file({1, 86, 86}, one + "x"), "(1, 86, 86) bytes from byte 16 on; the file has 7397"},
      {idx_file({0xffffffff, 86, 86}, one), "does not match its header: (4294967295, 86, 86)"},
      {npy_file("<f8", "(1, 86, 86)", one), "type '<f8'; expected uint8 ('|u1') or float32 ('<f4'): save x.astype"},
      {npy_file(">f4", "(1, 86, 86)", one), "type '>f4'; expected uint8"},
      {npy_file("|u1", "(86, 86)", one), "'x' has the shape (86, 86); expected images"},
      {npy_file("|u1", "(1, 86, 85)", one), "'x' has the shape (1, 86, 85); expected images"},
      {npy_file("<f4", "(1, 86, 86)", one), "does not match its header: (1, 86, 86) of 4 bytes each"},
      {npy_file("<f4", "(2, 86, 86)", bytes_of(bad)),
       "'x' has a pixel that is nan, in image 1: expected raw pixels, 0 to 255"},
      {npy_file("<f4", "(2, 86, 86)", bytes_of(too_large)), "'x' has a pixel that is 255.5, in image 1"},
      {npy_file("<f4", "(2, 86, 86)", bytes_of(negative)), "'x' has a pixel that is -0.5, in image 0"},
  };
  for (const auto& [file, words] : cases)
    expect_error(ErrorCode::bad_argument, words, [&text = file] { parse_images(text, "x"); });
}

TEST(Images, AreResizedByInterpolation) {
  std::string steps;  // one image of 2 x 43 columns, 0 to 126 along x
  for (int i = 0; i < 2 * 43; ++i) steps += static_cast<char>(3 * (i % 43));
  expect_error(ErrorCode::bad_argument,
               "has the shape (1, 2, 43); expected images, (N, 86, 86) or (N, 1, 86, 86); --re", [&] {
                 parse_images(idx_file({1, 2, 43}, steps), "x");
               });
  const Images images = parse_images(idx_file({1, 2, 43}, steps), "x", {.resize = true});
  ASSERT_EQ(images.n, 1);
  const auto& resized = std::get<std::vector<float>>(images.pixels);
  ASSERT_EQ(resized.size(), static_cast<std::size_t>(Lenet::image_pixels));
  for (std::size_t y = 0; y < 86; ++y) {
    EXPECT_EQ(resized[86 * y], 0) << "beyond the first centre";
    EXPECT_EQ(resized[86 * y + 1], 0.75f);
    EXPECT_EQ(resized[86 * y + 2], 2.25f);
    EXPECT_EQ(resized[86 * y + 84], 125.25f);
    EXPECT_EQ(resized[86 * y + 85], 126);
  }
  const std::string two = pixels(2);
  const Images same = parse_images(idx_file({2, 86, 86}, two), "x", {.resize = true});
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(same.pixels), as_bytes(two)) << "86 x 86 is not changed";
  expect_error(ErrorCode::bad_argument, "has the shape (1, 0, 43); expected images, (N, height, width)", [&] {
    parse_images(idx_file({1, 0, 43}, ""), "x", {.resize = true});
  });
}

TEST(Images, AreReadUpToTheWantedNumber) {
  const std::string three = pixels(3);
  for (const std::string& file : {idx_file({3, 86, 86}, three), npy_file("|u1", "(3, 86, 86)", three)}) {
    const Images two = parse_images(file, "x", {.first = 2});
    EXPECT_EQ(two.n, 2);
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(two.pixels), as_bytes(three.substr(0, 2 * Lenet::image_pixels)));
    EXPECT_EQ(parse_images(file, "x", {.first = 5}).n, 3);
  }
  expect_error(ErrorCode::bad_argument, "does not match its header", [&] {
    parse_images(idx_file({4, 86, 86}, three), "x", {.first = 2});
  });
}

TEST(Images, AreSeenToBeFractions) {
  Images images{1, std::vector<float>(Lenet::image_pixels)};
  EXPECT_FALSE(look_like_fractions(images)) << "all black";
  std::get<1>(images.pixels)[7] = 0.5f;
  EXPECT_TRUE(look_like_fractions(images));
  std::get<1>(images.pixels)[7] = 1.5f;
  EXPECT_FALSE(look_like_fractions(images));
  EXPECT_FALSE(look_like_fractions({}));
}

TEST(Images, AreUnpacked) {
  const lab::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "x.gz";
  base::write_file(folder.path() / "x", idx_file({2, 86, 86}, pixels(2)));
  ASSERT_TRUE(base::run({"gzip", "-k", (folder.path() / "x").string()}).succeeded());
  EXPECT_EQ(std::get<0>(read_images(path).pixels), as_bytes(pixels(2)));
  base::write_file(path, base::read_file(path)->substr(0, 100));
  expect_error(ErrorCode::bad_argument, "x.gz' cannot be unpacked: gzip reports", [&] { read_images(path); });
}

TEST(Labels, AreReadFromIdxAndNpy) {
  const std::vector<std::int32_t> expected{0, 9, 5};
  EXPECT_EQ(parse_labels(idx_file({3}, std::string("\x00\x09\x05", 3)), "y"), expected);
  const auto expect_type = [&]<class T>(T, const char* type) {
    EXPECT_EQ(parse_labels(npy_file(type, "(3,)", bytes_of(std::vector<T>{0, 9, 5})), "y"), expected) << type;
  };
  expect_type(std::uint8_t{}, "|u1");
  expect_type(std::int8_t{}, "|i1");
  expect_type(std::uint16_t{}, "<u2");
  expect_type(std::int16_t{}, "<i2");
  expect_type(std::uint32_t{}, "<u4");
  expect_type(std::int32_t{}, "<i4");
  expect_type(std::uint64_t{}, "<u8");
  expect_type(std::int64_t{}, "<i8");
}

TEST(Labels, RejectsInvalidFilesWithWhatWasExpected) {
  const struct {
    std::string file, words;
  } cases[] = {
      {idx_file({3}, "\x01\x0a\x02"), "'y' has the label 10 for image 1: expected 0 to 9"},
      {npy_file("<i8", "(1,)", bytes_of(std::vector<std::int64_t>{-1})), "'y' has the label -1 for image 0"},
      {npy_file("<u8", "(1,)", bytes_of(std::vector<std::uint64_t>{~0ull})), "'y' has the label 18446744073709551615"},
      {npy_file("<f4", "(1,)", bytes_of(std::vector<float>{1})), "type '<f4'; expected integers, as '<i8'"},
      {npy_file("|u1", "(3, 1)", "abc"), "'y' has the shape (3, 1); expected labels, (N,)"},
      {idx_file({1, 3}, "abc"), "'y' has the shape (1, 3); expected labels, (N,)"},
      {idx_file({4}, "abc"), "'y' does not match its header: (4,) bytes from byte 8 on; the file has 3"},
  };
  for (const auto& [file, words] : cases)
    expect_error(ErrorCode::bad_argument, words, [&text = file] { parse_labels(text, "y"); });
}

TEST(Images, NamesFilesThatCannotBeOpened) {
  const lab::TemporaryFolder folder;
  base::write_file(folder.path() / "x", idx_file({1, 86, 86}, pixels(1)));
  base::write_file(folder.path() / "y", idx_file({1}, "\x03"));
  EXPECT_EQ(read_images(folder.path() / "x").n, 1);
  EXPECT_EQ(read_labels(folder.path() / "y"), std::vector<std::int32_t>{3});
  expect_error(ErrorCode::io, "cannot read '/nowhere/x': No such file or directory", [] { read_images("/nowhere/x"); });
  expect_error(ErrorCode::io, "cannot read", [&] { read_labels(folder.path()); });
}

}  // namespace
}  // namespace rafter::classify
