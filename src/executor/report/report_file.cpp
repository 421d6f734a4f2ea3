#include "executor/report/report_file.hpp"

#include <algorithm>
#include <fstream>

#include "base/files.hpp"
#include "base/sandbox/sandbox.hpp"
#include "executor/report/findings_text.hpp"
#include "executor/report/source_lines.hpp"

namespace rafter::simt::report {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

json side(const build::UnsetLocal& local, int line, const char* action) {
  std::ifstream file(base::may_read(local.file) ? local.file : "");  // #line can name any file
  std::string text;
  for (int i = 0; i < line; ++i) std::getline(file, text);
  return {{"who", local.name},
          {"action", action},
          {"place", {{"file", short_name(local.file)}, {"line", line}, {"text", text}}}};
}

bool ran(const json& report, const std::string& kernel) {
  const json& kernels = report["kernels"];
  return kernel.empty() || std::any_of(kernels.begin(), kernels.end(), [&](const json& one) {
           return one["name"].get<std::string>().find(kernel) != std::string::npos;
         });
}

}  // namespace

json parse_report(const std::string& text, const fs::path& own_headers) {
  json report = json::parse(text, nullptr, false);
  if (!report.is_object()) return nullptr;
  resolve_places(report, fs::weakly_canonical(own_headers).string());
  drop_library_accesses(report);
  merge_findings(report);
  return report;
}

json read_report(const fs::path& file, const fs::path& own_headers) {
  const auto text = base::read_file(file);
  return text ? parse_report(*text, own_headers) : json();
}

json finding_of(const build::UnsetLocal& local) {
  json sides = json::array();
  if (local.declared > 0 && local.declared != local.line) sides.push_back(side(local, local.declared, "is declared"));
  sides.push_back(side(local, local.line, "is used"));
  return {{"kind", "unset_local"}, {"kernel", local.kernel}, {"count", 1}, {"sides", sides}, {"detail", ""}};
}

void add_unset_locals(json& report, const std::vector<build::UnsetLocal>& locals, Weight weight) {
  json& list = report[weight == Weight::finding ? "findings" : "notes"];
  for (const build::UnsetLocal& local : locals) {
    if (local.is_certain && ran(report, local.kernel)) list.push_back(finding_of(local));
  }
}

}  // namespace rafter::simt::report
