// Text in XML files.
#pragma once

#include <string>
#include <string_view>

namespace rafter::base {

/// Returns the text with the characters escaped that have a meaning in XML. Control characters, which XML does not
/// allow, become spaces.
inline std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return escaped;
}

}  // namespace rafter::base
