// A folder with a series of fields: NAME_00000100.h5 etc. and NAME.xdmf, their index; with the format mesh also
// NAME_mesh.h5, the grid, and NAME_mesh.xdmf. If the writer is killed at any moment, all files are complete and the
// index lists only existing ones.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "apps/solve/xdmf.hpp"

namespace rafter::solve {

class Series {
 public:
  struct Setup {
    std::filesystem::path folder;
    std::string name;
    FieldFormat format = FieldFormat::hdf5;
    Precision precision = Precision::float32;
    FieldNote note;  ///< common to all fields, except step and time
    double dt = 0;
  };
  enum class Start {
    fresh,      ///< rejects a folder that has such a series
    overwrite,  ///< removes the existing series
    go_on,      ///< keeps the existing fields up to a step
  };

  /// Opens a series. Throws Error (io) when the folder cannot be written, (bad_argument) if a series exists.
  Series(Setup setup, Start start, std::int64_t step = 0);

  /// Writes a field, then the index.
  template <class T>
  void add(std::int64_t step, std::span<const T> values);

  bool has(std::int64_t step) const { return entries_.contains(step); }
  std::int64_t n_fields() const { return std::ssize(entries_); }
  std::filesystem::path index() const { return setup_.folder / (setup_.name + ".xdmf"); }

 private:
  std::filesystem::path mesh(const char* ending) const { return setup_.folder / (setup_.name + "_mesh." + ending); }
  std::string file_name(std::int64_t step) const;
  void keep_until(std::int64_t step);
  void write_index() const;

  Setup setup_;
  std::map<std::int64_t, XdmfEntry> entries_;  // by step
};

/// Returns the approximate size of a field's file.
std::int64_t field_file_bytes(const GridShape& shape, Precision precision);

}  // namespace rafter::solve
