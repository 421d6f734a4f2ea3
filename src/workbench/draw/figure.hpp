// The description of a figure: panels of fields, curves and bars. It can be rendered as PNG, SVG and PDF (render.hpp).
// In every text, digits after a caret are raised: "2^28", "10^-3".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "workbench/draw/colour.hpp"

namespace rafter::draw {

enum class Scale { linear, log2, log10 };

struct Range {
  double low = 0;
  double high = 0;
};

/// A tick on an axis.
struct Tick {
  double value = 0;
  std::string label{};  ///< empty: a tick without a number
};

struct Axis {
  std::string label{};
  std::string unit{};  ///< "ms"; shown in brackets after the label
  Scale scale = Scale::linear;
  std::optional<Range> range{};  ///< nullopt: slightly more than the data
  std::vector<Tick> ticks{};     ///< empty: round numbers; labels without space are left out
};

/// The values of cells as colours, with a colour bar. Infinities have the colours of the ends, NaN is grey.
struct FieldPanel {
  std::string title{};
  Axis x{};       ///< along the columns; its range is the extent of the cells
  Axis y{};       ///< along the rows, upward; its range is the extent of the cells
  Axis colour{};  ///< default range: that of the finite values
  std::int64_t n_rows = 0;
  std::int64_t n_columns = 0;
  std::vector<double> values{};  // [n_rows, n_columns]
};

struct DataPoint {
  double x = 0;
  double y = 0;
};

enum class Marks { line, points, line_and_points };

/// The style of a series. solid: a line and filled markers; dashed: for comparison; reference: grey and dashed, like a
/// Reference.
enum class Look { solid, dashed, reference };

/// A curve. Points that are not finite are gaps.
struct Series {
  std::string name{};  ///< legend entry; empty: none
  std::vector<DataPoint> points{};
  Marks marks = Marks::line_and_points;
  Look look = Look::solid;
  std::vector<std::string> hints{};  ///< texts that a browser shows over the points of an SVG; empty, or one per point
  std::optional<std::size_t>
      identity{};  ///< selects the colour and marker in all panels; nullopt: its index in this panel
};

/// A dashed line across the plot: a floor, a roof, a target.
struct Reference {
  enum class At { x, y };
  At at = At::y;
  double value = 0;
  std::string label{};
};

/// A text near a point, placed to cover least.
struct Note {
  DataPoint at{};
  std::string text{};
};

struct ChartPanel {
  std::string title{};
  Axis x{};
  Axis y{};
  std::vector<Series> series{};
  std::vector<Reference> references{};
  std::vector<Note> notes{};
  double width = 400;  ///< width of the plot in points
  double height = 250;
};

struct Bar {
  std::string label{};
  double value = 0;
  std::string note{};  ///< text at the end of the bar: "87 %"
  std::string hint{};  ///< text that a browser shows over it in an SVG
};

/// Horizontal bars from zero, the first on top.
struct BarPanel {
  std::string title{};
  Axis value{};  ///< must be linear: a logarithmic axis has no zero
  std::vector<Bar> bars{};
  std::vector<Reference> references{};  ///< only at an x
  double width = 400;
};

using Panel = std::variant<FieldPanel, ChartPanel, BarPanel>;

struct Figure {
  std::string title{};
  std::string subtitle{};
  std::vector<Panel> panels{};
  int n_columns = 1;  ///< panels side by side
  Theme theme = Theme::light;
};

/// Throws Error (bad_argument) for a figure that cannot be drawn: nothing to show, inconsistent sizes, an invalid
/// range, a value of zero or less on a logarithmic axis.
void require_drawable(const Figure& figure);

}  // namespace rafter::draw
