// Reads the frames of an XYZ file, plain or extended.
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

/// Reads one frame at a time. A frame that is malformed or rejected by fault_of() is skipped: to the end given by its
/// atom count if its lines exist, otherwise to the next lines that begin a frame, i.e. a count, a line that is not an
/// atom, and an atom.
class XyzReader {
 public:
  /// Reads frames for a model that supports atomic numbers below `n_elements`.
  XyzReader(LineReader::Read read, std::int64_t n_elements) : lines_(std::move(read)), n_elements_(n_elements) {}

  /// Returns the next frame, or the frame skipped in its place; nullopt at the end. Throws what `read` throws.
  std::optional<std::variant<Frame, SkippedFrame>> next();

  std::int64_t n_bytes() const { return lines_.n_bytes(); }  ///< bytes read

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
  // The frame being read.
  std::int64_t n_atoms_ = 0;
  AtomColumns columns_;
  bool comment_is_atom_ = false;
  std::optional<FrameFault> fault_;  // the first fault
  std::vector<std::string_view> words_;
};

}  // namespace rafter::forces
