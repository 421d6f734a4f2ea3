// Renders figures as files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "workbench/draw/figure.hpp"

namespace rafter::draw {

enum class Format { png, svg, pdf };

/// Returns the format of a file name; throws Error (bad_argument) unless it ends in .png, .svg or .pdf.
Format format_of(const std::filesystem::path& path);

/// Returns the bytes of the file. Throws Error: bad_argument for a figure that cannot be drawn (require_drawable) or a
/// text that is not UTF-8, unsupported if this build or machine cannot draw.
std::string render(const Figure& figure, Format format);

/// Renders in the format of the file's name. The file is written completely or not at all.
void write_figure(const std::filesystem::path& path, const Figure& figure);

/// Returns nullopt if figures can be drawn here, otherwise a sentence on what is missing.
std::optional<std::string> why_no_drawing();

}  // namespace rafter::draw
