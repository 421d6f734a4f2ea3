#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/files.hpp"
#include "rafter/error.hpp"
#include "workbench/draw/render.hpp"

namespace rafter::draw {

Format format_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (extension == ".png") return Format::png;
  if (extension == ".svg") return Format::svg;
  if (extension == ".pdf") return Format::pdf;
  throw Error(ErrorCode::bad_argument,
              fmt::format("a figure must be a FILE.png, FILE.svg or FILE.pdf, not '{}'", path.string()));
}

void write_figure(const std::filesystem::path& path, const Figure& figure) {
  base::write_file(path, render(figure, format_of(path)));
}

}  // namespace rafter::draw
