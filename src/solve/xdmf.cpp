#include "solve/xdmf.hpp"

#include <fmt/format.h>

#include "base/npy.hpp"

namespace rafter::solve {

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string values_item(const FieldNote& note, Precision precision, FieldFormat format, const XdmfEntry& entry) {
  const std::string type = fmt::format("Dimensions=\"{} {} {}\" NumberType=\"Float\" Precision=\"{}\"", note.shape.nz,
                                       note.shape.ny, note.shape.nx, bytes_of(precision));
  if (format == FieldFormat::hdf5) {
    return fmt::format("<DataItem {} Format=\"HDF\">{}:/{}</DataItem>", type, escaped(entry.file),
                       escaped(note.quantity));
  }
  return fmt::format("<DataItem {} Format=\"Binary\" Endian=\"Little\" Seek=\"{}\">{}</DataItem>", type,
                     base::npy_header_bytes, escaped(entry.file));
}

}  // namespace

std::string_view name(FieldFormat format) noexcept { return format == FieldFormat::hdf5 ? "hdf5" : "npy"; }
std::string_view ending(FieldFormat format) noexcept { return format == FieldFormat::hdf5 ? ".h5" : ".npy"; }

std::string xdmf_text(const FieldNote& note, Precision precision, FieldFormat format,
                      const std::vector<XdmfEntry>& entries) {
  const auto& [hz, hy, hx] = note.spacing;
  std::string text =
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n <Domain>\n"
      "  <Grid Name=\"series\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (const XdmfEntry& entry : entries) {
    text += fmt::format("   <Grid Name=\"{}\" GridType=\"Uniform\">\n    <Time Value=\"{}\"/>\n",
                        escaped(note.quantity), entry.time);
    text += fmt::format("    <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"{} {} {}\"/>\n", note.shape.nz,
                        note.shape.ny, note.shape.nx);
    text += "    <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n";
    constexpr const char* three =
        "     <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">{} {} {}</DataItem>\n";
    text += fmt::format(three, hz / 2, hy / 2, hx / 2) + fmt::format(three, hz, hy, hx);
    text += fmt::format("    </Geometry>\n    <Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Node\">\n     ",
                        escaped(note.quantity));
    text += values_item(note, precision, format, entry);
    text += "\n    </Attribute>\n   </Grid>\n";
  }
  return text + "  </Grid>\n </Domain>\n</Xdmf>\n";
}

}  // namespace rafter::solve
