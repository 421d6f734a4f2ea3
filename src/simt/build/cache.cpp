#include "simt/build/cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t n_kept = 50;

void drop_oldest(const fs::path& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> programs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file(error)) programs.emplace_back(entry.last_write_time(error), entry.path());
  }
  if (programs.size() <= n_kept) return;
  std::sort(programs.begin(), programs.end());
  for (std::size_t i = 0; i < programs.size() - n_kept; ++i) fs::remove(programs[i].second, error);
}

}  // namespace

void Digest::add(std::string_view text) {
  const auto step = [&](unsigned char c) {
    a_ = (a_ ^ c) * 0x100000001b3;
    b_ = (b_ + c) * 0xd6e8feb86659fd93;
    b_ ^= b_ >> 32;
  };
  for (char c : fmt::format("{}:", text.size())) step(static_cast<unsigned char>(c));
  for (char c : text) step(static_cast<unsigned char>(c));
}

void Digest::add_stamp(const fs::path& file) {
  std::error_code error;
  add(file.string());
  add(std::to_string(fs::file_size(file, error)));
  add(std::to_string(fs::last_write_time(file, error).time_since_epoch().count()));
}

std::string Digest::text() const { return fmt::format("{:016x}{:016x}", a_, b_); }

Cache::Cache() : folder_(base::cache_folder() / "simt") {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error || access(folder_.c_str(), W_OK | X_OK) != 0) {
    folder_ = fs::temp_directory_path(error) / fmt::format("rafter-simt-{}", getuid());
    fs::create_directories(folder_, error);
    fs::permissions(folder_, fs::perms::owner_all, error);
  }
}

fs::path Cache::find(const std::string& key) const {
  const fs::path program = folder_ / key;
  if (access(program.c_str(), X_OK) != 0) return {};
  std::error_code error;
  fs::last_write_time(program, fs::file_time_type::clock::now(), error);
  return program;
}

fs::path Cache::keep(const std::string& key, const fs::path& program) const {
  const fs::path place = folder_ / key, temporary = folder_ / fmt::format("{}.{}", key, getpid());
  std::error_code error;
  fs::copy_file(program, temporary, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(temporary, place, error);
  if (error) throw Error(ErrorCode::io, fmt::format("cannot write '{}': {}", place.string(), error.message()));
  drop_oldest(folder_);
  return place;
}

}  // namespace rafter::simt::build
