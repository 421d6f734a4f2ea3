#include "workbench/journal/find.hpp"

namespace rafter::journal {

namespace fs = std::filesystem;

namespace {

bool is_journal(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "0001.json", error);
}

}  // namespace

std::optional<fs::path> find_journal(const fs::path& from) {
  std::error_code error;
  fs::path folder = fs::weakly_canonical(from, error);
  if (error || folder.empty()) return std::nullopt;
  for (;; folder = folder.parent_path()) {
    if (folder.filename() == folder_name && is_journal(folder)) return folder;
    if (is_journal(folder / folder_name)) return folder / folder_name;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

}  // namespace rafter::journal
