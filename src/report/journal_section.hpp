// A journal as part of a page: the table of its steps, their times as a figure, and each with its change of the source.
#pragma once

#include <string>

#include "journal/journal.hpp"
#include "report/pictures.hpp"

namespace rafter::report {

/// With a heading of its own, unless the page has the same.
std::string journal_section(const journal::Journal& journal, const std::string& page_title, Pictures& pictures);

}  // namespace rafter::report
