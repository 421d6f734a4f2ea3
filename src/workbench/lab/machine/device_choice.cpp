#include "workbench/lab/machine/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/messages.hpp"
#include "library/core/cpu/affinity.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::lab {

void refuse_device(const std::string& wanted, const std::vector<std::string>& known) {
  if (wanted == "gpu") throw Error(ErrorCode::bad_argument, "unknown device 'gpu': did you mean 'cuda'?");
  throw Error(ErrorCode::bad_argument, base::unknown_name("device", wanted, known));
}

Device choose_device(const std::string& wanted, const std::vector<std::string>& known) {
  if (wanted.empty()) return why_unavailable(Device::cuda) ? Device::cpu : Device::cuda;
  const auto device = device_called(wanted);
  if (!device || std::find(known.begin(), known.end(), wanted) == known.end()) {
    refuse_device(wanted, known);
  }
  if (const auto reason = why_unavailable(*device)) {
    throw Error(ErrorCode::unsupported, fmt::format("device {} cannot be used: {}", wanted, *reason));
  }
  return *device;
}

Stream make_stream(Device device, int n_threads) {
  if (device != Device::cpu) return Stream::on(device);
  const int n_cores = core::n_usable_cores();
  if (n_threads < 0 || n_threads > n_cores) {
    throw Error(
        ErrorCode::bad_argument,
        fmt::format("--threads must be from 1 to {}, the cores this process may use; got {}", n_cores, n_threads));
  }
  const Stream stream = Stream::cpu(n_threads > 0 ? n_threads : n_cores);
  pin_threads(stream.n_threads());
  return stream;
}

}  // namespace rafter::lab
