// Generates synthetic molecules.
#include "forcefield/forcefield_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "library/core/parts.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::forcefield_ladder {

namespace {

using Point = std::array<double, 3>;
constexpr std::int32_t hydrogen = 1, carbon = 6;
constexpr std::array<std::int32_t, 6> heavy{6, 6, 6, 7, 8, 16};

/// A sequence of random numbers.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : seed_(seed) {}
  double uniform() { return static_cast<double>(lab::random_bits(seed_, next_++) >> 11) * 0x1p-53; }
  double symmetric() { return 2 * uniform() - 1; }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(uniform() * static_cast<double>(n)); }
  /// Returns a vector of this length in a random direction.
  Point direction(double length) {
    for (;;) {
      Point p{symmetric(), symmetric(), symmetric()};
      const double norm = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
      if (norm < 0.1 || norm > 1) continue;
      for (double& x : p) x *= length / norm;
      return p;
    }
  }

 private:
  std::uint64_t seed_;
  std::int64_t next_ = 0;
};

double distance(const Point& a, const Point& b) {
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

struct Molecule {
  std::vector<std::int32_t> elements{};
  std::vector<Point> atoms{};
  UnitCell cell{};
};

Molecule benzene(Numbers& numbers) {
  Molecule molecule;
  for (const auto& [element, radius] : {std::pair{carbon, 1.39}, std::pair{hydrogen, 2.48}}) {
    for (int i = 0; i < 6; ++i) {
      const double angle = i * std::numbers::pi / 3;
      molecule.elements.push_back(element);
      molecule.atoms.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
    }
  }
  // Rotated about two axes.
  for (const auto& [a, b] : {std::pair{0, 2}, std::pair{1, 2}}) {
    const double angle = 2 * std::numbers::pi * numbers.uniform();
    for (Point& p : molecule.atoms) {
      const double x = p[static_cast<std::size_t>(a)], y = p[static_cast<std::size_t>(b)];
      p[static_cast<std::size_t>(a)] = std::cos(angle) * x - std::sin(angle) * y;
      p[static_cast<std::size_t>(b)] = std::sin(angle) * x + std::cos(angle) * y;
    }
  }
  return molecule;
}

/// Grows a molecule atom by atom, each at a bond length from one of the last `reach` atoms and at least 1.05 A from
/// all.
Molecule grown(std::int64_t n, std::uint64_t place, std::int64_t reach, Numbers& numbers) {
  Molecule molecule;
  for (std::int64_t i = 0; i < n; ++i) {
    const bool is_light = lab::random_below(place, i, 2) == 1;
    molecule.elements.push_back(is_light ? hydrogen
                                         : heavy[static_cast<std::size_t>(lab::random_below(place, 1000 + i, 6))]);
    for (;;) {
      Point p{};
      if (i > 0) {
        const Point& base = molecule.atoms[static_cast<std::size_t>(i - 1 - numbers.below(std::min(i, reach)))];
        const Point step = numbers.direction(is_light ? 1.09 : 1.45);
        for (std::size_t x = 0; x < 3; ++x) p[x] = base[x] + step[x];
      }
      bool is_free = true;
      for (const Point& other : molecule.atoms) is_free = is_free && distance(p, other) > 1.05;
      if (!is_free) continue;
      molecule.atoms.push_back(p);
      break;
    }
  }
  return molecule;
}

Molecule crystal(Numbers& numbers) {
  Molecule molecule;
  molecule.cell.vectors = {{{4.1, 0, 0}, {1.3, 4.4, 0}, {-0.6, 0.9, 5.2}}};
  molecule.cell.is_periodic = {true, true, true};
  for (int i = 0; i < 8; ++i) {
    const double share[3] = {(i & 1) / 2. + 0.1, (i >> 1 & 1) / 2. + 0.1, (i >> 2 & 1) / 2. + 0.1};
    Point p{};
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t x = 0; x < 3; ++x) p[x] += share[k] * molecule.cell.vectors[k][x];
    }
    if (i == 3) p[0] += 2 * 4.1;  // outside of its cell
    molecule.elements.push_back(heavy[static_cast<std::size_t>(i % 6)]);
    molecule.atoms.push_back(p);
  }
  static_cast<void>(numbers);
  return molecule;
}

std::int64_t size_of(GeometryKind kind, std::uint64_t place) {
  const auto between = [&](std::int64_t least, std::int64_t most) {
    return least + lab::random_below(place, -1, most - least + 1);
  };
  switch (kind) {
    case GeometryKind::druglike: return between(20, 60);
    case GeometryKind::mixed: return between(3, 30);
    case GeometryKind::large: return between(130, 170);
    case GeometryKind::tiny: return between(0, 3);
    default: return 0;
  }
}

Molecule make(GeometryKind kind, std::int64_t place, std::uint64_t seed) {
  Numbers numbers(seed);
  const auto order = static_cast<std::uint64_t>(place);
  switch (kind) {
    case GeometryKind::benzene: return benzene(numbers);
    case GeometryKind::crystal: return crystal(numbers);
    default: break;
  }
  const std::int64_t reach = kind == GeometryKind::large ? 12 : 1000;  // a chain, or a cluster
  Molecule molecule = grown(size_of(kind, order), order, reach, numbers);
  if (kind == GeometryKind::tiny && place % 2 == 1 && !molecule.atoms.empty())
    molecule.atoms.back()[0] += 40;  // isolated
  return molecule;
}

/// Whether the distance of a pair, or of an image of it, is near the cutoff, where an energy may be discontinuous.
bool is_at_cutoff(const Molecule& molecule, double cutoff) {
  const int images = molecule.cell.repeats() ? 3 : 0;
  for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (int a = -images; a <= images; ++a) {
        for (int b = -images; b <= images; ++b) {
          for (int c = -images; c <= images; ++c) {
            Point p = molecule.atoms[j];
            for (std::size_t x = 0; x < 3; ++x)
              p[x] +=
                  a * molecule.cell.vectors[0][x] + b * molecule.cell.vectors[1][x] + c * molecule.cell.vectors[2][x];
            if (std::abs(distance(molecule.atoms[i], p) - cutoff) < 1e-3) return true;
          }
        }
      }
    }
  }
  return false;
}

/// Displaces the atoms a little, repeatedly until no pair is near the cutoff; coordinates are rounded to float32.
void shake(Molecule& molecule, double cutoff, std::uint64_t seed) {
  const std::vector<Point> still = molecule.atoms;
  for (std::uint64_t attempt = 0;; ++attempt) {
    Numbers numbers(lab::mix(seed + attempt));
    for (std::size_t i = 0; i < still.size(); ++i) {
      for (std::size_t x = 0; x < 3; ++x)
        molecule.atoms[i][x] = double{static_cast<float>(still[i][x] + 0.05 * numbers.symmetric())};
    }
    if (!is_at_cutoff(molecule, cutoff)) return;
  }
}

}  // namespace

Geometries make_geometries(GeometryKind kind, std::int64_t n, double cutoff, std::uint64_t seed) {
  std::vector<Molecule> molecules(static_cast<std::size_t>(n));
  core::share_out(core::default_threads(), n, [&](std::int64_t i) {
    const std::uint64_t own = lab::random_bits(seed, i);
    Molecule& molecule = molecules[static_cast<std::size_t>(i)];
    molecule = make(kind, i, own);
    shake(molecule, cutoff, own);
  });
  Geometries all;
  for (const Molecule& molecule : molecules) {
    all.sizes.push_back(std::ssize(molecule.atoms));
    all.elements.insert(all.elements.end(), molecule.elements.begin(), molecule.elements.end());
    for (const Point& p : molecule.atoms) all.positions.insert(all.positions.end(), p.begin(), p.end());
    if (kind == GeometryKind::crystal) all.cells.push_back(molecule.cell);
  }
  return all;
}

}  // namespace rafter::forcefield_ladder
