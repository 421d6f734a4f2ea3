#include "cli/report/report.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv,
              Performer{
                  [](const ReportOptions& options) { return report(options); },
                  [](const JournalExportOptions& options) { return journal_page(options); },
              });
}
