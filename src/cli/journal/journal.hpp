// rafter journal: a log of an optimisation, kept as it happens.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int journal_start(const JournalStartOptions& options);
int journal_show(const JournalShowOptions& options);
int journal_export(const JournalExportOptions& options);
int journal_note(const JournalNoteOptions& options);
int journal_stop(const JournalStopOptions& options);
int journal_add(const JournalAddOptions& options);

}  // namespace rafter::cli
