// Replaces rendering in builds without Cairo.
#include "rafter/error.hpp"
#include "workbench/draw/render.hpp"

namespace rafter::draw {

std::optional<std::string> why_no_drawing() { return "this build has no Cairo: install libcairo2-dev and build again"; }

std::string render(const Figure& figure, Format) {
  require_drawable(figure);
  throw Error(ErrorCode::unsupported, *why_no_drawing());
}

}  // namespace rafter::draw
