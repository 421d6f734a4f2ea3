// Figures inside a page.
#pragma once

#include <string>

#include "workbench/draw/figure.hpp"

namespace rafter::report {

/// The figures of one page. They are part of it, not images in it: a browser shows the values under the mouse.
class Pictures {
 public:
  /// The figure as an element; empty where nothing here draws. `what` is for those who do not see it.
  std::string add(const draw::Figure& figure, const std::string& what);

 private:
  int n_ = 0;  // what the parts of figures are called must differ
};

}  // namespace rafter::report
