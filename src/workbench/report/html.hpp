// HTML text, page head and figures.
#pragma once

#include <string>
#include <string_view>

#include "workbench/draw/figure.hpp"

namespace rafter::report {

/// Escapes a text for HTML and raises the digits after a caret: 2^28.
std::string escaped(std::string_view text);

/// Escapes a text for an attribute, without raised digits.
std::string attribute(std::string_view text);

/// Returns a command as an element. Its words, which may be quoted, and each option with its value stay on one line if
/// they fit.
std::string code(std::string_view command);

/// The heading over bars from 0 to 100 % of the floor.
inline constexpr const char* bar_scale =
    "<th><div class=\"scale\"><span>0</span><span>50</span><span>100 %</span></div></th>";

/// Returns the head of a page with all styles: light and dark, narrow and wide, print.
std::string page_head(const std::string& title);

/// The figures of one page. They are inline SVG, not images, so that browsers show values under the pointer.
class Pictures {
 public:
  /// Returns the figure as elements for light and dark pages, of which a browser shows one, or "" if this build cannot
  /// draw. `what` is the text for screen readers.
  std::string add(const draw::Figure& figure, const std::string& what);

 private:
  int n_ = 0;  // ids of different figures must differ
};

}  // namespace rafter::report
