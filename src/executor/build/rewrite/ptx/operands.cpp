#include "executor/build/rewrite/ptx/operands.hpp"

#include <algorithm>
#include <cctype>

#include "executor/build/rewrite/ptx/names.hpp"

namespace rafter::simt::build::ptx {

std::string stripped(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

Words split(std::string_view text, char at) {
  Words parts;
  int depth = 0;
  std::string part;
  for (const char c : text) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c == at && depth == 0) {
      parts.push_back(stripped(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!stripped(part).empty()) parts.push_back(stripped(part));
  return parts;
}

std::optional<std::string> Operands::value(const std::string& text, std::string_view type) const {
  if (text.empty()) return std::nullopt;
  if (registers_.contains(text)) return "rafter_simt_r_" + text;
  if (text.starts_with("%[") && text.ends_with("]")) {
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (operands_[i].name == text.substr(2, text.size() - 3)) return "rafter_simt_v" + std::to_string(i);
    }
    return std::nullopt;
  }
  if (text[0] == '%' && text.size() > 1 && std::isdigit(text[1])) {
    const bool is_number = std::all_of(text.begin() + 1, text.end(), [](char c) { return std::isdigit(c); });
    if (!is_number || std::stoul(text.substr(1)) >= operands_.size()) return std::nullopt;
    return "rafter_simt_v" + text.substr(1);
  }
  const auto special = special_registers().find(std::string_view(text).substr(text[0] == '%' ? 1 : 0));
  if (special != special_registers().end()) return "::rafter_simt::ptx::Bits(" + std::string(special->second) + ")";
  if (text.size() == 10 && (text.starts_with("0f") || text.starts_with("0F"))) return "0x" + text.substr(2) + "u";
  const std::size_t digits = text[0] == '-' ? 1 : 0;
  const bool is_number = digits < text.size() && std::isdigit(text[digits]) &&
                         std::all_of(text.begin() + static_cast<long>(digits), text.end(),
                                     [](char c) { return std::isxdigit(c) || c == 'x' || c == 'U'; });
  if (!is_number || type == "float" || type == "double") return std::nullopt;
  return "::rafter_simt::ptx::Bits(" + text + (text.ends_with("U") ? "" : "ll") + ")";
}

std::optional<std::string> Operands::address(const std::string& text) const {
  if (!text.starts_with("[") || !text.ends_with("]")) return std::nullopt;
  const Words parts = split(text.substr(1, text.size() - 2), '+');
  if (parts.empty() || parts.size() > 2) return std::nullopt;
  const auto base = value(parts[0]), offset = parts.size() == 2 ? value(parts[1]) : std::optional<std::string>("0");
  if (!base || !offset) return std::nullopt;
  return *base + " + " + *offset;
}

}  // namespace rafter::simt::build::ptx
