// WAV files for tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace rafter::score {

template <class T>
std::string little_endian(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

inline std::string chunk(const std::string& name, const std::string& content) {
  return name + little_endian(static_cast<std::uint32_t>(content.size())) + content +
         std::string(content.size() % 2, '\0');
}

struct WavHead {
  std::uint16_t tag = 1, channels = 1;
  std::uint32_t rate = 16000;
  std::uint16_t bits = 16;
};

inline std::string wav_format(const WavHead& head) {
  const auto frame = static_cast<std::uint16_t>(head.channels * head.bits / 8);
  return little_endian(head.tag) + little_endian(head.channels) + little_endian(head.rate) +
         little_endian(head.rate * frame) + little_endian(frame) + little_endian(head.bits);
}

/// A file with chunks before the data, as recorders write them.
inline std::string wav_file(const WavHead& head, const std::string& samples) {
  return chunk("RIFF", "WAVE" + chunk("LIST", "odd") + chunk("fmt ", wav_format(head)) + chunk("data", samples));
}

inline std::string wav_file(const std::vector<std::int16_t>& samples, std::uint32_t rate) {
  std::string bytes;
  for (const std::int16_t sample : samples) bytes += little_endian(sample);
  return wav_file({.rate = rate}, bytes);
}

}  // namespace rafter::score
