// Frames of an XYZ file, plain or extended, one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "apps/forces/frame.hpp"
#include "apps/forces/frame_check.hpp"
#include "apps/forces/line_reader.hpp"
#include "apps/forces/xyz_comment.hpp"

namespace rafter::forces {

/// Reads a frame at a time. One that is malformed, or that fault_of() complains about, is skipped: to the end that its
/// count says, when its lines are there, and otherwise to the next lines that begin a frame: a count, no atom, an atom.
class XyzReader {
 public:
  /// `n_elements`: atomic numbers below this are the model's.
  XyzReader(LineReader::Read read, std::int64_t n_elements) : lines_(std::move(read)), n_elements_(n_elements) {}

  /// The next frame, or what was skipped in its place; nothing at the end. Throws what reading throws.
  std::optional<std::variant<Frame, SkippedFrame>> next();

  std::int64_t n_bytes() const { return lines_.n_bytes(); }  ///< that were read

 private:
  void note(std::string reason);
  void read_lines(Frame& frame);
  void read_comment(Frame& frame);
  void read_atoms(Frame& frame);
  void read_atom(std::string_view line, Frame& frame);
  bool begins_frame();
  void skip_to_frame();
  void skip_blank_lines();

  LineReader lines_;
  std::int64_t n_elements_;
  std::int64_t n_frames_ = 0;
  // Of the frame that is being read.
  std::int64_t n_atoms_ = 0;
  AtomColumns columns_;
  bool comment_is_atom_ = false;
  std::optional<FrameFault> fault_;  // the first
  std::vector<std::string_view> words_;
};

}  // namespace rafter::forces
