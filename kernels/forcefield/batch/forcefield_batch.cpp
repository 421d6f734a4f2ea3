// Batches: checks the arguments, sorts molecules by size, and copies the batch to the device.
#include "forcefield/batch/forcefield_batch.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>

#include "library/core/arguments.hpp"
#include "library/core/arithmetic.hpp"
#include "library/core/error_origin.hpp"
#include "library/core/stream/backend.hpp"

namespace rafter::forcefield_ladder {

namespace {

constexpr const char* op = "MoleculeBatch";

std::vector<std::int64_t> offsets_of(std::span<const std::int64_t> sizes, std::span<const std::int32_t> elements) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int64_t> first{0};
  for (std::size_t m = 0; m < sizes.size(); ++m) {
    if (sizes[m] < 0 || sizes[m] > most - first.back())
      core::refuse(op, "sizes",
                   "must be 0 or more and at most " + std::to_string(most) + " together; molecule " +
                       std::to_string(m) + " has " + std::to_string(sizes[m]));
    first.push_back(first.back() + sizes[m]);
  }
  core::require_size(op, "elements", elements, first.back());
  return first;
}

/// Contiguous arrays, each aligned to 64 bytes.
class Arrays {
 public:
  template <class T>
  void add(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    bytes_.resize(static_cast<std::size_t>(ceil_div(std::ssize(bytes_), 64) * 64));
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

std::int64_t array_bytes(std::int64_t n, std::size_t size) {
  return ceil_div(n * static_cast<std::int64_t>(size), 64) * 64;
}

Buffer<std::byte> copy_of(const Stream& stream, const std::vector<std::byte>& bytes) {
  Buffer<std::byte> buffer(stream, std::ssize(bytes));
  buffer.copy_from(bytes);
  return buffer;
}

std::vector<CellGeometry> geometries_of(std::span<const UnitCell> cells) {
  std::vector<CellGeometry> geometries;
  for (const UnitCell& cell : cells) geometries.push_back(geometry_of(cell));
  return geometries;
}

bool any_repeats(std::span<const UnitCell> cells) {
  return std::any_of(cells.begin(), cells.end(), [](const UnitCell& cell) { return cell.repeats(); });
}

}  // namespace

void require_cells(const char* op_name, std::span<const UnitCell> cells, std::int64_t n_molecules) {
  if (!cells.empty()) core::require_size(op_name, "cells", cells, n_molecules);
}

void require_no_capture(const char* op_name, const Stream& stream) {
  if (core::backend(stream.device()).is_capturing(stream.handle()))
    core::refuse(op_name, "stream", "is being captured; change a batch outside of captures");
}

void require_waiting(const Stream& stream) {
  if (core::backend(stream.device()).is_capturing(stream.handle()))
    core::refuse(
        "ForceField::compute", "stream",
        "is being captured; molecules of more than " + std::to_string(most_block_atoms) +
            " atoms, periodic ones, float64 and exact filters wait for the number of neighbours, which a graph "
            "cannot: leave them outside the capture");
}

BatchPlan::BatchPlan(const Stream& stream, std::span<const std::int64_t> sizes, std::span<const std::int32_t> elements,
                     std::span<const UnitCell> cells)
    : first_(offsets_of(sizes, elements)), elements_(elements.begin(), elements.end()), on_device_(stream, 0) {
  const auto bad = std::find_if(elements_.begin(), elements_.end(), [](std::int32_t z) { return z < 0; });
  if (bad != elements_.end())
    core::refuse(op, "elements",
                 "has " + std::to_string(*bad) + " as atom " + std::to_string(bad - elements_.begin()) +
                     "; an atomic number is 0 or more");
  if (!elements_.empty()) largest_element_ = *std::max_element(elements_.begin(), elements_.end());
  require_cells(op, cells, n_molecules());
  std::vector<CellGeometry> geometries;
  if (any_repeats(cells)) {
    cells_.assign(cells.begin(), cells.end());
    core::in_op(op, "cells", [&] { geometries = geometries_of(cells); });
  }
  const auto is_small = [&](std::int32_t m) { return size(m) <= most_block_atoms && !repeats(m); };
  order_.resize(sizes.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
    return is_small(a) != is_small(b) ? is_small(b) : size(a) > size(b);
  });
  n_large_ = std::find_if(order_.begin(), order_.end(), is_small) - order_.begin();
  std::vector<std::int32_t> slot_of;
  for (std::size_t place = 0; place < order_.size(); ++place) {
    order_first_.push_back(order_first_.back() + size(order_[place]));
    slot_of.resize(static_cast<std::size_t>(order_first_.back()), static_cast<std::int32_t>(place));
  }
  Arrays arrays;
  arrays.add(first_);
  arrays.add(elements_);
  arrays.add(order_);
  arrays.add(order_first_);
  arrays.add(slot_of);
  arrays.add(geometries);
  on_device_ = copy_of(stream, arrays.bytes());
}

BatchPlan::BatchPlan(const BatchPlan& other, std::span<const UnitCell> cells)
    : BatchPlan(other.stream(), other.sizes(), other.elements_, cells) {}

std::vector<std::int64_t> BatchPlan::sizes() const {
  std::vector<std::int64_t> sizes;
  for (std::int64_t m = 0; m < n_molecules(); ++m) sizes.push_back(size(m));
  return sizes;
}

bool BatchPlan::is_like(std::span<const UnitCell> cells) const {
  return any_repeats(cells) &&
         std::equal(cells.begin(), cells.end(), cells_.begin(), cells_.end(),
                    [](const UnitCell& a, const UnitCell& b) { return a.repeats() == b.repeats(); });
}

void BatchPlan::replace_cells(std::span<const UnitCell> cells) {
  const std::vector<CellGeometry> geometries = geometries_of(cells);
  const auto at = reinterpret_cast<const std::byte*>(view().cells) - on_device_.data();
  detail::copy_in(stream(), on_device_.data() + at, geometries.data(),
                  std::ssize(geometries) * static_cast<std::int64_t>(sizeof(CellGeometry)));
  std::copy(cells.begin(), cells.end(), cells_.begin());
}

BatchView BatchPlan::view() const {
  const std::byte* next = on_device_.data();
  const auto take = [&](std::int64_t n, std::size_t size) { return std::exchange(next, next + array_bytes(n, size)); };
  const auto integers = [&](std::int64_t n) {
    return reinterpret_cast<const std::int32_t*>(take(n, sizeof(std::int32_t)));
  };
  BatchView view{};
  view.n_molecules = n_molecules();
  view.n_atoms = n_atoms();
  view.first = reinterpret_cast<const std::int64_t*>(take(n_molecules() + 1, sizeof(std::int64_t)));
  view.elements = integers(n_atoms());
  view.order = integers(n_molecules());
  view.order_first = reinterpret_cast<const std::int64_t*>(take(n_molecules() + 1, sizeof(std::int64_t)));
  view.slot_of = integers(n_atoms());
  view.cells = cells_.empty() ? nullptr : reinterpret_cast<const CellGeometry*>(next);
  return view;
}

}  // namespace rafter::forcefield_ladder
