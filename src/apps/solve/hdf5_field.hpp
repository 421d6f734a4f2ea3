// HDF5 files of fields.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "apps/solve/field.hpp"

namespace rafter::solve {

/// Nothing when this build can read and write HDF5; otherwise a sentence that says what to do.
std::optional<std::string> why_no_hdf5();

/// A dataset of three axes, float32 or float64; with an empty name the only one there is. If there is none, of two
/// axes, which is a flat field. Throws Error (io) for what cannot be read, (bad_argument) for what is no such field and
/// (unsupported) without HDF5.
Field read_hdf5(const std::filesystem::path& path, const std::string& dataset);

/// Whether a field's file has its cells as a list, too, for readers that know no grids.
enum class CellList { none, beside };

/// The dataset that is such a list.
inline std::string list_of(const std::string& quantity) { return quantity + "_list"; }

/// One dataset named after the quantity, [nz, ny, nx], with step, time and spacing as attributes; whole or not there.
/// Throws Error (io, unsupported).
template <class T>
void write_hdf5(const std::filesystem::path& path, const FieldNote& note, std::span<const T> values,
                CellList cells = CellList::none);

/// The cells of a grid as hexahedra, in the order of its fields: /points [n, 3], x, y, z; /cells [n_cells, 8], int32.
/// Throws Error (io, unsupported), and (bad_argument) for more points than an int32 counts.
void write_hdf5_mesh(const std::filesystem::path& path, const GridShape& shape, const GridSpacing& spacing);

/// What that file takes.
std::int64_t mesh_bytes(const GridShape& shape);

}  // namespace rafter::solve
