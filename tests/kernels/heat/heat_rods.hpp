// What the tests of ConductionSolver share: the faces of rods and boxes.
#pragma once

#include <numbers>

#include "heat_fields.hpp"
#include "rafter/conduction.hpp"

namespace rafter {

constexpr double pi = std::numbers::pi;
constexpr HeatFace insulated{HeatFace::Kind::flux, 0};
constexpr HeatFaces box{{insulated, insulated, insulated}, {insulated, insulated, insulated}};

inline HeatFaces with_x(HeatFace low, HeatFace high) {
  HeatFaces faces = box;
  faces.low[2] = low;
  faces.high[2] = high;
  return faces;
}

}  // namespace rafter
