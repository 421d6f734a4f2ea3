// LeNet's weight files: round trips and malformed files.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>

#include "lenet_reference.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::classify {
namespace {

using lab::expect_error;
using lab::TemporaryFolder;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string good_file() {
  const TemporaryFolder folder;
  write_lenet_weights(folder.path() / "w", random_weights(1, -1));
  return text_of(folder.path() / "w");
}

LenetWeights parse(const std::string& file) { return parse_lenet_weights(std::as_bytes(std::span(file)), "w"); }

template <class T>
std::string with(std::string file, std::size_t at, T value) {
  std::memcpy(file.data() + at, &value, sizeof value);
  return file;
}

TEST(LenetWeightFile, RoundTripsBitForBit) {
  const TemporaryFolder folder;
  LenetWeights weights = random_weights(2, -1);
  weights.conv1[0] = -0.f;
  weights.fc2_bias[9] = std::numeric_limits<float>::denorm_min();
  write_lenet_weights(folder.path() / "deep/weights.bin", weights);
  const LenetWeights found = read_lenet_weights(folder.path() / "deep/weights.bin");
  EXPECT_EQ(std::memcmp(&found, &weights, sizeof weights), 0);
  EXPECT_EQ(folder.n_entries(), 2) << "nothing but the folder and the file";
}

TEST(LenetWeightFile, HasTheDocumentedLayout) {
  const std::string file = good_file();
  ASSERT_EQ(file.size(), 180788u);
  const auto integer = [&](std::size_t at) {
    std::int32_t value;
    std::memcpy(&value, file.data() + at, sizeof value);
    return value;
  };
  EXPECT_EQ(integer(0), 10);
  std::size_t at = 4;
  for (const int n : {200, 0, 0, 3152, 0, 0, 41504, 0, 330, 0}) {
    EXPECT_EQ(integer(at), n) << "at byte " << at;
    at += 4 + 4 * static_cast<std::size_t>(n);
  }
  EXPECT_EQ(at, file.size());
  EXPECT_EQ(std::memcmp(file.data() + 8, random_weights(1, -1).conv1.data(), 4 * 196), 0);
}

TEST(LenetWeightFile, RejectsMalformedFilesAndNamesTheByte) {
  const std::string good = good_file();
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const struct {
    std::string file, words;
  } cases[] = {
      {"", "'w' is cut short at byte 0: expected more of the number of layers, and 180788 bytes in total"},
      {good.substr(0, 3), "'w' is cut short at byte 3: expected more of the number of layers"},
      {good.substr(0, 4), "'w' is cut short at byte 4: expected more of the number of values of layer 1"},
      {good.substr(0, 100), "'w' is cut short at byte 100: expected more of layer 1 (convolution 1 -> 4, 7 x 7)"},
      {good.substr(0, 180787), "'w' is cut short at byte 180787: expected more of the number of values of layer 10"},
      {good + '\0', "'w' has more data at byte 180788: expected the end of the file after ten layers"},
      {with(good, 0, 9), "'w' has 9 layers at byte 0: expected 10"},
      {with(good, 0, 0x0a000000), "'w' has 167772160 layers at byte 0: expected 10"},
      {with(good, 0, -10), "'w' has -10 layers at byte 0: expected 10"},
      {with(good, 4, 196), "'w' has 196 values for layer 1 (convolution 1 -> 4, 7 x 7) at byte 4: expected 200"},
      {with(good, 4, -1), "'w' has -1 values for layer 1 (convolution 1 -> 4, 7 x 7) at byte 4: expected 200"},
      {with(good, 4, 0x7fffffff), "'w' has 2147483647 values for layer 1"},
      {with(good, 808, 1), "'w' has 1 values for layer 2 (ReLU) at byte 808: expected 0"},
      {with(good, 816, 3136),
       "'w' has 3136 values for layer 4 (convolution 4 -> 16, 7 x 7) at byte 816: expected 3152"},
      {with(good, 13436, 0), "'w' has 0 values for layer 7 (fully connected 1296 -> 32) at byte 13436: expected 41504"},
      {with(good, 8, nan),
       "'w' has nan as value 0 of layer 1 (convolution 1 -> 4, 7 x 7) at byte 8: expected a finite"},
      {with(good, 180780, -infinity), "'w' has -inf as value 329 of layer 9 (fully connected 32 -> 10) at byte 180780"},
  };
  for (const auto& [file, words] : cases) {
    expect_error(ErrorCode::bad_argument, words, [&, &file = file] { parse(file); });
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "w", std::ios::binary) << file;
    expect_error(ErrorCode::bad_argument, words.substr(4),
                 [&] { static_cast<void>(read_lenet_weights(folder.path() / "w")); });
  }
}

TEST(LenetWeightFile, ReportsFilesThatCannotBeReadOrWritten) {
  const TemporaryFolder folder;
  expect_error(ErrorCode::io, "cannot read '/nowhere/w'", [] { static_cast<void>(read_lenet_weights("/nowhere/w")); });
  expect_error(ErrorCode::io, "cannot read", [&] { static_cast<void>(read_lenet_weights(folder.path())); });
  std::filesystem::create_directory(folder.path() / "taken");
  expect_error(ErrorCode::io, "cannot write", [&] { write_lenet_weights(folder.path() / "taken", {}); });
  EXPECT_EQ(folder.n_entries(), 1) << "nothing is left behind";
}

}  // namespace
}  // namespace rafter::classify
