// Moments as files have them.
#pragma once

#include <ctime>
#include <string>

namespace rafter::base {

/// "2026-01-02T03:04:05Z"
inline std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace rafter::base
