#include "workbench/report/pictures.hpp"

#include <fmt/format.h>

#include "workbench/draw/render.hpp"
#include "workbench/report/html.hpp"

namespace rafter::report {

namespace {

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

/// Removes NAME="..." with the space before it.
void drop_attribute(std::string& text, const std::string& name) {
  const std::size_t at = text.find(" " + name + "=\"");
  if (at == std::string::npos) return;
  text.erase(at, text.find('"', at + name.size() + 3) + 1 - at);
}

/// What stands in a file of its own, as an element of a page: no namespaces, and every name with a prefix.
std::string as_element(std::string svg, const std::string& prefix, const std::string& what) {
  svg.erase(0, std::min(svg.find("<svg"), svg.size()));
  drop_attribute(svg, "xmlns");
  drop_attribute(svg, "xmlns:xlink");
  replace_all(svg, "xlink:href", "href");
  replace_all(svg, " id=\"", " id=\"" + prefix);
  replace_all(svg, "href=\"#", "href=\"#" + prefix);
  replace_all(svg, "url(#", "url(#" + prefix);
  return svg.insert(4, fmt::format(" role=\"img\" aria-label=\"{}\"", attribute(what)));
}

}  // namespace

std::string Pictures::add(const draw::Figure& figure, const std::string& what) {
  if (draw::why_no_drawing()) return "";
  const std::string element = as_element(draw::render(figure, draw::Format::svg), fmt::format("p{}-", ++n_), what);
  return "<div class=\"wide\">" + element + "</div>\n";
}

}  // namespace rafter::report
