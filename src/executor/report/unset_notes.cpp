#include "executor/report/unset_notes.hpp"

#include <algorithm>
#include <fstream>

#include "executor/report/source_lines.hpp"

namespace rafter::simt::report {

using nlohmann::json;

namespace {

json side(const build::UnsetLocal& local, int line, const char* action) {
  std::ifstream file(local.file);
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
