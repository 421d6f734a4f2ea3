#include "executor/report/report_file.hpp"

#include "base/files.hpp"
#include "executor/report/findings_text.hpp"
#include "executor/report/source_lines.hpp"

namespace rafter::simt::report {

namespace fs = std::filesystem;
using nlohmann::json;

json parse_report(const std::string& text, const fs::path& own_headers) {
  json report = json::parse(text, nullptr, false);
  if (!report.is_object()) return nullptr;
  resolve_places(report, fs::weakly_canonical(own_headers).string());
  drop_library_touches(report);
  merge_findings(report);
  return report;
}

json read_report(const fs::path& file, const fs::path& own_headers) {
  const auto text = base::read_file(file);
  return text ? parse_report(*text, own_headers) : json();
}

}  // namespace rafter::simt::report
