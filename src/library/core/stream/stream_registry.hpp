// The states of all streams that have a handle, so that every Stream of one handle finds the same.
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
  std::uint64_t id;  // of the stream, never used twice
  auto operator<=>(const StreamKey&) const = default;
};

/// Safe to use from any thread.
class StreamRegistry {
 public:
  using Make = std::function<std::shared_ptr<StreamState>()>;

  /// The state of `key`, or what `make` makes, which is kept until it is forgotten.
  std::shared_ptr<StreamState> find_or_add(const StreamKey& key, const Make& make);

  /// A state that lives as long as somebody else holds it.
  void add(const StreamKey& key, const std::shared_ptr<StreamState>& state);

  /// If `key` is still of this state; it may be in its destructor.
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

/// The one of the process. It has no end: when a program ends, the driver may be gone before it.
StreamRegistry& stream_registry();

}  // namespace rafter::core
