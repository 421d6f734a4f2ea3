// A journal as a work log in Markdown.
#pragma once

#include <string>

#include "workbench/journal/log.hpp"

namespace rafter::journal {

std::string markdown(const Journal& journal, const Steps& steps);

}  // namespace rafter::journal
