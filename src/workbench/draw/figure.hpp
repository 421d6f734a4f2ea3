// A figure as a description: panels of fields, curves and bars. One description gives a PNG, an SVG and a PDF
// (render.hpp). In every text, digits after a caret are raised: "2^28", "10^-3".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace rafter::draw {

enum class Scale { linear, log2, log10 };

struct Range {
  double low = 0;
  double high = 0;
};

/// A mark on an axis.
struct Tick {
  double value = 0;
  std::string label{};  ///< empty: a mark without a number
};

struct Axis {
  std::string label{};
  std::string unit{};  ///< "ms"; shown in brackets after the label
  Scale scale = Scale::linear;
  std::optional<Range> range{};  ///< nothing: what the data need, and a little more
  std::vector<Tick> ticks{};     ///< nothing: round numbers; a label that has no room is left out
};

/// Values of cells as colours, with a colour bar. Infinities have the ends' colours, NaN a grey.
struct FieldPanel {
  std::string title{};
  Axis x{};       ///< across the columns; its range is the cells' extent
  Axis y{};       ///< across the rows, which go up; likewise
  Axis colour{};  ///< without a range: the finite values' own
  std::int64_t n_rows = 0;
  std::int64_t n_columns = 0;
  std::vector<double> values{};  // [n_rows, n_columns]
};

struct DataPoint {
  double x = 0;
  double y = 0;
};

enum class Marks { line, points, line_and_points };

/// solid: a line and filled marks; dashed: beside them, for comparison; reference: grey and dashed, as a Reference is.
enum class Look { solid, dashed, reference };

/// A curve. A point that is not finite is a gap.
struct Series {
  std::string name{};  ///< in the legend; empty: not there
  std::vector<DataPoint> points{};
  Marks marks = Marks::line_and_points;
  Look look = Look::solid;
  std::vector<std::string> hints{};  ///< what a browser shows over each point of an SVG; none, or one for each
  std::optional<std::size_t>
      identity{};  ///< what has one colour and mark in all panels; nothing: its place in this one
};

/// A dashed line across the plot: a floor, a roof, a target.
struct Reference {
  enum class At { x, y };
  At at = At::y;
  double value = 0;
  std::string label{};
};

/// A text beside a point, where it hides least.
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
  double width = 400;  ///< of the plot, in points
  double height = 250;
};

struct Bar {
  std::string label{};
  double value = 0;
  std::string note{};  ///< at its end: "87 %"
  std::string hint{};  ///< what a browser shows over it in an SVG
};

/// Bars from zero to the right, the first on top.
struct BarPanel {
  std::string title{};
  Axis value{};  ///< linear: a bar on a logarithmic axis has no beginning
  std::vector<Bar> bars{};
  std::vector<Reference> references{};  ///< at an x
  double width = 400;
};

using Panel = std::variant<FieldPanel, ChartPanel, BarPanel>;

struct Figure {
  std::string title{};
  std::string subtitle{};
  std::vector<Panel> panels{};
  int n_columns = 1;  ///< panels side by side
};

/// Throws Error (bad_argument) for what cannot be drawn: nothing to show, sizes that do not agree, a range that is
/// none, a zero or less on a logarithmic axis.
void require_drawable(const Figure& figure);

}  // namespace rafter::draw
