#include "library/core/stream/stream_registry.hpp"

#include <utility>

namespace rafter::core {

std::shared_ptr<StreamState> StreamRegistry::find_or_add(const StreamKey& key, const Make& make) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end()) {
    if (auto state = found->second.state.lock()) return state;
  }
  std::shared_ptr<StreamState> state = make();
  entries_.insert_or_assign(key, Entry{state.get(), state, state});
  return state;
}

void StreamRegistry::add(const StreamKey& key, const std::shared_ptr<StreamState>& state) {
  const std::lock_guard lock(mutex_);
  entries_.insert_or_assign(key, Entry{state.get(), state, nullptr});
}

void StreamRegistry::forget(const StreamKey& key, const StreamState* state) noexcept {
  std::shared_ptr<StreamState> last;  // released after the lock: its destructor calls forget()
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.address != state) return;
  last = std::move(found->second.kept);
  entries_.erase(found);
}

StreamRegistry& stream_registry() {
  static StreamRegistry& registry = *new StreamRegistry;
  return registry;
}

}  // namespace rafter::core
