// Fuzzes the reader of XYZ files. For any bytes it returns good and skipped frames in order, and written frames read
// back the same. The first byte of an input is the size of the pieces it is read in.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "apps/forces/xyz_text.hpp"
#include "apps/forces/xyz_writer.hpp"

namespace {

using namespace rafter::forces;

constexpr std::int64_t n_elements_of_model = 101;

void require(bool holds) {
  if (!holds) std::abort();
}

void require_good(const ReadFrames& all) {
  for (const Frame& frame : all.frames)
    require(!fault_of(frame, n_elements_of_model) && frame.positions.size() == 3 * frame.elements.size());
  std::int64_t last_line = 0;
  for (const SkippedFrame& skipped : all.skipped) {
    require(skipped.first_line > last_line && skipped.last_line >= skipped.first_line && !skipped.reason.empty());
    require(skipped.line >= skipped.first_line && skipped.line <= skipped.last_line + 1);
    last_line = skipped.last_line;
  }
}

void require_same(const Frame& a, const Frame& b) {
  require(a.elements == b.elements && a.positions == b.positions && a.other_keys == b.other_keys);
  require(a.cell.has_value() == b.cell.has_value());
  require(!a.cell || (a.cell->vectors == b.cell->vectors && a.cell->is_periodic == b.cell->is_periodic));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  const ReadFrames all = read_frames(text, data[0] + 1u, n_elements_of_model);
  require_good(all);
  std::string written;
  for (const Frame& frame : all.frames)
    append_frame<double>(written, frame, {.energy = -1, .forces = frame.positions, .virial = Tensor3x3{}});
  const ReadFrames again = read_frames(written);
  require(again.skipped.empty() && again.frames.size() == all.frames.size());
  for (std::size_t i = 0; i < all.frames.size(); ++i) require_same(all.frames[i], again.frames[i]);
  return 0;
}
