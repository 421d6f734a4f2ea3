// XDMF: the index of a series of fields that ParaView and VisIt open, and one of a mesh that meshio reads, which knows
// no grids. The values stay in their own files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/solve/field.hpp"

namespace rafter::solve {

enum class FieldFormat {
  hdf5,
  npy,
  mesh,  ///< hdf5, and the grid as a mesh of hexahedra beside it
};

std::string_view name(FieldFormat format) noexcept;
std::string_view ending(FieldFormat format) noexcept;  ///< ".h5"

/// One moment of a series.
struct XdmfEntry {
  double time = 0;
  std::string file;  ///< beside the index
};

/// The index of fields of one shape. Values are those of points: cell (z, y, x) is at ((z, y, x) + 1/2) * spacing.
std::string xdmf_text(const FieldNote& note, Precision precision, FieldFormat format,
                      const std::vector<XdmfEntry>& entries);

/// The same of hexahedra, which `mesh_file` has (write_hdf5_mesh), and values of cells, which fields have as lists.
std::string xdmf_mesh_text(const FieldNote& note, Precision precision, const std::string& mesh_file,
                           const std::vector<XdmfEntry>& entries);

}  // namespace rafter::solve
