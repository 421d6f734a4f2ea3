// Callbacks of the host program, and the end of their use.
#pragma once

namespace rafter::c_api {

/// Calls the host program's `release` when the library needs the callbacks no longer, unless they were refused.
template <class Callbacks>
class Released {
 public:
  explicit Released(const Callbacks& callbacks) : callbacks_(callbacks) {}
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() {
    if (!accepted_ || callbacks_.release == nullptr) return;
    try {
      callbacks_.release(callbacks_.context);
    } catch (...) {  // a destructor cannot report it
    }
  }
  void accept() noexcept { accepted_ = true; }
  const Callbacks* operator->() const noexcept { return &callbacks_; }

 private:
  Callbacks callbacks_;
  bool accepted_ = false;
};

}  // namespace rafter::c_api
