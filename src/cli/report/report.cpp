#include "cli/report/report.hpp"

#include <fmt/format.h>

#include <list>

#include "base/json_file.hpp"
#include "cli/outputs.hpp"
#include "draw/render.hpp"
#include "report/page.hpp"

namespace rafter::cli {

int report(const ReportOptions& options) {
  const OutcomeFile out(options.out);
  require_outputs({out.file()}, options.results);
  std::list<nlohmann::json> documents;
  std::vector<report::Source> sources;
  for (const std::string& path : options.results) {
    documents.push_back(base::read_json(path));
    sources.push_back({path, &documents.back()});
  }
  out.write(report::page(options.title, sources));
  if (const auto reason = draw::why_no_drawing()) fmt::print(stderr, "rafter: the page has no pictures: {}\n", *reason);
  if (!out.is_stdout()) fmt::print("Report:  {}\n", options.out);
  return exit_good;
}

}  // namespace rafter::cli
