// rafter-report: results and journals as one HTML page.

#include <fmt/format.h>

#include <list>

#include "base/json_file.hpp"
#include "base/outputs.hpp"
#include "cli/tool.hpp"
#include "workbench/draw/render.hpp"
#include "workbench/report/page.hpp"

namespace rafter::cli {

namespace {

/// Writes the page. Reports journal entries that cannot be read and are not on it.
int write_page(const base::OutputFile& out, const std::string& path, const std::string& page,
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

int write_report(const ReportOptions& options) {
  const base::OutputFile out(options.out);
  base::require_outputs({out.file()}, options.results);
  std::list<nlohmann::json> documents;
  std::vector<report::Source> sources;
  for (const std::string& path : options.results) {
    documents.push_back(base::read_json(path));
    sources.push_back({path, &documents.back()});
  }
  std::vector<journal::Journal> journals;
  for (const std::string& folder : options.journals) journals.push_back(journal::open_journal(folder));
  if (sources.empty() && journals.empty())
    throw Error(ErrorCode::bad_argument, "the page has no content: give RESULTS.json ..., or --journal DIR, or both");
  return write_page(out, options.out, report::page(options.title, sources, journals), journals);
}

/// rafter journal export FILE.html
int write_journal_page(const JournalExportOptions& options) {
  const base::OutputFile out(options.out);
  base::require_outputs({out.file()}, {});
  const std::vector<journal::Journal> journals{journal::open_journal(options.folder)};
  return write_page(out, options.out, report::page(journals.front().title(), {}, journals), journals);
}

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter::cli;
  return tool(argc, argv,
              Performer{
                  [](const ReportOptions& options) { return write_report(options); },
                  [](const JournalExportOptions& options) { return write_journal_page(options); },
              });
}
