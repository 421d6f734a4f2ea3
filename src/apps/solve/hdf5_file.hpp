// What files that HDF5 writes share; for those that include its headers.
//
// HDF5 cannot bear a full disk: it neither writes nor closes its file then. So it only makes the frame, once there is
// room, and the values are written past it.
#pragma once

#define H5_USE_110_API  // the interface that all versions from 1.10 on have
#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "rafter/error.hpp"

namespace rafter::solve::hdf5 {

[[noreturn]] inline void fail_io(const char* verb, const std::filesystem::path& path, const std::string& reason) {
  throw Error(ErrorCode::io, fmt::format("cannot {} '{}': {}", verb, path.string(), reason));
}
[[noreturn]] inline void fail_frame(const std::filesystem::path& path) {
  fail_io("write", path, errno != 0 ? std::strerror(errno) : "HDF5 cannot make the dataset");
}

/// An HDF5 object, closed with its handle.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  ~Handle() { close(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;

  explicit operator bool() const { return id_ >= 0; }
  operator hid_t() const { return id_; }
  bool close() {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }

 private:
  hid_t id_;
  Close close_;
};

/// No words from the library; no locks: its files have names that nobody knows yet, and some file systems have none;
/// and nothing at the end of the process, where it would crash over a file that a full disk kept it from closing.
inline void set_up() {
  static const bool once = [] {
    H5dont_atexit();
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    return true;
  }();
  static_cast<void>(once);
}

/// A dataset of a frame: its place is taken, its values are not written.
inline Handle new_dataset(const std::filesystem::path& path, hid_t file, const char* name, hid_t type, hid_t space) {
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_layout(how, H5D_CONTIGUOUS);
  H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(how, false);  // the same field is the same file, whenever it is written
  Handle dataset(H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
  if (!dataset) fail_frame(path);
  return dataset;
}

/// Throws Error (io) when the frame and so many bytes of values cannot be, where the file system knows.
inline void require_room(const std::filesystem::path& path, const std::filesystem::path& temporary,
                         std::int64_t bytes) {
  constexpr std::int64_t frame_bytes = 8192;  // at most
  const int file = open(temporary.c_str(), O_WRONLY);
  int error = file < 0 ? errno : 0;
  if (file >= 0 && fallocate(file, 0, 0, frame_bytes + bytes) != 0) error = errno;
  if (file >= 0) close(file);
  if (error == ENOSPC || error == EFBIG || error == EDQUOT) fail_io("write", path, std::strerror(error));
}

/// Writes values into a frame; throws Error (io).
class ValuesWriter {
 public:
  /// `path` is what the file is to be, for messages.
  ValuesWriter(std::filesystem::path path, const std::filesystem::path& temporary)
      : path_(std::move(path)), file_(open(temporary.c_str(), O_WRONLY)) {
    if (file_ < 0) fail_io("write", path_, std::strerror(errno));
  }
  ~ValuesWriter() { close(file_); }
  ValuesWriter(const ValuesWriter&) = delete;
  ValuesWriter& operator=(const ValuesWriter&) = delete;

  void write(std::span<const std::byte> bytes, off_t offset) const {
    while (!bytes.empty()) {
      const ssize_t n = pwrite(file_, bytes.data(), bytes.size(), offset);
      if (n < 0 && errno != EINTR) fail_io("write", path_, std::strerror(errno));
      if (n <= 0) continue;
      bytes = bytes.subspan(static_cast<std::size_t>(n));
      offset += n;
    }
  }

 private:
  std::filesystem::path path_;
  int file_;
};

}  // namespace rafter::solve::hdf5
