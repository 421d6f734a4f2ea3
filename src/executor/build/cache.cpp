#include "executor/build/cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

#include "base/files.hpp"
#include "base/mapped_file.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t n_kept = 200;

/// Marks a program as in use until this process ends: it may run for long, and its line numbers are looked up
/// afterwards.
void hold(const fs::path& program) {
  const int file = open(program.c_str(), O_RDONLY | O_CLOEXEC);
  if (file >= 0) flock(file, LOCK_SH);
}

void remove_unless_held(const fs::path& program) {
  const int file = open(program.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  std::error_code error;
  if (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) fs::remove(program, error);
  close(file);
}

void drop_oldest(const fs::path& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> programs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file(error)) programs.emplace_back(entry.last_write_time(error), entry.path());
  }
  if (programs.size() <= n_kept) return;
  std::sort(programs.begin(), programs.end());
  for (std::size_t i = 0; i < programs.size() - n_kept; ++i) remove_unless_held(programs[i].second);
}

/// The trailer appended to a cached program; the loader ignores it.
struct Seal {
  std::uint64_t mark = 0x6c616573'72746672, checksum = 0;
};

void seal(const fs::path& program) {
  const Seal end{.checksum = checksum_of(program)};
  std::ofstream(program, std::ios::binary | std::ios::app).write(reinterpret_cast<const char*>(&end), sizeof end);
}

bool is_whole(const fs::path& program) {
  Seal end{.mark = 0};
  std::ifstream file(program, std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(sizeof end), std::ios::end);
  file.read(reinterpret_cast<char*>(&end), sizeof end);
  return file && end.mark == Seal{}.mark && end.checksum == checksum_of(program, sizeof end);
}

}  // namespace

std::uint64_t checksum_of(const fs::path& path, std::size_t n_last) {
  try {
    const base::MappedFile file(path);
    std::span<const std::byte> bytes = file.bytes();
    if (bytes.size() < n_last) return 0;
    bytes = bytes.first(bytes.size() - n_last);
    std::uint64_t sum = 0x9e3779b97f4a7c15 + bytes.size();
    while (!bytes.empty()) {
      std::uint64_t word = 0;
      const std::size_t n = std::min(bytes.size(), sizeof word);
      std::memcpy(&word, bytes.data(), n);
      sum = (std::rotl(sum, 29) ^ word) * 0xd6e8feb86659fd93;
      bytes = bytes.subspan(n);
    }
    return sum;
  } catch (const Error&) {
    return 0;
  }
}

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
    folder_ = base::temporary_folder() / fmt::format("rafter-simt-{}", getuid());
    fs::create_directories(folder_, error);
    fs::permissions(folder_, fs::perms::owner_all, error);
  }
}

fs::path Cache::find(const std::string& key) const {
  const fs::path program = folder_ / key;
  std::error_code error;
  if (access(program.c_str(), X_OK) != 0 || !is_whole(program)) {
    fs::remove_all(program, error);
    return {};
  }
  fs::last_write_time(program, fs::file_time_type::clock::now(), error);
  hold(program);
  return program;
}

fs::path Cache::keep(const std::string& key, const fs::path& program) const {
  const fs::path place = folder_ / key, temporary = folder_ / fmt::format("{}.{}", key, getpid());
  std::error_code error;
  fs::copy_file(program, temporary, fs::copy_options::overwrite_existing, error);
  if (!error) seal(temporary);
  if (!error) fs::rename(temporary, place, error);
  if (error) throw Error(ErrorCode::io, fmt::format("cannot write '{}': {}", place.string(), error.message()));
  hold(place);
  drop_oldest(folder_);
  return place;
}

}  // namespace rafter::simt::build
