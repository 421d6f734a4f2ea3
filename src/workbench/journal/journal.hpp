// A journal on disk: entries 0001.json, 0002.json, ... in a folder, and the sources at each of them. Entries are added
// and never changed. Each is written under a temporary name and takes its number only if it is free, so that two
// processes make two entries, and a full disk, a crash or a power failure leaves existing entries intact.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workbench/journal/entry.hpp"

namespace rafter::journal {

/// A source to store with an entry.
struct Watched {
  std::string name{};   ///< empty: the file's path relative to the journal's folder
  std::string shown{};  ///< the file name to show; empty: `name`
  std::filesystem::path file{};
};

class Journal {
 public:
  /// Reads the entries of a journal's folder (record.hpp). Throws Error (io) if it is not a journal. An entry that
  /// cannot be read is skipped and listed in `damaged`.
  explicit Journal(std::filesystem::path folder);

  /// Starts a new journal in a folder, or continues one that was stopped there; all entries store these sources. Throws
  /// Error: bad_argument if a journal is active, io.
  static Journal start(const std::filesystem::path& beside, Entry first,
                       const std::vector<std::filesystem::path>& sources);

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<std::string>& damaged() const { return damaged_; }  ///< one sentence per damaged entry
  bool is_active() const;  ///< whether the last start is after the last stop
  std::string title() const;
  std::string target() const;            ///< "5x"; empty: none
  const Entry* entry(int number) const;  ///< null if there is no such entry

  /// Adds the entry with a number, a time, the current sources and their change since the previous entry, and returns
  /// it. `more` are sources in addition to those that the journal watches. Throws Error (io) and changes nothing.
  const Entry& add(Entry entry, const std::vector<Watched>& more = {});

 private:
  Journal() = default;
  void read();
  int last_number() const;
  void store_source(Entry& entry, const Watched& source) const;
  const KeptSource* last_state(const std::string& name) const;
  std::string kept_text(const KeptSource& source) const;

  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::vector<std::string> damaged_;
};

/// Opens the journal of a folder or of its nearest parent. Throws Error (bad_argument) that explains how to start one
/// if there is none.
Journal open_journal(const std::filesystem::path& folder);

}  // namespace rafter::journal
