#include "apps/score/wav.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <istream>

#include "base/input_file.hpp"
#include "rafter/error.hpp"

namespace rafter::score {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers of files are read as they are");

constexpr int pcm = 1, ieee_float = 3, extensible = 0xfffe;
constexpr std::uint32_t unknown_length = 0xffffffff;  // of programs that write to a pipe

template <class T>
T number_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// A sample as a fraction of the range of its type.
double sample_at(const char* bytes, int n_bytes, bool is_float) {
  if (is_float) return n_bytes == 4 ? static_cast<double>(number_at<float>(bytes)) : number_at<double>(bytes);
  if (n_bytes == 1) return (static_cast<double>(static_cast<unsigned char>(*bytes)) - 128) / 128;  // unsigned
  std::uint32_t word = 0;
  std::memcpy(reinterpret_cast<char*>(&word) + (4 - n_bytes), bytes, static_cast<std::size_t>(n_bytes));
  return static_cast<double>(static_cast<std::int32_t>(word)) / 0x1p31;
}

}  // namespace

void WavFile::refuse(const std::string& complaint) const {
  throw Error(ErrorCode::bad_argument, fmt::format("'{}' {}", path_.string(), complaint));
}

void WavFile::read_format(std::istream& stream, std::uint32_t n_bytes) {
  std::array<char, 40> format{};
  if (n_bytes < 16) refuse("has a format chunk that is too short");
  stream.read(format.data(), std::min<std::streamsize>(n_bytes, std::ssize(format)));
  if (!stream) refuse("is truncated");
  int tag = number_at<std::uint16_t>(format.data());
  if (tag == extensible && n_bytes >= 40)
    tag = number_at<std::uint16_t>(format.data() + 24);  // the GUID begins with it
  n_channels_ = number_at<std::uint16_t>(format.data() + 2);
  const auto rate = number_at<std::uint32_t>(format.data() + 4);
  const int bits = number_at<std::uint16_t>(format.data() + 14);
  bytes_per_sample_ = bits / 8;
  is_float_ = tag == ieee_float;
  const bool is_integer = tag == pcm && (bits == 8 || bits == 16 || bits == 24 || bits == 32);
  if (!is_integer && !(is_float_ && (bits == 32 || bits == 64)))
    refuse(
        fmt::format("has samples of format {} with {} bits; expected PCM of 8, 16, 24 or 32 bits, or floating point "
                    "of 32 or 64 bits",
                    tag, bits));
  if (n_channels_ == 0 || rate == 0 || rate > 1'000'000'000)
    refuse(fmt::format("has {} channels at {} Hz", n_channels_, rate));
  sample_rate_ = static_cast<int>(rate);
}

WavFile::WavFile(std::filesystem::path path) : path_(std::move(path)) {
  const base::RegularFile file = base::open_regular_file(path_);
  std::istream& stream = *file.stream;
  std::array<char, 12> riff{};
  stream.read(riff.data(), std::ssize(riff));
  if (!stream || std::memcmp(riff.data(), "RIFF", 4) != 0 || std::memcmp(riff.data() + 8, "WAVE", 4) != 0)
    refuse("is not a WAV file");
  std::int64_t at = std::ssize(riff);
  const auto n_file_bytes = static_cast<std::int64_t>(file.n_bytes);
  while (true) {
    std::array<char, 8> head{};
    stream.seekg(at);
    stream.read(head.data(), std::ssize(head));
    if (!stream) refuse("is truncated: it has no data chunk");
    const auto n_bytes = number_at<std::uint32_t>(head.data() + 4);
    at += std::ssize(head);
    if (std::memcmp(head.data(), "fmt ", 4) == 0) read_format(stream, n_bytes);
    if (std::memcmp(head.data(), "data", 4) == 0) {
      if (sample_rate_ == 0) refuse("has its data before their format");
      if (n_bytes == unknown_length)
        refuse("does not tell its length, as of a program that wrote it to a pipe; rewrite it");
      if (at + n_bytes > n_file_bytes)
        refuse(fmt::format("is truncated: {} bytes of samples are missing", at + n_bytes - n_file_bytes));
      data_at_ = at;
      n_samples_ = n_bytes / (bytes_per_sample_ * n_channels_);
      return;
    }
    at += n_bytes + n_bytes % 2;  // chunks begin at even offsets
  }
}

std::vector<double> WavFile::read(std::optional<int> channel) const {
  if (channel && (*channel < 0 || *channel >= n_channels_))
    refuse(fmt::format("has {} channel{}, and no channel {}", n_channels_, n_channels_ == 1 ? "" : "s", *channel));
  const base::RegularFile file = base::open_regular_file(path_);
  file.stream->seekg(data_at_);
  const std::int64_t frame_bytes = bytes_per_sample_ * n_channels_;
  std::vector<char> bytes(static_cast<std::size_t>(n_samples_ * frame_bytes));
  file.stream->read(bytes.data(), std::ssize(bytes));
  if (!*file.stream) refuse("became shorter while it was read");
  std::vector<double> samples(static_cast<std::size_t>(n_samples_));
  const int first = channel.value_or(0), last = channel.value_or(n_channels_ - 1);
  for (std::int64_t i = 0; i < n_samples_; ++i) {
    double sum = 0;
    for (int c = first; c <= last; ++c)
      sum += sample_at(bytes.data() + i * frame_bytes + c * bytes_per_sample_, bytes_per_sample_, is_float_);
    samples[static_cast<std::size_t>(i)] = sum / (last - first + 1);
  }
  return samples;
}

}  // namespace rafter::score
