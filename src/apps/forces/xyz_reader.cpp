#include "apps/forces/xyz_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/forces/elements.hpp"
#include "apps/forces/text.hpp"
#include "rafter/error.hpp"

namespace rafter::forces {

namespace {

bool is_blank_line(std::string_view line) { return trimmed(line).empty(); }

/// Returns the number of atoms if it is the only word of the line.
std::optional<std::int64_t> count_in(std::string_view line) {
  const auto count = number_in<std::int64_t>(trimmed(line));
  return count && *count >= 0 ? count : std::nullopt;
}

/// Returns whether a line looks like an atom in any order of columns: at least four words, three of them numbers, and
/// no key.
bool looks_like_atom(std::string_view line) {
  if (line.find('=') != std::string_view::npos) return false;
  int n_words = 0, n_numbers = 0;
  for (std::string_view word; !(word = next_word(line)).empty(); ++n_words)
    n_numbers += number_in<double>(word).has_value() ? 1 : 0;
  return n_words >= 4 && n_numbers >= 3;
}

}  // namespace

void XyzReader::note(std::string reason) {
  if (!fault_) fault_ = FrameFault{lines_.number(), std::move(reason)};
}

void XyzReader::skip_blank_lines() {
  while (const auto line = lines_.line()) {
    if (!is_blank_line(*line)) return;
    lines_.advance();
  }
}

std::optional<std::variant<Frame, SkippedFrame>> XyzReader::next() {
  skip_blank_lines();
  if (!lines_.line()) return std::nullopt;
  fault_.reset();
  Frame frame{.index = n_frames_++, .line = lines_.number()};
  read_lines(frame);
  if (!fault_) fault_ = fault_of(frame, n_elements_);
  if (!fault_) return frame;
  return SkippedFrame{.index = frame.index,
                      .line = fault_->line,
                      .first_line = frame.line,
                      .last_line = lines_.number() - 1,
                      .reason = std::move(fault_->reason)};
}

/// Reads to the end of the frame, or to the beginning of the next one if a fault hides the end.
void XyzReader::read_lines(Frame& frame) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  std::string_view first = *lines_.line();
  if (frame.index == 0 && first.starts_with(byte_order_mark)) first.remove_prefix(byte_order_mark.size());
  const auto count = count_in(first);
  if (!count) {
    note(fmt::format("expected the number of atoms of a frame, got {}", show_text(first)));
    lines_.advance();
    return skip_to_frame();
  }
  n_atoms_ = *count;
  lines_.advance();
  read_comment(frame);
  read_atoms(frame);
}

void XyzReader::read_comment(Frame& frame) {
  columns_ = {};
  comment_is_atom_ = false;
  const auto line = lines_.line();
  if (!line) return note(fmt::format("the file ends after the atom count, {}, of a frame", n_atoms_));
  comment_is_atom_ = looks_like_atom(*line);
  try {
    if (line->size() > LineReader::longest_line)
      throw Error(ErrorCode::bad_argument, fmt::format("the line is longer than {} bytes", LineReader::longest_line));
    XyzComment comment = parse_comment(*line);
    frame.cell = comment.cell;
    frame.other_keys = std::move(comment.other_keys);
    columns_ = comment.columns;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_argument) throw;
    note(error.what());
  }
  lines_.advance();
}

/// Reads the atoms. A fault in a line of four words or more is recorded, and the next line is the next atom. A line of
/// fewer words is not an atom.
void XyzReader::read_atoms(Frame& frame) {
  for (std::int64_t atom = 0; atom < n_atoms_; ++atom) {
    const auto line = lines_.line();
    const char* hint = comment_is_atom_ ? "; the second line of a frame must be a comment, but here it is an atom" : "";
    if (!line) return note(fmt::format("the file ends after {} of {} atoms{}", atom, n_atoms_, hint));
    words_.clear();
    std::string_view rest = *line;
    for (std::string_view word; !(word = next_word(rest)).empty();) words_.push_back(word);
    if (words_.size() < 4) {
      note(fmt::format("expected atom {} of {}, got {}{}", atom + 1, n_atoms_, show_text(*line), hint));
      return skip_to_frame();
    }
    if (!fault_) read_atom(*line, frame);
    lines_.advance();
  }
  const auto behind = lines_.line();
  if (!behind || !looks_like_atom(*behind)) return;
  note(fmt::format("expected the next frame after {} atoms, got {}", n_atoms_, show_text(*behind)));
  skip_to_frame();
}

/// Parses an atom from words_.
void XyzReader::read_atom(std::string_view line, Frame& frame) {
  if (line.size() > LineReader::longest_line)
    return note(fmt::format("the line is longer than {} bytes", LineReader::longest_line));
  if (words_.size() < columns_.n || (columns_.are_all && words_.size() > columns_.n))
    return note(fmt::format("expected {} columns, as Properties says, got {}", columns_.n, words_.size()));
  const std::string_view name = words_[columns_.element];
  const auto element = element_called(name);
  if (!element)
    return note(
        fmt::format("{} is not an element; expected a symbol such as 'C' or an atomic number", show_text(name)));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string_view word = words_[columns_.position + axis];
    const auto number = number_in<double>(word);
    if (!number) return note(fmt::format("{} is not a number; expected {} of an atom", show_text(word), "xyz"[axis]));
    if (!std::isfinite(*number)) return note(fmt::format("{} of an atom is {}", "xyz"[axis], *number));
    frame.positions.push_back(*number);
  }
  frame.elements.push_back(*element);
}

bool XyzReader::begins_frame() {
  const auto first = lines_.line();
  const auto count = first ? count_in(*first) : std::nullopt;
  if (!count) return false;
  const auto comment = lines_.line(1);
  if (!comment || looks_like_atom(*comment)) return false;
  const auto atom = lines_.line(2);
  return *count == 0 || (atom && looks_like_atom(*atom));
}

void XyzReader::skip_to_frame() {
  while (lines_.line() && !begins_frame()) lines_.advance();
}

}  // namespace rafter::forces
