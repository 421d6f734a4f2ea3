// A journal as a section of a page: the table of its steps, their times as a figure, and each step with its change of
// the source.
#pragma once

#include <string>

#include "workbench/journal/journal.hpp"
#include "workbench/report/html.hpp"

namespace rafter::report {

/// Returns the section without its heading. `number` is that among the journals of the page.
std::string journal_section(const journal::Journal& journal, int number, Pictures& pictures);

}  // namespace rafter::report
