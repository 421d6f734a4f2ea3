// rafter report: results as one page for a browser.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int report(const ReportOptions& options);

}  // namespace rafter::cli
