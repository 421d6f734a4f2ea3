// filter_indices, filter_columns: check their arguments and call the best rung of the stream's device. Indices are a
// column, too.
#include "rafter/filter_columns.hpp"

#include <limits>
#include <string>
#include <vector>

#include "filter/filter_rung.hpp"
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"

namespace rafter {

namespace filter_ladder {
namespace cpu {
extern const FilterRung two_passes;
}
namespace cuda {
extern const FilterRung tile_atomic;
extern const FilterRung look_back;
}  // namespace cuda

namespace {

/// An array of an op, for the check that outputs overlap nothing.
struct NamedArray {
  std::string name;
  std::span<const std::byte> bytes;
};

std::span<const std::byte> memory_of(const void* data, std::int64_t bytes) {
  return {static_cast<const std::byte*>(data), static_cast<std::size_t>(bytes)};
}

void require_outputs_disjoint(const char* op, const std::vector<NamedArray>& inputs,
                              const std::vector<NamedArray>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedArray& out = outputs[i];
    for (const NamedArray& in : inputs)
      core::require_disjoint(op, in.name.c_str(), in.bytes, out.name.c_str(), out.bytes);
    for (std::size_t k = 0; k < i; ++k)
      core::require_disjoint(op, outputs[k].name.c_str(), outputs[k].bytes, out.name.c_str(), out.bytes);
  }
}

void require_column(const Stream& stream, const char* op, const std::string& name, const void* data, std::int64_t n,
                    int element_bytes) {
  const auto require = [&]<class Bits>(Bits) {
    core::require_array(stream, op, name.c_str(),
                        std::span(static_cast<const Bits*>(data), static_cast<std::size_t>(n)));
  };
  switch (element_bytes) {
    case 2: return require(std::uint16_t{});
    case 4: return require(std::uint32_t{});
    default: return require(std::uint64_t{});
  }
}

template <class T>
void filter_kept(const char* op, const Stream& stream, const FilterArgs<T, Columns>& args) {
  args.order == FilterOrder::any ? core::dispatch<cpu::two_passes, cuda::tile_atomic>(op, stream, args)
                                 : core::dispatch<cpu::two_passes, cuda::look_back>(op, stream, args);
}

}  // namespace
}  // namespace filter_ladder

template <class T, class Index>
void detail::FilterIndices<T, Index>::operator()(const Stream& stream, DeviceSpan<const T> in, Predicate<T> keep,
                                                 FilterOrder order, DeviceSpan<Index> indices,
                                                 DeviceSpan<std::int64_t> count) const {
  using namespace filter_ladder;
  constexpr const char* op = "filter_indices";
  core::require_array(stream, op, "in", in);
  core::require_array(stream, op, "indices", indices);
  core::require_size(op, "count", count, 1);
  core::require_array(stream, op, "count", count);
  require_outputs_disjoint(op, {{"in", memory_of(in.data(), in.size_bytes())}},
                           {{"indices", memory_of(indices.data(), indices.size_bytes())},
                            {"count", memory_of(count.data(), count.size_bytes())}});
  if (in.size() - 1 > std::int64_t{std::numeric_limits<Index>::max()})
    core::refuse(op, "in",
                 "may have at most 2147483648 elements for 32-bit indices, has " + std::to_string(in.size()) +
                     "; use 64-bit indices");
  KeptColumns columns{{}, 1, indices.size()};
  columns.column[0] = {nullptr, indices.data(), static_cast<int>(sizeof(Index))};
  filter_kept<T>(op, stream, {in.elements(), keep, order, columns, count.data()});
}

template <class T>
void detail::FilterColumns<T>::operator()(const Stream& stream, DeviceSpan<const T> key, Predicate<T> keep,
                                          FilterOrder order, std::span<const FilterColumn> columns,
                                          DeviceSpan<std::int64_t> count) const {
  using namespace filter_ladder;
  constexpr const char* op = "filter_columns";
  static_assert(KeptColumns::most == max_filter_columns);
  core::require_array(stream, op, "key", key);
  core::require_size(op, "count", count, 1);
  core::require_array(stream, op, "count", count);
  if (columns.size() > max_filter_columns)
    core::refuse(op, "columns", "may be at most 8, are " + std::to_string(columns.size()));
  std::vector<NamedArray> inputs{{"key", memory_of(key.data(), key.size_bytes())}};
  std::vector<NamedArray> outputs{{"count", memory_of(count.data(), count.size_bytes())}};
  KeptColumns kept{{}, static_cast<int>(columns.size()), columns.empty() ? 0 : columns[0].out_size()};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const FilterColumn& column = columns[i];
    const std::string in = "columns[" + std::to_string(i) + "].in", out = "columns[" + std::to_string(i) + "].out";
    const auto require_size = [&](const std::string& name, std::int64_t size, std::int64_t expected) {
      if (size == expected) return;
      core::refuse(op, name.c_str(),
                   "should have " + std::to_string(expected) + " elements, has " + std::to_string(size));
    };
    require_size(in, column.in_size(), key.size());
    require_size(out, column.out_size(), kept.capacity);
    require_column(stream, op, in, column.in(), column.in_size(), column.element_bytes());
    require_column(stream, op, out, column.out(), column.out_size(), column.element_bytes());
    inputs.push_back({in, memory_of(column.in(), column.in_size() * column.element_bytes())});
    outputs.push_back({out, memory_of(column.out(), column.out_size() * column.element_bytes())});
    kept.column[i] = {column.in(), column.out(), column.element_bytes()};
  }
  require_outputs_disjoint(op, inputs, outputs);
  filter_kept<T>(op, stream, {key.elements(), keep, order, kept, count.data()});
}

template struct core::Instances<decltype(filter_indices)>;
template struct core::Instances<decltype(filter_columns)>;

}  // namespace rafter
