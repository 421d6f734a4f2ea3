#include "solve/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solve/colour_map.hpp"
#include "solve/ticks.hpp"

namespace rafter::solve {

namespace {

constexpr int usual_side = 720;  // pixels of the longer side, unless there are more cells
constexpr int longest_side = 2048;
constexpr Colour white{255, 255, 255};
constexpr Colour dark{38, 38, 46};
constexpr Colour soft{112, 112, 124};

/// Lengths in pixels; text and gaps grow with the plot.
struct Layout {
  Plot plot;
  double unit = 1;
  TextStyle title, words, numbers;
  Ticks right, up;
  int bar_width = 0;
};

int at_least(double pixels, int least) { return std::max(least, static_cast<int>(std::lround(pixels))); }

double widest(const Ticks& ticks, const TextStyle& style) {
  double width = 0;
  for (const Tick& tick : ticks.ticks) width = std::max(width, text_width(tick.label, style));
  return width;
}

Layout layout_of(const Slice& slice) {
  const auto n = static_cast<int>(std::min<std::int64_t>(std::max(slice.n_rows, slice.n_columns), longest_side));
  const int side = n >= usual_side ? n : n * (usual_side / n);
  const double longer = std::max(slice.width, slice.height);
  Layout layout;
  layout.plot.width = at_least(side * slice.width / longer, side / 12);
  layout.plot.height = at_least(side * slice.height / longer, side / 12);
  layout.unit = std::max(1., side / static_cast<double>(usual_side));
  layout.title = {14 * layout.unit, 1.25, dark};
  layout.words = {10.5 * layout.unit, 1, soft};
  layout.numbers = {10 * layout.unit, 1, dark};
  layout.right = ticks_of(0, slice.width, std::max(1, layout.plot.width / at_least(110 * layout.unit, 1)));
  layout.up = ticks_of(0, slice.height, std::max(1, layout.plot.height / at_least(90 * layout.unit, 1)));
  layout.bar_width = at_least(22 * layout.unit, 1);
  layout.plot.x = at_least(52 * layout.unit + widest(layout.up, layout.numbers), 1);
  layout.plot.y = at_least(78 * layout.unit, 1);
  return layout;
}

Range range_of(const Slice& slice) {
  Range range{1, 0};
  for (const double value : slice.values) {
    if (!std::isfinite(value)) continue;
    if (range.low > range.high) range = {value, value};
    range = {std::min(range.low, value), std::max(range.high, value)};
  }
  return range.low > range.high ? Range{0, 1} : range;
}

/// A scale of no length is one around its only value.
Range widened(Range range) {
  if (range.low < range.high) return range;
  const double half = range.low != 0 ? 0.1 * std::abs(range.low) : 1;
  return {range.low - half, range.low + half};
}

/// The cells behind pixel `i` of `n_pixels`: all of them where several share one, else the one in its middle.
std::pair<std::int64_t, std::int64_t> cells_of(int i, int n_pixels, std::int64_t n_cells) {
  if (n_cells <= n_pixels) {
    const std::int64_t cell = (2 * i + 1) * n_cells / (2 * n_pixels);
    return {cell, cell + 1};
  }
  return {i * n_cells / n_pixels, std::max(i * n_cells / n_pixels + 1, (i + 1) * n_cells / n_pixels)};
}

void draw_slice(Image& image, const Plot& plot, const Slice& slice, Range scale) {
  for (int j = 0; j < plot.height; ++j) {
    const auto [row, row_end] = cells_of(plot.height - 1 - j, plot.height, slice.n_rows);
    for (int i = 0; i < plot.width; ++i) {
      const auto [column, column_end] = cells_of(i, plot.width, slice.n_columns);
      double sum = 0;
      for (std::int64_t r = row; r < row_end; ++r) {
        for (std::int64_t c = column; c < column_end; ++c) {
          sum += slice.values[static_cast<std::size_t>(r * slice.n_columns + c)];
        }
      }
      const double value = sum / static_cast<double>((row_end - row) * (column_end - column));
      image.set(plot.x + i, plot.y + j, colour_of((value - scale.low) / (scale.high - scale.low)));
    }
  }
}

/// "10^3", its exponent raised, as a factor of the numbers it stands beside.
void draw_factor(Image& image, double x, double baseline, int exponent, const TextStyle& style) {
  if (exponent == 0) return;
  draw_text(image, x, baseline, "*10", style);
  TextStyle raised = style;
  raised.height *= 0.72;
  draw_text(image, x + text_width("*10", style), baseline - 0.6 * style.height, std::to_string(exponent), raised);
}

void draw_axes(Image& image, const Layout& layout, const Slice& slice) {
  const auto& [plot, unit, title, words, numbers, right, up, bar] = layout;
  image.frame(plot.x, plot.y, plot.width, plot.height, dark);
  const int mark = at_least(5 * unit, 1);
  const double bottom = plot.y + plot.height;
  for (const Tick& tick : right.ticks) {
    const double x = plot.x + tick.value / slice.width * plot.width;
    image.fill(static_cast<int>(x), static_cast<int>(bottom) + 1, 1, mark, dark);
    draw_text(image, x - text_width(tick.label, numbers) / 2, bottom + 10 * unit + numbers.height, tick.label, numbers);
  }
  for (const Tick& tick : up.ticks) {
    const double y = bottom - tick.value / slice.height * plot.height;
    image.fill(plot.x - 1 - mark, static_cast<int>(y), mark, 1, dark);
    draw_text(image, plot.x - 10 * unit - text_width(tick.label, numbers), y + numbers.height / 2, tick.label, numbers);
  }
  const std::string right_name(1, slice.right), up_name(1, slice.up);
  TextStyle letters = numbers;
  letters.height *= 1.25;
  draw_text(image, plot.x + plot.width / 2., bottom + 44 * unit, right_name, letters);
  draw_factor(image, plot.x + plot.width / 2. + 12 * unit, bottom + 44 * unit, right.exponent, numbers);
  draw_text(image, 18 * unit, plot.y + plot.height / 2. + 4 * unit, up_name, letters);
  draw_factor(image, 10 * unit, plot.y + plot.height / 2. + 24 * unit, up.exponent, numbers);
}

void draw_scale(Image& image, const Layout& layout, Range scale, const Ticks& ticks) {
  const Plot& plot = layout.plot;
  const int x = plot.x + plot.width + at_least(28 * layout.unit, 1);
  for (int j = 0; j < plot.height; ++j) {
    const double value = (plot.height - 1 - j) / std::max(1., plot.height - 1.);
    image.fill(x, plot.y + j, layout.bar_width, 1, colour_of(value));
  }
  image.frame(x, plot.y, layout.bar_width, plot.height, dark);
  const int mark = at_least(5 * layout.unit, 1);
  for (const Tick& tick : ticks.ticks) {
    const double share = (tick.value - scale.low) / (scale.high - scale.low);
    const double y = plot.y + (1 - share) * (plot.height - 1);
    image.fill(x + layout.bar_width + 1, static_cast<int>(std::lround(y)), mark, 1, dark);
    draw_text(image, x + layout.bar_width + 10 * layout.unit, y + 0.5 + layout.numbers.height / 2, tick.label,
              layout.numbers);
  }
  draw_factor(image, x, plot.y - 9 * layout.unit, ticks.exponent, layout.numbers);
}

}  // namespace

Plot plot_of(const Slice& slice) { return layout_of(slice).plot; }

Image picture_of(const Slice& slice, const FieldNote& note, const std::optional<Range>& wanted) {
  const Layout layout = layout_of(slice);
  const Plot& plot = layout.plot;
  const Range own = range_of(slice);
  const Range scale = widened(wanted.value_or(own));
  const Ticks ticks = ticks_of(scale.low, scale.high, std::max(2, plot.height / at_least(80 * layout.unit, 1)));

  const std::string title = fmt::format("{} at t = {:.6g}", note.quantity, note.time);
  const std::string words = fmt::format("step {}, slice at {} = {:.4g} (cell {}), values from {:.4g} to {:.4g}",
                                        note.step, slice.across, slice.position, slice.cell, own.low, own.high);
  const double to_the_right = 28 * layout.unit + layout.bar_width + 34 * layout.unit + widest(ticks, layout.numbers);
  const double text_end = 20 * layout.unit + std::max(text_width(title, layout.title), text_width(words, layout.words));
  const int width = std::max(at_least(plot.width + to_the_right, 1), static_cast<int>(std::ceil(text_end)));
  Image image(plot.x + width, plot.y + plot.height + at_least(58 * layout.unit, 1), white);
  draw_text(image, plot.x, 32 * layout.unit, title, layout.title);
  draw_text(image, plot.x, 54 * layout.unit, words, layout.words);
  draw_slice(image, plot, slice, scale);
  draw_axes(image, layout, slice);
  draw_scale(image, layout, scale, ticks);
  return image;
}

}  // namespace rafter::solve
