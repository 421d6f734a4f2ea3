// std_transform: the C++ standard library's parallel transform (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <algorithm>
#include <execution>

#include "core/affinity.hpp"
#include "gather/gather_rung.hpp"
#include "rafter/error.hpp"

namespace rafter::gather_ladder::cpu {

template <class T, class I>
void std_transform(const Stream&, std::span<const T> table, std::span<const I> indices, std::span<T> out,
                   Bounds bounds) {
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  const auto write = [&](const auto& element) {
    std::transform(std::execution::par_unseq, indices.begin(), indices.end(), out.begin(), element);
  };
  const T* elements = table.data();
  const std::int64_t n = std::ssize(table);
  switch (bounds.kind()) {
    case Bounds::Kind::trust: return write([=](I index) { return elements[index]; });
    case Bounds::Kind::zero: return write([=](I index) { return in_table(index, n) ? elements[index] : T{0}; });
    case Bounds::Kind::clamp:
      return write([=](I index) { return elements[std::clamp<std::int64_t>(index, 0, n - 1)]; });
    case Bounds::Kind::report: break;
  }
  throw Error(ErrorCode::unsupported, "std::transform reports no bad indices; bounds=trust measures it");
}

RAFTER_GATHER_RUNG(std_transform);

}  // namespace rafter::gather_ladder::cpu
#endif
