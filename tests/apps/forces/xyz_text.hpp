// Frames read from a text, in pieces of any size.
#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "apps/forces/xyz_reader.hpp"

namespace rafter::forces {

/// Returns a reader of a text in pieces of `at_a_time` bytes; the text must outlive it.
inline LineReader::Read bytes_of_text(const std::string& text, std::size_t at_a_time = std::string::npos) {
  return [&text, at_a_time, done = std::size_t{0}](std::span<char> bytes) mutable {
    const std::size_t n = std::min({at_a_time, bytes.size(), text.size() - done});
    std::copy_n(text.data() + done, n, bytes.data());
    done += n;
    return n;
  };
}

struct ReadFrames {
  std::vector<Frame> frames;
  std::vector<SkippedFrame> skipped;
};

inline ReadFrames read_frames(const std::string& text, std::size_t at_a_time = std::string::npos,
                              std::int64_t n_elements = 101) {
  XyzReader reader(bytes_of_text(text, at_a_time), n_elements);
  ReadFrames all;
  while (auto next = reader.next()) {
    if (auto* frame = std::get_if<Frame>(&*next)) {
      all.frames.push_back(std::move(*frame));
    } else {
      all.skipped.push_back(std::get<SkippedFrame>(*next));
    }
  }
  return all;
}

}  // namespace rafter::forces
