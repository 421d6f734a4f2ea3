// Questions to a person at a terminal. Scripts are never asked.
#pragma once

#include <string>

#include "workbench/journal/entry.hpp"

namespace rafter::cli {

/// Whether somebody is there to answer, and wants to be asked (RAFTER_JOURNAL is not quiet).
bool may_ask();

/// The line that is typed; empty where nothing is.
std::string ask_for(const std::string& question);

/// Asks for a sentence, if `for_message`, and for whatever `known` has no answer to; what is typed goes into the note.
/// An empty line skips a question, the first of them skips all. False where nothing was said.
bool ask(journal::Entry& note, const journal::Answers& known, bool for_message = true);

}  // namespace rafter::cli
