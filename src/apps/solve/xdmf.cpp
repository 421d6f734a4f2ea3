#include "apps/solve/xdmf.hpp"

#include <fmt/format.h>

#include "apps/solve/hdf5_field.hpp"
#include "base/npy.hpp"
#include "base/xml.hpp"

namespace rafter::solve {

namespace {

std::string values_item(const FieldNote& note, Precision precision, FieldFormat format, const XdmfEntry& entry) {
  const std::string type = fmt::format("Dimensions=\"{} {} {}\" NumberType=\"Float\" Precision=\"{}\"", note.shape.nz,
                                       note.shape.ny, note.shape.nx, bytes_of(precision));
  if (format != FieldFormat::npy) {
    return fmt::format("<DataItem {} Format=\"HDF\">{}:/{}</DataItem>", type, base::xml_escaped(entry.file),
                       base::xml_escaped(note.quantity));
  }
  return fmt::format("<DataItem {} Format=\"Binary\" Endian=\"Little\" Seek=\"{}\">{}</DataItem>", type,
                     base::npy_header_bytes, base::xml_escaped(entry.file));
}

}  // namespace

std::string_view name(FieldFormat format) noexcept {
  constexpr std::string_view names[] = {"hdf5", "npy", "hdf5+mesh"};
  return names[static_cast<std::size_t>(format)];
}
std::string_view ending(FieldFormat format) noexcept { return format == FieldFormat::npy ? ".npy" : ".h5"; }

std::string xdmf_text(const FieldNote& note, Precision precision, FieldFormat format,
                      const std::vector<XdmfEntry>& entries) {
  const auto& [hz, hy, hx] = note.spacing;
  std::string text =
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n <Domain>\n"
      "  <Grid Name=\"series\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (const XdmfEntry& entry : entries) {
    text += fmt::format("   <Grid Name=\"{}\" GridType=\"Uniform\">\n    <Time Value=\"{}\"/>\n",
                        base::xml_escaped(note.quantity), entry.time);
    text += fmt::format("    <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"{} {} {}\"/>\n", note.shape.nz,
                        note.shape.ny, note.shape.nx);
    text += "    <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n";
    constexpr const char* three =
        "     <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">{} {} {}</DataItem>\n";
    text += fmt::format(three, hz / 2, hy / 2, hx / 2) + fmt::format(three, hz, hy, hx);
    text += fmt::format("    </Geometry>\n    <Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Node\">\n     ",
                        base::xml_escaped(note.quantity));
    text += values_item(note, precision, format, entry);
    text += "\n    </Attribute>\n   </Grid>\n";
  }
  return text + "  </Grid>\n </Domain>\n</Xdmf>\n";
}

std::string xdmf_mesh_text(const FieldNote& note, Precision precision, const std::string& mesh_file,
                           const std::vector<XdmfEntry>& entries) {
  const GridShape& shape = note.shape;
  const std::int64_t n_cells = shape.n_cells();
  const std::int64_t n_points = (shape.nz + 1) * (shape.ny + 1) * (shape.nx + 1);
  const auto item = [](const std::string& extents, const char* type, std::int64_t bytes, const std::string& where) {
    return fmt::format("<DataItem Dimensions=\"{}\" DataType=\"{}\" Precision=\"{}\" Format=\"HDF\">{}</DataItem>",
                       extents, type, bytes, base::xml_escaped(where));
  };
  const std::string mesh = fmt::format(
      "    <Topology TopologyType=\"Hexahedron\" NumberOfElements=\"{}\">\n     {}\n    </Topology>\n"
      "    <Geometry GeometryType=\"XYZ\">\n     {}\n    </Geometry>\n",
      n_cells, item(fmt::format("{} 8", n_cells), "Int", 4, mesh_file + ":/cells"),
      item(fmt::format("{} 3", n_points), "Float", 8, mesh_file + ":/points"));
  std::string text =
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n"
      "  <Grid Name=\"series\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (const XdmfEntry& entry : entries) {
    text += fmt::format("   <Grid Name=\"{}\" GridType=\"Uniform\">\n    <Time Value=\"{}\"/>\n{}",
                        base::xml_escaped(note.quantity), entry.time, mesh);
    text += fmt::format(
        "    <Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Cell\">\n     {}\n    </Attribute>\n   </Grid>\n",
        base::xml_escaped(note.quantity),
        item(std::to_string(n_cells), "Float", bytes_of(precision), entry.file + ":/" + list_of(note.quantity)));
  }
  return text + "  </Grid>\n </Domain>\n</Xdmf>\n";
}

}  // namespace rafter::solve
