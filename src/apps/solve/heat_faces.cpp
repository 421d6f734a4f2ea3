#include "apps/solve/heat_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include "apps/solve/expression_field.hpp"
#include "base/expression.hpp"
#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

namespace {

using Kind = HeatFace::Kind;
constexpr std::string_view axis_letters = "zyx";

[[noreturn]] void refuse_faces(const std::string& complaint) { throw Error(ErrorCode::bad_argument, complaint); }

/// A condition as it was typed: with an expression instead of its amount, or none.
struct TypedFace {
  HeatFace face;
  std::string expression{};
  friend bool operator==(const TypedFace&, const TypedFace&) = default;
};

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

std::optional<double> finite_number(std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Returns a face with an amount, which is a number or an expression.
TypedFace face_with(Kind kind, double exchange, const std::string& part, const std::string& amount) {
  if (const auto number = finite_number(amount)) return {{kind, *number, exchange}};
  // 1: the face has an amount other than 0, which the expression replaces
  if (is_time_expression(amount) || is_position_expression(amount)) return {{kind, 1, exchange}, amount};
  refuse_faces(fmt::format("boundary '{}': '{}' is not a number and not an expression of x, y, z and t", part, amount));
}

TypedFace face_called(const std::string& part, const std::string& text) {
  const auto colon = text.find(':');
  const std::string word = trimmed(text.substr(0, colon));
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (word == "value" || word == "flux") {
    if (colon == std::string::npos)
      refuse_faces(fmt::format("boundary '{}': expected the {}, {}:NUMBER or {}:EXPRESSION", part, word, word, word));
    return face_with(word == "value" ? Kind::value : Kind::flux, 0, part, trimmed(rest));
  }
  if (word == "robin") {
    const auto second = rest.find(':');
    const auto exchange = finite_number(trimmed(rest.substr(0, second)));
    if (second == std::string::npos || !exchange || *exchange <= 0) {
      refuse_faces(fmt::format(
          "boundary '{}': expected robin:H:U, with the positive number H of the flow H * (U - u) into the grid", part));
    }
    return face_with(Kind::robin, *exchange, part, trimmed(rest.substr(second + 1)));
  }
  if (text == "frozen") return {{Kind::frozen}};
  if (text == "periodic") return {{Kind::periodic}};
  if (text == "zero-flux") return {{Kind::flux, 0}};
  refuse_faces(base::unknown_name(
      "boundary", word, std::vector<std::string>{"frozen", "periodic", "zero-flux", "value", "flux", "robin"}));
}

void set_face(SolveFaces& faces, std::size_t axis, bool is_low, const TypedFace& typed) {
  (is_low ? faces.low : faces.high)[axis] = typed.face;
  (is_low ? faces.low_expressions : faces.high_expressions)[axis] = typed.expression;
}

TypedFace face_of(const SolveFaces& faces, std::size_t axis, bool is_low) {
  return {(is_low ? faces.low : faces.high)[axis], (is_low ? faces.low_expressions : faces.high_expressions)[axis]};
}

/// Sets the faces that a part names.
void set_faces(SolveFaces& faces, const std::string& part) {
  const auto equals = part.find('=');
  if (equals == std::string::npos || equals > part.find(':')) {  // one after a colon belongs to an expression
    for (std::size_t i = 0; i < 6; ++i) set_face(faces, i / 2, i % 2 == 0, face_called(part, part));
    return;
  }
  const std::string where = part.substr(0, equals);
  const auto axis = where.empty() ? std::string_view::npos : axis_letters.find(where[0]);
  const std::string side = where.empty() ? "" : where.substr(1);
  if (axis == std::string_view::npos || (!side.empty() && side != "-" && side != "+")) {
    refuse_faces(fmt::format("boundary '{}': expected an axis z, y or x, or one side of it such as z- or z+; got '{}'",
                             part, where));
  }
  const TypedFace face = face_called(part, trimmed(part.substr(equals + 1)));
  if (side != "+") set_face(faces, axis, true, face);
  if (side != "-") set_face(faces, axis, false, face);
}

std::string show_face(const TypedFace& typed) {
  const HeatFace& face = typed.face;
  if (face.kind == Kind::frozen) return "frozen";
  if (face.kind == Kind::periodic) return "periodic";
  if (typed == TypedFace{{Kind::flux, 0}}) return "zero-flux";
  const std::string amount = typed.expression.empty() ? fmt::format("{}", face.amount) : typed.expression;
  if (face.kind == Kind::robin) return fmt::format("robin:{}:{}", face.exchange, amount);
  return fmt::format("{}:{}", face.kind == Kind::value ? "value" : "flux", amount);
}

/// Returns the condition that most faces have.
TypedFace most_common(const SolveFaces& faces) {
  std::vector<TypedFace> all;
  for (const bool is_low : {true, false}) {
    for (std::size_t axis = 0; axis < 3; ++axis) all.push_back(face_of(faces, axis, is_low));
  }
  return *std::max_element(all.begin(), all.end(), [&](const TypedFace& a, const TypedFace& b) {
    return std::count(all.begin(), all.end(), a) < std::count(all.begin(), all.end(), b);
  });
}

}  // namespace

SolveFaces parse_faces(const std::string& text) {
  SolveFaces faces;
  for (const std::string& part : base::split_list(text)) set_faces(faces, trimmed(part));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if ((faces.low[axis].kind == Kind::periodic) == (faces.high[axis].kind == Kind::periodic)) continue;
    const char letter = axis_letters[axis];
    refuse_faces(
        fmt::format("boundary '{}': a periodic axis has no faces; {}=periodic is for both sides", text, letter));
  }
  return faces;
}

std::string show_faces(const SolveFaces& faces) {
  const TypedFace common = most_common(faces);
  std::string text = show_face(common);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const TypedFace low = face_of(faces, axis, true), high = face_of(faces, axis, false);
    const auto name = [&](const char* side, const TypedFace& face) {
      text += fmt::format(",{}{}={}", axis_letters[axis], side, show_face(face));
    };
    if (low == high && low != common) name("", low);
    if (low != high && low != common) name("-", low);
    if (low != high && high != common) name("+", high);
  }
  return text;
}

std::string describe_faces(const SolveFaces& faces, int radius) {
  const auto is_frozen = [](const HeatFace& face) { return face.kind == Kind::frozen; };
  const bool any = std::any_of(faces.low.begin(), faces.low.end(), is_frozen) ||
                   std::any_of(faces.high.begin(), faces.high.end(), is_frozen);
  if (!any) return show_faces(faces);
  return show_faces(faces) + (radius == 1 ? " (the outer layer keeps its values)"
                                          : fmt::format(" (the outer {} layers keep their values)", radius));
}

std::optional<HeatBoundary> plain_boundary(const SolveFaces& faces) {
  if (faces.has_expressions()) return std::nullopt;
  for (const auto boundary : {HeatBoundary::frozen, HeatBoundary::periodic, HeatBoundary::zero_flux}) {
    if (static_cast<const HeatFaces&>(faces) == heat_faces(boundary)) return boundary;
  }
  return std::nullopt;
}

bool has_prescribed_flow(const SolveFaces& faces) {
  if (faces.has_expressions()) return false;
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
