// XDMF: the index of a series of fields for ParaView and VisIt, and one of a mesh for meshio, which does not support
// grids. The values stay in their own files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/solve/field.hpp"

namespace rafter::solve {

enum class FieldFormat {
  hdf5,
  npy,
  mesh,  ///< hdf5, plus the grid as a mesh of hexahedra
};

std::string_view name(FieldFormat format) noexcept;
std::string_view ending(FieldFormat format) noexcept;  ///< ".h5"

/// One time of a series.
struct XdmfEntry {
  double time = 0;
  std::string file;  ///< relative to the index
};

/// Returns the index of fields of one shape. Values belong to points: cell (z, y, x) is at ((z, y, x) + 1/2) * spacing.
std::string xdmf_text(const FieldNote& note, Precision precision, FieldFormat format,
                      const std::vector<XdmfEntry>& entries);

/// Returns the index of hexahedra from `mesh_file` (write_hdf5_mesh) with cell values, which fields have as lists.
std::string xdmf_mesh_text(const FieldNote& note, Precision precision, const std::string& mesh_file,
                           const std::vector<XdmfEntry>& entries);

}  // namespace rafter::solve
