#include "apps/forces/xyz_writer.hpp"

#include <array>
#include <charconv>

#include "apps/forces/elements.hpp"
#include "apps/forces/frame_check.hpp"

namespace rafter::forces {

namespace {

/// Appends the shortest decimal representation that reads back to the same number.
template <class T>
void append_number(std::string& text, T value) {
  std::array<char, 32> digits;
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

template <class T>
void append_list(std::string& text, std::span<const T> values) {
  for (const T value : values) {
    append_number(text, value);
    text += ' ';
  }
  if (!values.empty()) text.pop_back();
}

void append_matrix(std::string& text, const char* key, const Tensor3x3& values) {
  text += key;
  text += "=\"";
  append_list<double>(text, values);
  text += "\" ";
}

void append_cell(std::string& text, const UnitCell& cell) {
  Tensor3x3 values{};
  for (std::size_t i = 0; i < 9; ++i) values[i] = cell.vectors[i / 3][i % 3];
  append_matrix(text, "Lattice", values);
}

void append_virial(std::string& text, const Frame& frame, const Tensor3x3& virial) {
  append_matrix(text, "virial", virial);
  const double volume = frame.cell && frame.cell->repeats() ? volume_of(*frame.cell) : 0;
  if (!(volume > 0)) return;
  Tensor3x3 stress{};
  for (std::size_t i = 0; i < 9; ++i) stress[i] = -virial[i] / volume;
  append_matrix(text, "stress", stress);
}

template <class T>
void append_comment(std::string& text, const Frame& frame, const FrameResults<T>& results) {
  if (frame.cell) append_cell(text, *frame.cell);
  text += results.forces.empty() ? "Properties=species:S:1:pos:R:3 " : "Properties=species:S:1:pos:R:3:forces:R:3 ";
  text += "energy=";
  append_number(text, results.energy);
  text += ' ';
  if (results.virial) append_virial(text, frame, *results.virial);
  if (!frame.other_keys.empty()) text += frame.other_keys + ' ';
  text += "pbc=\"";
  for (const bool repeats : frame.cell.value_or(UnitCell{}).is_periodic) text += repeats ? "T " : "F ";
  text.back() = '"';
}

}  // namespace

template <class T>
void append_frame(std::string& text, const Frame& frame, const FrameResults<T>& results) {
  append_number(text, frame.n_atoms());
  text += '\n';
  append_comment(text, frame, results);
  text += '\n';
  for (std::size_t atom = 0; atom < frame.elements.size(); ++atom) {
    text += symbol_of(frame.elements[atom]);
    text += ' ';
    append_list(text, std::span(frame.positions).subspan(3 * atom, 3));
    if (!results.forces.empty()) {
      text += ' ';
      append_list(text, results.forces.subspan(3 * atom, 3));
    }
    text += '\n';
  }
}

template void append_frame(std::string&, const Frame&, const FrameResults<float>&);
template void append_frame(std::string&, const Frame&, const FrameResults<double>&);

}  // namespace rafter::forces
