// rafter report: results as one page for a browser.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int report(const ReportOptions& options);

/// rafter journal export FILE.html
int journal_page(const JournalExportOptions& options);

}  // namespace rafter::cli
