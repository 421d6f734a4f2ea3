// The states of all streams with a handle, so that every Stream of one handle finds the same state.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace rafter::core {

class Backend;
class StreamState;

struct StreamKey {
  const Backend* backend;
  int ordinal;
  std::uint64_t id;  // stream id, never reused
  auto operator<=>(const StreamKey&) const = default;
};

/// Maps stream ids to states. Thread-safe.
class StreamRegistry {
 public:
  using Make = std::function<std::shared_ptr<StreamState>()>;

  /// Returns the state of `key`. If there is none, adds the result of `make` and keeps it until it is forgotten.
  std::shared_ptr<StreamState> find_or_add(const StreamKey& key, const Make& make);

  /// Adds a state without keeping it alive.
  void add(const StreamKey& key, const std::shared_ptr<StreamState>& state);

  /// Removes `key` if it still refers to `state`, which may be in its destructor.
  void forget(const StreamKey& key, const StreamState* state) noexcept;

 private:
  struct Entry {
    const StreamState* address;
    std::weak_ptr<StreamState> state;
    std::shared_ptr<StreamState> kept;
  };

  std::mutex mutex_;
  std::map<StreamKey, Entry> entries_;
};

/// Returns the process's registry. It is never destroyed, because the driver may be gone when the program ends.
StreamRegistry& stream_registry();

}  // namespace rafter::core
