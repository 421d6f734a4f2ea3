// A journal on the disk: entries 0001.json, 0002.json, ... in a folder, and the sources as they were at each. Entries
// are added and never changed. Each is written under a temporary name, and takes its number only where nobody else has
// it, so that two processes make two entries, and a full disk, a crash or a power cut leaves those that were there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workbench/journal/entry.hpp"

namespace rafter::journal {

/// A source to look at, when an entry is made.
struct Watched {
  std::string name{};   ///< empty: the file's path from the journal's folder
  std::string shown{};  ///< the file as people know it; empty: itself
  std::filesystem::path file{};
};

class Journal {
 public:
  /// Reads the entries of a journal's folder (find.hpp). Throws Error (io) where it is no journal. An entry that cannot
  /// be read is left out, and named in `damaged`.
  explicit Journal(std::filesystem::path folder);

  /// A new one in a folder, or one that was ended there and goes on; all entries look at these sources. Throws Error:
  /// bad_argument where one is going on, io.
  static Journal start(const std::filesystem::path& beside, Entry first,
                       const std::vector<std::filesystem::path>& sources);

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<std::string>& damaged() const { return damaged_; }  ///< what is wrong, a sentence each
  bool is_active() const;                                               ///< the last start is after the last stop
  std::string title() const;
  std::string target() const;            ///< "5x"; empty: none
  const Entry* entry(int number) const;  ///< null where there is none

  /// Adds it with a number, a time, the sources as they are and their change since the entry before, and returns it.
  /// `more`: beside those that the journal watches. Throws Error (io), and nothing is changed.
  const Entry& add(Entry entry, const std::vector<Watched>& more = {});

 private:
  Journal() = default;
  void read();
  int last_number() const;
  void look_at(Entry& entry, const Watched& source) const;
  const KeptSource* last_state(const std::string& name) const;
  std::string kept_text(const KeptSource& source) const;

  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::vector<std::string> damaged_;
};

/// The journal of a folder or of the nearest one around it. Throws Error (bad_argument) where there is none, and says
/// how to begin one.
Journal open_journal(const std::filesystem::path& folder);

}  // namespace rafter::journal
