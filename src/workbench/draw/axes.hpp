// The axes of a plot: ticks, numbers, labels.
#pragma once

#include "workbench/draw/canvas.hpp"
#include "workbench/draw/ruler.hpp"

namespace rafter::draw {

inline constexpr TextStyle figure_title_style{.size = 12.5, .weight = TextStyle::Weight::bold};
inline constexpr TextStyle subtitle_style{.size = 9, .colour = soft};
inline constexpr TextStyle panel_title_style{.size = 10, .weight = TextStyle::Weight::bold};
inline constexpr TextStyle label_style{.size = 9.5};
inline constexpr TextStyle number_style{.size = 8.5};
inline constexpr TextStyle note_style{.size = 8.5, .colour = soft};

/// Returns the space that an axis takes outside of the plot.
double bottom_axis_height(const Ruler& ruler);
double side_axis_width(const Ruler& ruler);

void draw_bottom_axis(Canvas& canvas, const Box& plot, const Ruler& ruler);
void draw_left_axis(Canvas& canvas, const Box& plot, const Ruler& ruler);

/// Draws the axis to the right of a colour bar, with its label above, because it may be longer than the bar is high.
void draw_bar_axis(Canvas& canvas, const Box& bar, const Ruler& ruler);
double bar_axis_width(const Ruler& ruler, double bar_width);
double bar_label_height(const Ruler& ruler);

/// Draws faint lines at the numbered ticks.
void draw_grid_across(Canvas& canvas, const Box& plot, const Ruler& ruler);
void draw_grid_upward(Canvas& canvas, const Box& plot, const Ruler& ruler);

/// Draws a panel's title.
void draw_panel_title(Canvas& canvas, const Box& plot, const std::string& title);
/// Returns the space that a title takes.
double title_height(const std::string& title);

}  // namespace rafter::draw
