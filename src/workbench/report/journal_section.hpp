// A journal as a section of a page: the table of its steps, their times as a figure, and each step with its change of
// the source.
#pragma once

#include <string>

#include "workbench/journal/journal.hpp"
#include "workbench/report/html.hpp"

namespace rafter::report {

/// The position on a page. A journal with the page's title has no heading of its own.
struct Place {
  std::string page_title{};
  int number = 1;  ///< number among the journals of the page
};

std::string journal_section(const journal::Journal& journal, const Place& place, Pictures& pictures);

}  // namespace rafter::report
