#include "workbench/journal/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "base/json_file.hpp"
#include "base/new_file.hpp"
#include "base/units.hpp"
#include "workbench/journal/diff.hpp"
#include "workbench/journal/measured.hpp"
#include "workbench/journal/record.hpp"

namespace rafter::journal {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t most_source_bytes = 4 << 20;

fs::path file_of(const fs::path& folder, int number) { return folder / fmt::format("{:04}.json", number); }

/// Returns the number of an entry's file, or 0 for other files.
int number_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  const bool is_number =
      stem.size() >= 4 && stem.size() <= 8 && stem.find_first_not_of("0123456789") == std::string::npos;
  return is_number && file.extension() == ".json" ? std::stoi(stem) : 0;
}

/// Returns a name such as "my.1f2e3d4c.cu" that depends on the contents.
std::string name_for(const fs::path& file, const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("sources/{}.{:016x}{}", file.stem().string(), hash, file.extension().string());
}

/// Returns the path relative to `root` if it is below, otherwise the absolute path.
std::string name_from(const fs::path& root, const fs::path& file) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(file, error);
  const fs::path near = whole.lexically_relative(root);
  return near.empty() || near.native().starts_with("..") ? whole.string() : near.string();
}

}  // namespace

Journal::Journal(fs::path folder) : folder_(std::move(folder)) { read(); }

void Journal::read() {
  std::map<int, fs::path> files;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder_, error)) {
    if (const int number = number_of(file.path().filename()); number > 0) files[number] = file.path();
  }
  if (files.empty())
    throw Error(ErrorCode::io, fmt::format("'{}' is not a journal: it has no entries", folder_.string()));
  entries_.clear();
  damaged_.clear();
  for (const auto& [number, file] : files) {
    try {
      Entry entry = entry_of(base::read_json(file), file.string());
      entry.number = number;
      cases_of(entry);  // reports errors here, once
      entries_.push_back(std::move(entry));
    } catch (const Error& damage) {
      damaged_.push_back(damage.what());
    }
  }
  if (entries_.empty()) throw Error(ErrorCode::bad_argument, damaged_.front());
}

Journal Journal::start(const fs::path& beside, Entry first, const std::vector<fs::path>& sources) {
  const fs::path root = fs::weakly_canonical(beside);
  std::error_code error;
  if (!fs::is_directory(root, error)) throw Error(ErrorCode::io, fmt::format("'{}' is not a folder", beside.string()));
  Journal journal;
  journal.folder_ = root.filename() == folder_name ? root : root / folder_name;
  if (fs::exists(file_of(journal.folder_, 1), error)) {
    journal.read();
    if (journal.is_active()) {
      throw Error(ErrorCode::bad_argument,
                  fmt::format("a journal is active in '{}', with {} entries; 'rafter journal stop' ends it, and "
                              "'rafter journal start DIR' starts another one in another folder",
                              journal.folder_.string(), journal.entries_.size()));
    }
  }
  for (const fs::path& source : sources) {
    if (!base::read_file(source) || fs::is_directory(source, error))
      throw Error(ErrorCode::io, fmt::format("cannot read '{}'", source.string()));
    first.watched.push_back(name_from(journal.folder_.parent_path(), source));
  }
  journal.add(std::move(first));
  return journal;
}

bool Journal::is_active() const {
  const auto last = std::find_if(entries_.rbegin(), entries_.rend(), [](const Entry& entry) {
    return entry.kind == Kind::start || entry.kind == Kind::stop;
  });
  return last == entries_.rend() || last->kind == Kind::start;
}

std::string Journal::title() const {
  for (const Entry& entry : entries_) {
    if (!entry.title.empty()) return entry.title;
  }
  return folder_.parent_path().filename().string();
}

std::string Journal::target() const {
  const auto last =
      std::find_if(entries_.rbegin(), entries_.rend(), [](const Entry& entry) { return !entry.target.empty(); });
  return last != entries_.rend() ? last->target : "";
}

const Entry* Journal::entry(int number) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.number == number; });
  return found != entries_.end() ? &*found : nullptr;
}

// Includes files that cannot be read: their numbers are taken.
int Journal::last_number() const {
  int last = 0;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder_, error))
    last = std::max(last, number_of(file.path().filename()));
  return last;
}

const KeptSource* Journal::last_state(const std::string& name) const {
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    for (const KeptSource& source : entry->sources) {
      if (source.name == name && !source.kept.empty()) return &source;
    }
  }
  return nullptr;
}

std::string Journal::kept_text(const KeptSource& source) const {
  return base::read_file(folder_ / source.kept).value_or("");
}

// Stores the current source and adds its change since the last stored version.
void Journal::store_source(Entry& entry, const Watched& source) const {
  const std::string name = source.name.empty() ? name_from(folder_.parent_path(), source.file) : source.name;
  const auto is_known = [&](const KeptSource& other) { return other.name == name; };
  if (std::any_of(entry.sources.begin(), entry.sources.end(), is_known)) return;
  const fs::path shown = source.shown.empty() ? fs::path(name) : fs::path(source.shown);
  KeptSource& state = entry.sources.emplace_back(KeptSource{.name = name, .file = shown.string()});
  const auto text = base::read_file(source.file);
  if (!text) {
    state.why_not = "it cannot be read";
  } else if (text->size() > most_source_bytes) {
    state.why_not = fmt::format("it has {} bytes", text->size());
  } else if (text->find('\0') != std::string::npos) {
    state.why_not = "it is not a text file";
  }
  if (!state.why_not.empty()) return;
  state.kept = name_for(shown, *text);
  if (base::read_file(folder_ / state.kept) != text) base::write_file(folder_ / state.kept, *text);
  const KeptSource* before = last_state(name);
  if (before != nullptr) entry.change += unified_diff(kept_text(*before), *text, before->file, state.file);
}

const Entry& Journal::add(Entry entry, const std::vector<Watched>& more) {
  for (;;) {
    entry.number = last_number() + 1;
    entry.time = base::now_utc();
    entry.sources.clear();
    entry.change.clear();
    for (const Watched& source : more) store_source(entry, source);
    if (entry.kind != Kind::note) {
      const auto watch = [&](const std::string& name) {
        store_source(entry, {.name = name, .file = folder_.parent_path() / name});
      };
      for (const Entry& other : entries_) std::for_each(other.watched.begin(), other.watched.end(), watch);
      std::for_each(entry.watched.begin(), entry.watched.end(), watch);
    }
    const fs::path path = file_of(folder_, entry.number);
    base::NewFile file(path);
    const std::string text = to_json(entry).dump(1, ' ', false, json::error_handler_t::replace) + "\n";
    const std::string_view part = text;
    file.write({&part, 1});
    const bool is_written = file.commit_if_absent();
    read();  // includes entries that other processes added meanwhile
    if (is_written) return *this->entry(entry.number);
  }
}

Journal open_journal(const fs::path& folder) {
  if (const auto found = find_journal(folder)) return Journal(*found);
  throw Error(ErrorCode::bad_argument,
              fmt::format("there is no journal in '{}' or its parent folders; 'rafter journal start' starts one",
                          fs::weakly_canonical(folder).string()));
}

}  // namespace rafter::journal
