#include "cli/report/report.hpp"

#include <fmt/format.h>

#include <list>

#include "base/json_file.hpp"
#include "cli/outputs.hpp"
#include "workbench/draw/render.hpp"
#include "workbench/report/page.hpp"

namespace rafter::cli {

namespace {

/// Entries that cannot be read are not on the page, and that is said.
int write_page(const OutcomeFile& out, const std::string& path, const std::string& page,
               std::span<const journal::Journal> journals) {
  out.write(page);
  if (const auto reason = draw::why_no_drawing()) fmt::print(stderr, "rafter: the page has no pictures: {}\n", *reason);
  int code = exit_good;
  for (const journal::Journal& journal : journals) {
    for (const std::string& sentence : journal.damaged()) fmt::print(stderr, "rafter: {}; it is left out\n", sentence);
    if (!journal.damaged().empty()) code = exit_no;
  }
  if (!out.is_stdout()) fmt::print("Report:  {}\n", path);
  return code;
}

}  // namespace

int report(const ReportOptions& options) {
  const OutcomeFile out(options.out);
  require_outputs({out.file()}, options.results);
  std::list<nlohmann::json> documents;
  std::vector<report::Source> sources;
  for (const std::string& path : options.results) {
    documents.push_back(base::read_json(path));
    sources.push_back({path, &documents.back()});
  }
  std::vector<journal::Journal> journals;
  for (const std::string& folder : options.journals) journals.push_back(journal::open_journal(folder));
  if (sources.empty() && journals.empty())
    throw Error(ErrorCode::bad_argument, "a page of what? RESULTS.json ..., or --journal DIR, or both");
  return write_page(out, options.out, report::page(options.title, sources, journals), journals);
}

int journal_page(const JournalExportOptions& options) {
  const OutcomeFile out(options.out);
  require_outputs({out.file()}, {});
  const std::vector<journal::Journal> journals{journal::open_journal(options.folder)};
  return write_page(out, options.out, report::page(journals.front().title(), {}, journals), journals);
}

}  // namespace rafter::cli
