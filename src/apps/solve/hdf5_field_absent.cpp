// Stubs for a build without the HDF5 library.
#include "apps/solve/hdf5_field.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

std::optional<std::string> why_no_hdf5() {
  return "this build has no HDF5: install libhdf5-dev and build again, or use .npy files (--format npy)";
}

Field read_hdf5(const std::filesystem::path&, const std::string&) {
  throw Error(ErrorCode::unsupported, *why_no_hdf5());
}

template <class T>
void write_hdf5(const std::filesystem::path&, const FieldNote&, std::span<const T>, CellList) {
  throw Error(ErrorCode::unsupported, *why_no_hdf5());
}

template void write_hdf5(const std::filesystem::path&, const FieldNote&, std::span<const float>, CellList);
template void write_hdf5(const std::filesystem::path&, const FieldNote&, std::span<const double>, CellList);

void write_hdf5_mesh(const std::filesystem::path&, const GridShape&, const GridSpacing&) {
  throw Error(ErrorCode::unsupported, *why_no_hdf5());
}

std::int64_t mesh_bytes(const GridShape&) { return 0; }

}  // namespace rafter::solve
