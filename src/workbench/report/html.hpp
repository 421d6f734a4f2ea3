// Pieces of HTML.
#pragma once

#include <string>
#include <string_view>

namespace rafter::report {

/// A text as HTML shows it: what would be markup is none, and a caret raises the digits after it: 2^28.
std::string escaped(std::string_view text);

/// For attributes: without raised digits.
std::string attribute(std::string_view text);

/// The beginning of a page, with all of its looks: light and dark, narrow and wide, on paper.
std::string page_head(const std::string& title);

}  // namespace rafter::report
