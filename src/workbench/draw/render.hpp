// Figures as files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "workbench/draw/figure.hpp"

namespace rafter::draw {

enum class Format { png, svg, pdf };

/// By a file's name; throws Error (bad_argument) for one that ends in none of .png, .svg and .pdf.
Format format_of(const std::filesystem::path& path);

/// The bytes of the file. Throws Error: bad_argument for a figure that cannot be drawn (require_drawable) or a text
/// that is not UTF-8, unsupported where this build or machine cannot draw.
std::string render(const Figure& figure, Format format);

/// Renders in the format of the file's name. The file is whole or not there.
void write_figure(const std::filesystem::path& path, const Figure& figure);

/// Nothing when figures can be drawn here; otherwise a sentence that says what is missing.
std::optional<std::string> why_no_drawing();

}  // namespace rafter::draw
