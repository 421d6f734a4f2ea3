// Fields in HDF5 files.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "apps/solve/field.hpp"

namespace rafter::solve {

/// Returns why this build cannot read and write HDF5 and what to do, or nullopt if it can.
std::optional<std::string> why_no_hdf5();

/// Reads a dataset of three axes, float32 or float64. An empty name means the only such dataset; if there is none, the
/// only one of two axes, which is a flat field. Throws Error (io) when the file cannot be read, (bad_argument) if it
/// has no such field, and (unsupported) without HDF5.
Field read_hdf5(const std::filesystem::path& path, const std::string& dataset);

/// Whether a field's file also has its cells as a list, for readers without grids.
enum class CellList { none, beside };

/// Returns the name of the dataset with the list.
inline std::string list_of(const std::string& quantity) { return quantity + "_list"; }

/// Writes one dataset named after the quantity, [nz, ny, nx], with step, time and spacing as attributes, atomically.
/// Throws Error (io, unsupported).
template <class T>
void write_hdf5(const std::filesystem::path& path, const FieldNote& note, std::span<const T> values,
                CellList cells = CellList::none);

/// Writes the cells of a grid as hexahedra, in the order of its fields: /points [n, 3], x, y, z; /cells [n_cells, 8],
/// int32. Throws Error (io, unsupported), and (bad_argument) for more points than int32 can index.
void write_hdf5_mesh(const std::filesystem::path& path, const GridShape& shape, const GridSpacing& spacing);

/// Returns the size of that file.
std::int64_t mesh_bytes(const GridShape& shape);

}  // namespace rafter::solve
