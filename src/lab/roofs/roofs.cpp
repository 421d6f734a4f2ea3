#include "lab/roofs/roofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.hpp"
#include "lab/report/machine.hpp"
#include "lab/report/results.hpp"
#include "rafter/error.hpp"
#include "rafter/version.hpp"

namespace rafter::lab {

namespace {

using nlohmann::json;

// The cache holds one entry per machine, device and thread count.
std::string cache_key(const Stream& stream) {
  constexpr int way = 2;  // they are measured in: what others found is not asked for
  return fmt::format("{} | {} threads | rafter {}.{}", describe_device(stream.device()), stream.n_threads(), version,
                     way);
}

json read_cache(const std::filesystem::path& path) {
  const auto text = base::read_file(path);
  json cache = text ? json::parse(*text, nullptr, false) : json::object();
  return cache.is_object() ? cache : json::object();
}

std::optional<Roofs> roofs_in(const json& cache, const std::string& key) {
  const auto entry = cache.find(key);
  if (entry == cache.end() || !entry->is_object()) return std::nullopt;
  const auto number = [&](const char* field) {
    const auto value = entry->find(field);
    return value != entry->end() && value->is_number() ? value->get<double>() : 0.;
  };
  const Roofs roofs{number("read_bytes_per_s"), number("write_bytes_per_s"), number("copy_bytes_per_s"),
                    number("fma_flops_per_s"), number("launch_ns")};
  const bool complete = roofs.read_bytes_per_s > 0 && roofs.write_bytes_per_s > 0 && roofs.copy_bytes_per_s > 0 &&
                        roofs.fma_flops_per_s > 0;
  return complete ? std::optional(roofs) : std::nullopt;
}

Roofs better_of(const Roofs& a, const Roofs& b) {
  return {std::max(a.read_bytes_per_s, b.read_bytes_per_s), std::max(a.write_bytes_per_s, b.write_bytes_per_s),
          std::max(a.copy_bytes_per_s, b.copy_bytes_per_s), std::max(a.fma_flops_per_s, b.fma_flops_per_s),
          std::min(a.launch_ns, b.launch_ns)};
}

}  // namespace

Roofs measure_roofs(const Stream& stream) {
  if (stream.device() == Device::cpu) return measure_cpu_roofs(stream);
#ifdef RAFTER_WITH_CUDA
  if (stream.device() == Device::cuda) return measure_cuda_roofs(stream);
#endif
  throw Error(ErrorCode::unsupported, fmt::format("device {} has no roofs", name(stream.device())));
}

Roofs roofs_of(const Stream& stream, RoofSource source) {
  const auto path = base::cache_folder() / "roofs.json";
  const std::string key = cache_key(stream);
  const std::optional<Roofs> known = roofs_in(read_cache(path), key);
  if (known && source == RoofSource::cached) return *known;

  Roofs roofs = measure_roofs(stream);
  if (known && source == RoofSource::raise) roofs = better_of(roofs, *known);
  json cache = read_cache(path);
  cache[key] = to_json(roofs);
  try {
    base::write_file(path, cache.dump(2) + "\n");
  } catch (const Error&) {
    // A cache that cannot be written only costs the measurement again.
  }
  return roofs;
}

Floor floor_of(const Cost& cost, const Roofs& roofs) {
  // Reads can be no faster than the best reading seen (a copy reads half of its bytes), writes than the best writing,
  // and both together than the best rate seen at all.
  const double read = std::max(roofs.read_bytes_per_s, roofs.copy_bytes_per_s / 2);
  const double write = std::max(roofs.write_bytes_per_s, roofs.copy_bytes_per_s / 2);
  const double both = std::max({read, write, roofs.copy_bytes_per_s});
  const double memory_ns = 1e9 * std::max({cost.bytes_read / read, cost.bytes_written / write, cost.bytes() / both});
  const double arithmetic_ns = 1e9 * cost.operations / roofs.fma_flops_per_s;
  const double launch_ns = cost.launches * roofs.launch_ns;
  const double most = std::max({memory_ns, arithmetic_ns, launch_ns});
  return {most, most == memory_ns       ? Floor::Limit::memory
                : most == arithmetic_ns ? Floor::Limit::arithmetic
                                        : Floor::Limit::launch};
}

const char* name(Floor::Limit limit) noexcept {
  switch (limit) {
    case Floor::Limit::memory: return "memory";
    case Floor::Limit::arithmetic: return "arithmetic";
    case Floor::Limit::launch: return "launch";
  }
  return "";
}

}  // namespace rafter::lab
