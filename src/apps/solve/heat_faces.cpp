#include "apps/solve/heat_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

namespace {

using Kind = HeatFace::Kind;
constexpr std::string_view axis_letters = "zyx";

[[noreturn]] void refuse_faces(const std::string& complaint) { throw Error(ErrorCode::bad_argument, complaint); }

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) c == ',' ? static_cast<void>(parts.emplace_back()) : parts.back().push_back(c);
  return parts;
}

double amount_of(const std::string& part, std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    refuse_faces(fmt::format("boundary '{}': '{}' is not a number", part, text));
  }
  return value;
}

HeatFace face_called(const std::string& part, const std::string& text) {
  const auto colon = text.find(':');
  const std::string word = text.substr(0, colon);
  const bool takes_number = word == "value" || word == "flux";
  if (takes_number && colon == std::string::npos) {
    refuse_faces(fmt::format("boundary '{}': expected the {}, {}:NUMBER", part, word, word));
  }
  if (takes_number) return {word == "value" ? Kind::value : Kind::flux, amount_of(part, text.substr(colon + 1))};
  if (text == "frozen") return {Kind::frozen};
  if (text == "periodic") return {Kind::periodic};
  if (text == "zero-flux") return {Kind::flux, 0};
  refuse_faces(base::unknown_name("boundary", word,
                                  std::vector<std::string>{"frozen", "periodic", "zero-flux", "value", "flux"}));
}

/// Sets the faces that a part names.
void set_faces(HeatFaces& faces, const std::string& part) {
  const auto equals = part.find('=');
  if (equals == std::string::npos) {
    faces.low.fill(face_called(part, part));
    faces.high = faces.low;
    return;
  }
  const std::string where = part.substr(0, equals);
  const auto axis = where.empty() ? std::string_view::npos : axis_letters.find(where[0]);
  const std::string side = where.empty() ? "" : where.substr(1);
  if (axis == std::string_view::npos || (!side.empty() && side != "-" && side != "+")) {
    refuse_faces(fmt::format("boundary '{}': expected an axis z, y or x, or one side of it such as z- or z+; got '{}'",
                             part, where));
  }
  const HeatFace face = face_called(part, part.substr(equals + 1));
  if (side != "+") faces.low[axis] = face;
  if (side != "-") faces.high[axis] = face;
}

std::string show_face(const HeatFace& face) {
  if (face.kind == Kind::frozen) return "frozen";
  if (face.kind == Kind::periodic) return "periodic";
  if (face == HeatFace{Kind::flux, 0}) return "zero-flux";
  return fmt::format("{}:{}", face.kind == Kind::value ? "value" : "flux", face.amount);
}

/// Returns the condition that most faces have.
HeatFace most_common(const HeatFaces& faces) {
  std::vector<HeatFace> all(faces.low.begin(), faces.low.end());
  all.insert(all.end(), faces.high.begin(), faces.high.end());
  return *std::max_element(all.begin(), all.end(), [&](const HeatFace& a, const HeatFace& b) {
    return std::count(all.begin(), all.end(), a) < std::count(all.begin(), all.end(), b);
  });
}

}  // namespace

HeatFaces parse_faces(const std::string& text) {
  HeatFaces faces;
  for (const std::string& part : split(text)) set_faces(faces, part);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if ((faces.low[axis].kind == Kind::periodic) == (faces.high[axis].kind == Kind::periodic)) continue;
    const char letter = axis_letters[axis];
    refuse_faces(
        fmt::format("boundary '{}': a periodic axis has no faces; {}=periodic is for both sides", text, letter));
  }
  return faces;
}

std::string show_faces(const HeatFaces& faces) {
  const HeatFace common = most_common(faces);
  std::string text = show_face(common);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const HeatFace& low = faces.low[axis];
    const HeatFace& high = faces.high[axis];
    const auto name = [&](const char* side, const HeatFace& face) {
      text += fmt::format(",{}{}={}", axis_letters[axis], side, show_face(face));
    };
    if (low == high && low != common) name("", low);
    if (low != high && low != common) name("-", low);
    if (low != high && high != common) name("+", high);
  }
  return text;
}

std::string describe_faces(const HeatFaces& faces, int radius) {
  const auto is_frozen = [](const HeatFace& face) { return face.kind == Kind::frozen; };
  const bool any = std::any_of(faces.low.begin(), faces.low.end(), is_frozen) ||
                   std::any_of(faces.high.begin(), faces.high.end(), is_frozen);
  if (!any) return show_faces(faces);
  return show_faces(faces) + (radius == 1 ? " (the outer layer keeps its values)"
                                          : fmt::format(" (the outer {} layers keep their values)", radius));
}

std::optional<HeatBoundary> plain_boundary(const HeatFaces& faces) {
  for (const auto boundary : {HeatBoundary::frozen, HeatBoundary::periodic, HeatBoundary::zero_flux}) {
    if (faces == heat_faces(boundary)) return boundary;
  }
  return std::nullopt;
}

bool has_prescribed_flow(const HeatFaces& faces) {
  const auto is_known = [](const HeatFace& face) { return face.kind == Kind::periodic || face.kind == Kind::flux; };
  return std::all_of(faces.low.begin(), faces.low.end(), is_known) &&
         std::all_of(faces.high.begin(), faces.high.end(), is_known);
}

double prescribed_flow(const HeatFaces& faces, const GridShape& shape, const GridSpacing& spacing) {
  const std::array lengths{static_cast<double>(shape.nz) * spacing.z, static_cast<double>(shape.ny) * spacing.y,
                           static_cast<double>(shape.nx) * spacing.x};
  double rate = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double area = lengths[(axis + 1) % 3] * lengths[(axis + 2) % 3];
    for (const HeatFace& face : {faces.low[axis], faces.high[axis]}) {
      if (face.kind == Kind::flux) rate += face.amount * area;
    }
  }
  return rate;
}

}  // namespace rafter::solve
