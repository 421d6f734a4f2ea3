// CSV output.
#pragma once

#include <initializer_list>
#include <string>

namespace rafter::base {

/// Returns the field, quoted if necessary.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Returns a line of CSV, with the line break.
inline std::string csv_line(std::initializer_list<std::string> fields) {
  std::string line;
  for (const std::string& field : fields) line += (&field == fields.begin() ? "" : ",") + csv_field(field);
  return line + "\n";
}

}  // namespace rafter::base
