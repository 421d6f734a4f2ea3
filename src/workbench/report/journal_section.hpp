// A journal as part of a page: the table of its steps, their times as a figure, and each with its change of the source.
#pragma once

#include <string>

#include "workbench/journal/journal.hpp"
#include "workbench/report/pictures.hpp"

namespace rafter::report {

/// Where on a page: a journal of the same title has no heading of its own.
struct Place {
  std::string page_title{};
  int number = 1;  ///< of the journals there
};

std::string journal_section(const journal::Journal& journal, const Place& place, Pictures& pictures);

}  // namespace rafter::report
