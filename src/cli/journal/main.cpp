#include "cli/journal/journal.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv,
              Performer{
                  [](const JournalStartOptions& options) { return journal_start(options); },
                  [](const JournalShowOptions& options) { return journal_show(options); },
                  [](const JournalExportOptions& options) { return journal_export(options); },
                  [](const JournalNoteOptions& options) { return journal_note(options); },
                  [](const JournalStopOptions& options) { return journal_stop(options); },
                  [](const JournalAddOptions& options) { return journal_add(options); },
              });
}
