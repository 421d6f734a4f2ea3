// A batch on the host and on its device: the atoms of each molecule, and the order in which molecules are processed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forcefield/batch/forcefield_edges.hpp"
#include "rafter/buffer.hpp"
#include "rafter/forcefield.hpp"

namespace rafter::forcefield_ladder {

/// A batch in device memory, as kernels access it.
struct BatchView {
  std::int64_t n_molecules, n_atoms;
  const std::int64_t* first;        // [molecules + 1]: each molecule's first atom
  const std::int32_t* elements;     // [atoms]
  const std::int32_t* order;        // [molecules]: see BatchPlan
  const std::int64_t* order_first;  // [molecules + 1]: each molecule's first atom if they were stored in that order
  const std::int32_t* slot_of;      // [atoms] in that order: the index of their molecule in it
  const CellGeometry* cells;        // [molecules], or null: none is periodic
};

/// The most atoms of a molecule that one block of a GPU processes.
inline constexpr std::int64_t most_block_atoms = 128;

/// Throws Error (bad_argument) if the stream is being captured: the host must wait for the number of edges of a list,
/// which is not possible during a capture.
void require_waiting(const Stream& stream);

/// Throws Error (bad_argument) unless there is a cell for each molecule, or none.
void require_cells(const char* op, std::span<const UnitCell> cells, std::int64_t n_molecules);
/// Throws Error (bad_argument) if the stream is being captured.
void require_no_capture(const char* op, const Stream& stream);

class BatchPlan {
 public:
  /// Throws Error (bad_argument) in the cases that MoleculeBatch documents.
  BatchPlan(const Stream& stream, std::span<const std::int64_t> sizes, std::span<const std::int32_t> elements,
            std::span<const UnitCell> cells);
  /// Copies a batch with other cells.
  BatchPlan(const BatchPlan& other, std::span<const UnitCell> cells);

  /// Whether the batch is periodic and the same molecules of it are with these cells.
  bool is_like(std::span<const UnitCell> cells) const;
  /// Replaces the cells of a batch that is like them.
  void replace_cells(std::span<const UnitCell> cells);

  const Stream& stream() const noexcept { return on_device_.stream(); }
  std::int64_t n_molecules() const noexcept { return std::ssize(first_) - 1; }
  std::int64_t n_atoms() const noexcept { return first_.back(); }
  std::int32_t largest_element() const noexcept { return largest_element_; }
  BatchView view() const;

  // Host data.
  std::int64_t first(std::int64_t molecule) const { return first_[static_cast<std::size_t>(molecule)]; }
  std::int64_t size(std::int64_t molecule) const { return first(molecule + 1) - first(molecule); }
  /// The molecules in the order of processing: first those that are too large for a block or periodic, then the others;
  /// within each group, the largest first.
  std::span<const std::int32_t> order() const noexcept { return order_; }
  std::int64_t n_large() const noexcept { return n_large_; }
  /// The first atom of the molecule at this index of the order, if molecules were stored in that order.
  std::int64_t order_first(std::int64_t place) const { return order_first_[static_cast<std::size_t>(place)]; }
  std::int32_t element(std::int64_t atom) const { return elements_[static_cast<std::size_t>(atom)]; }
  const UnitCell* cell(std::int64_t molecule) const {
    return cells_.empty() ? nullptr : &cells_[static_cast<std::size_t>(molecule)];
  }
  bool repeats(std::int64_t molecule) const { return !cells_.empty() && cell(molecule)->repeats(); }
  const std::int32_t* elements() const noexcept { return elements_.data(); }

 private:
  std::vector<std::int64_t> sizes() const;

  std::vector<std::int64_t> first_, order_first_{0};
  std::vector<std::int32_t> elements_, order_;
  std::int64_t n_large_ = 0;
  std::vector<UnitCell> cells_;
  std::int32_t largest_element_ = 0;
  Buffer<std::byte> on_device_;  // the arrays of the view, contiguous
};

}  // namespace rafter::forcefield_ladder
