#include "cli/report.hpp"

#include <fmt/format.h>

#include <list>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "cli/outputs.hpp"
#include "draw/render.hpp"
#include "report/page.hpp"

namespace rafter::cli {

namespace {

nlohmann::json read_results(const std::string& path) {
  const auto text = base::read_file(path);
  if (!text) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", path));
  nlohmann::json results = nlohmann::json::parse(*text, nullptr, false);
  if (results.is_discarded())
    throw Error(ErrorCode::bad_argument, fmt::format("'{}' is not JSON, or not all of it is there", path));
  return results;
}

}  // namespace

int report(const ReportOptions& options) {
  const OutcomeFile out(options.out);
  require_outputs({out.file()}, options.results);
  std::list<nlohmann::json> documents;
  std::vector<report::Source> sources;
  for (const std::string& path : options.results) {
    documents.push_back(read_results(path));
    sources.push_back({path, &documents.back()});
  }
  out.write(report::page(options.title, sources));
  if (const auto reason = draw::why_no_drawing()) fmt::print(stderr, "rafter: the page has no pictures: {}\n", *reason);
  if (!out.is_stdout()) fmt::print("Report:  {}\n", options.out);
  return exit_good;
}

}  // namespace rafter::cli
