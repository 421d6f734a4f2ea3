// Writes a grid as a list of hexahedra, for readers that support nothing else. Written plane by plane, because it is
// many times larger than a field.
#include <array>
#include <limits>
#include <vector>

#include "apps/solve/hdf5_field.hpp"
#include "apps/solve/hdf5_file.hpp"
#include "base/files.hpp"

namespace rafter::solve {

using namespace hdf5;

namespace {

namespace fs = std::filesystem;

GridShape corners_of(const GridShape& shape) { return {shape.nz + 1, shape.ny + 1, shape.nx + 1}; }

/// Returns the points of a plane, x first.
std::vector<double> points_of_plane(const GridShape& shape, const GridSpacing& spacing, std::int64_t z) {
  std::vector<double> points;
  for (std::int64_t y = 0; y <= shape.ny; ++y) {
    for (std::int64_t x = 0; x <= shape.nx; ++x) {
      const auto at = [](std::int64_t i, double h) { return static_cast<double>(i) * h; };
      points.insert(points.end(), {at(x, spacing.x), at(y, spacing.y), at(z, spacing.z)});
    }
  }
  return points;
}

/// Returns the corners of a plane's cells: those of the lower face, then those of the upper.
std::vector<std::int32_t> cells_of_plane(const GridShape& shape, std::int64_t z) {
  const GridShape corners = corners_of(shape);
  const auto corner = [&](std::int64_t dz, std::int64_t y, std::int64_t x) {
    return static_cast<std::int32_t>(((z + dz) * corners.ny + y) * corners.nx + x);
  };
  std::vector<std::int32_t> cells;
  for (std::int64_t y = 0; y < shape.ny; ++y) {
    for (std::int64_t x = 0; x < shape.nx; ++x) {
      for (const std::int64_t dz : {0, 1}) {
        cells.insert(cells.end(),
                     {corner(dz, y, x), corner(dz, y, x + 1), corner(dz, y + 1, x + 1), corner(dz, y + 1, x)});
      }
    }
  }
  return cells;
}

struct MeshFrame {
  haddr_t points = HADDR_UNDEF;
  haddr_t cells = HADDR_UNDEF;
};

MeshFrame write_mesh_frame(const fs::path& path, const GridShape& shape) {
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  const auto place = [&](const char* name, hid_t type, std::int64_t n, hsize_t of_each) {
    const std::array<hsize_t, 2> extents{static_cast<hsize_t>(n), of_each};
    const Handle space(H5Screate_simple(2, extents.data(), nullptr), H5Sclose);
    Handle dataset = new_dataset(path, file, name, type, space);
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset == HADDR_UNDEF || !dataset.close()) fail_frame(path);
    return offset;
  };
  const MeshFrame frame{place("points", H5T_IEEE_F64LE, corners_of(shape).n_cells(), 3),
                        place("cells", H5T_STD_I32LE, shape.n_cells(), 8)};
  errno = 0;
  if (!file.close()) fail_frame(path);
  return frame;
}

}  // namespace

std::int64_t mesh_bytes(const GridShape& shape) {
  return corners_of(shape).n_cells() * 3 * std::int64_t{sizeof(double)} +
         shape.n_cells() * 8 * std::int64_t{sizeof(std::int32_t)};
}

void write_hdf5_mesh(const fs::path& path, const GridShape& shape, const GridSpacing& spacing) {
  set_up();
  if (corners_of(shape).n_cells() > std::numeric_limits<std::int32_t>::max()) {
    throw Error(
        ErrorCode::bad_argument,
        fmt::format("a grid of {} has too many points for a mesh of hexahedra: more than 2^31; use --format hdf5",
                    show_shape(shape)));
  }
  base::replace_file(path, [&](const fs::path& temporary) {
    require_space(path, temporary, mesh_bytes(shape));
    const MeshFrame frame = write_mesh_frame(temporary, shape);
    const ValuesWriter writer(path, temporary);
    const auto plane = [&](const auto& values, haddr_t first, std::int64_t z) {
      const auto bytes = std::as_bytes(std::span(values));
      writer.write(bytes, static_cast<off_t>(first) + static_cast<off_t>(z) * static_cast<off_t>(bytes.size()));
    };
    for (std::int64_t z = 0; z <= shape.nz; ++z) plane(points_of_plane(shape, spacing, z), frame.points, z);
    for (std::int64_t z = 0; z < shape.nz; ++z) plane(cells_of_plane(shape, z), frame.cells, z);
  });
}

}  // namespace rafter::solve
