// What a process of the executor left behind, ready to be shown.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace rafter::simt::report {

/// Its places are lines of source outside of `own_headers`, and findings at the same lines are one. Null unless the
/// text is a report.
nlohmann::json parse_report(const std::string& text, const std::filesystem::path& own_headers);

/// The same for a file, which is not there when the process ended before it found or launched anything.
nlohmann::json read_report(const std::filesystem::path& file, const std::filesystem::path& own_headers);

}  // namespace rafter::simt::report
