// Common parts of the HDF5 writers; for files that include HDF5's headers.
//
// HDF5 cannot handle a full disk: it can then neither write nor close its file. So HDF5 only creates the file's
// structure, after space was reserved, and the values are written directly.
#pragma once

#define H5_USE_110_API  // the interface of all versions from 1.10 on
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
  fail_io("write", path, errno != 0 ? std::strerror(errno) : "HDF5 cannot create the dataset");
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

/// Disables HDF5's error output, its file locks (temporary names need none, and some file systems have none) and its
/// cleanup at exit, which would crash over a file that a full disk kept it from closing.
inline void set_up() {
  static const bool once = [] {
    H5dont_atexit();
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    return true;
  }();
  static_cast<void>(once);
}

/// Creates a dataset with allocated, unwritten values.
inline Handle new_dataset(const std::filesystem::path& path, hid_t file, const char* name, hid_t type, hid_t space) {
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_layout(how, H5D_CONTIGUOUS);
  H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(how, false);  // equal fields give equal files
  Handle dataset(H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
  if (!dataset) fail_frame(path);
  return dataset;
}

/// Throws Error (io) if the disk lacks space for the structure and `bytes` of values, where the file system reports it.
inline void require_space(const std::filesystem::path& path, const std::filesystem::path& temporary,
                          std::int64_t bytes) {
  constexpr std::int64_t frame_bytes = 8192;  // at most
  const int file = open(temporary.c_str(), O_WRONLY);
  int error = file < 0 ? errno : 0;
  if (file >= 0 && fallocate(file, 0, 0, frame_bytes + bytes) != 0) error = errno;
  if (file >= 0) close(file);
  if (error == ENOSPC || error == EFBIG || error == EDQUOT) fail_io("write", path, std::strerror(error));
}

/// Writes values into an allocated dataset. Throws Error (io).
class ValuesWriter {
 public:
  /// Opens `temporary`; messages name `path`, the final name.
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
