#include "report/pictures.hpp"

#include "draw/render.hpp"
#include "report/html.hpp"

namespace rafter::report {

std::string picture(const draw::Figure& figure, const std::string& what) {
  if (draw::why_no_drawing()) return "";
  return "<img alt=\"" + attribute(what) + "\" src=\"data:image/svg+xml;base64," +
         base64(draw::render(figure, draw::Format::svg)) + "\">\n";
}

}  // namespace rafter::report
