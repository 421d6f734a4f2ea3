// XDMF: the index of a series of fields that ParaView and VisIt open. The values stay in their own files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "solve/field.hpp"

namespace rafter::solve {

enum class FieldFormat { hdf5, npy };

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

}  // namespace rafter::solve
