// What a case of user kernels expects: the results of its references, or the contents of files.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/messages.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/answers.hpp"
#include "workbench/bench/kernel_case.hpp"

namespace rafter::bench {

void KernelCase::run_references() {
  for (int set = 0; set < n_input_sets(); ++set) {
    answers_.emplace_back();
    for (const std::string& kernel : plan_.reference_kernels) add_answers(kernel, set, answers_of(kernel, set));
    for (const std::string& function : plan_.reference_functions) add_answers(function, set, answers_of(function, set));
    find_written(set);
  }
  if (std::none_of(is_written_.begin(), is_written_.end(), [](bool written) { return written; }))
    throw Error(ErrorCode::bad_argument,
                fmt::format("the reference {} writes nothing: no array is changed by it", first_reference_));
}

std::vector<HostBytes> KernelCase::answers_of(const std::string& reference, int set) {
  const auto run = [&](std::byte before) {
    return plan_.is_reference(reference) ? run_on_device(reference, set, before) : run_on_host(reference, set, before);
  };
  std::vector<HostBytes> answers = run(poison);
  if (may_be_unset(arrays_, answers)) require_complete(reference, arrays_, answers, run(other_poison));
  const bool may_give_nan = std::any_of(plan_.arguments.begin(), plan_.arguments.end(), [](const Argument& argument) {
    return argument.fill.kind == FillRule::Kind::nan || argument.fill.kind == FillRule::Kind::file;
  });
  if (!may_give_nan) require_numbers(reference, arrays_, answers);
  return answers;
}

std::vector<HostBytes> KernelCase::run_on_device(const std::string& reference, int set, std::byte before) {
  prepare(set);
  for (const auto& array : arrays_) {
    if (before != poison && array->use() == Use::output)
      core::backend(stream().device())
          .fill_bytes(stream().handle(), array->data(set), std::to_integer<int>(before), array->shape().bytes());
  }
  run(reference, references_.at(reference), stream(), set, nullptr);
  stream().synchronize();
  guard_.ended();
  core::backend(stream().device()).take_findings();  // its own rung shows them; the next kernel must not get them
  return results(set);
}

std::vector<HostBytes> KernelCase::results(int set) const {
  std::vector<HostBytes> bytes(arrays_.size());
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (arrays_[i]->is_result()) bytes[i] = arrays_[i]->on_host(set);
  }
  return bytes;
}

std::vector<HostBytes> KernelCase::run_on_host(const std::string& reference, int set, std::byte before) {
  prepare(set);
  std::vector<HostBytes> memory;
  for (const auto& array : arrays_) {
    memory.push_back(array->on_host(set));
    if (array->use() == Use::output) std::fill(memory.back().begin(), memory.back().end(), before);
  }
  run(reference, references_.at(reference), stream(), set, &memory);
  guard_.ended();
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (!arrays_[i]->is_result()) memory[i].clear();
  }
  return memory;
}

/// Gives the function copies of the arrays whose elements it takes as another type, and converts what it changes back.
void KernelCase::call_converted(const Bound& bound, const Stream& stream, int set, HostArrays host) {
  core::Backend& device = core::backend(stream.device());
  struct Copy {
    std::size_t array;
    ElementType type;
    HostBytes narrow, wide;
    std::shared_ptr<void> memory{};
  };
  std::vector<Copy> copies;
  Bound with_copies = bound;
  for (BoundValue& value : with_copies.values) {
    if (!value.converted) continue;
    const std::size_t array = value.pointers.front().array;
    const ElementType from = arrays_[array]->shape().type;
    HostBytes narrow = host != nullptr ? (*host)[array] : arrays_[array]->on_host(set);
    HostBytes wide = convert_floats(narrow, from, *value.converted);
    void* address = wide.data();
    std::shared_ptr<void> memory;
    const auto bytes = static_cast<std::int64_t>(wide.size());
    if (host == nullptr) {
      memory = {device.allocate(std::max<std::int64_t>(bytes, 1)), [&device](void* p) { device.deallocate(p); }};
      device.copy_in(stream.handle(), address = memory.get(), wide.data(), bytes);
    }
    address = static_cast<std::byte*>(address) + value.pointers.front().offset_bytes;
    std::memcpy(value.bytes.data(), &address, sizeof address);
    value.pointers.clear();
    copies.push_back({array, *value.converted, std::move(narrow), std::move(wide), std::move(memory)});
  }
  std::vector<HostBytes> before;
  for (const Copy& copy : copies) before.push_back(copy.wide);
  call(with_copies, stream, set, host);
  stream.synchronize();
  for (std::size_t i = 0; i < copies.size(); ++i) {
    Copy& copy = copies[i];
    const KernelArray& array = *arrays_[copy.array];
    if (!array.is_result() && array.use() != Use::scratch) continue;
    if (host == nullptr)
      device.copy_out(stream.handle(), copy.wide.data(), copy.memory.get(),
                      static_cast<std::int64_t>(copy.wide.size()));
    if (copy.wide == before[i]) continue;
    const auto wide_bytes = static_cast<std::size_t>(bytes_of(copy.type));
    const auto narrow_bytes = static_cast<std::size_t>(bytes_of(array.shape().type));
    const HostBytes rounded = convert_floats(copy.wide, copy.type, array.shape().type);
    for (std::size_t at = 0, to = 0; at < copy.wide.size(); at += wide_bytes, to += narrow_bytes) {
      // Elements that are as they were keep their bits, by which unset ones are found.
      if (std::memcmp(&copy.wide[at], &before[i][at], wide_bytes) != 0)
        std::memcpy(&copy.narrow[to], &rounded[to], narrow_bytes);
    }
    if (host != nullptr) {
      (*host)[copy.array] = copy.narrow;
    } else {
      device.copy_in(stream.handle(), arrays_[copy.array]->data(set), copy.narrow.data(),
                     static_cast<std::int64_t>(copy.narrow.size()));
    }
  }
}

void KernelCase::add_answers(const std::string& reference, int set, std::vector<HostBytes> answers) {
  auto& known = answers_[static_cast<std::size_t>(set)];
  if (known.empty()) {
    known = std::move(answers);
    first_reference_ = reference;
    return;
  }
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (!arrays_[i]->is_result()) continue;
    const lab::Comparison comparison =
        compare_bytes(arrays_[i]->shape(), answers[i], known[i], tolerance(arrays_[i]->shape()));
    if (!comparison.ok()) {
      throw Error(ErrorCode::bad_argument,
                  fmt::format("the references disagree: in {}, {} has {} compared with {}", arrays_[i]->shape().name,
                              reference, comparison.text(), first_reference_));
    }
  }
}

/// Finds the arrays that a reference changes in an input set.
void KernelCase::find_written(int set) {
  prepare(set);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (!arrays_[i]->is_result() || is_written_[i]) continue;
    is_written_[i] = arrays_[i]->on_host(set) != answers_[static_cast<std::size_t>(set)][i];
  }
}

bool KernelCase::hardly_depends_on_inputs() const {
  const auto varies = [](const auto& array) {
    return array->shape().fill.kind == Fill::Kind::random && !array->shape().fill.has_seed && array->shape().size() > 0;
  };
  if (answers_.size() < 2 || !plan_.expectations.empty() || std::none_of(arrays_.begin(), arrays_.end(), varies))
    return false;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (!is_written_[i]) continue;
    const Array& array = arrays_[i]->shape();
    if (!compare_bytes(array, answers_[0][i], answers_[1][i], tolerance(array)).ok()) return false;
  }
  return true;
}

void KernelCase::read_answers() {
  std::vector<HostBytes> answers(arrays_.size());
  std::vector<std::string> outputs;
  std::size_t n_found = 0;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (arrays_[i]->use() == Use::scratch) continue;
    const std::string& name = arrays_[i]->shape().name;
    outputs.push_back(name);
    const auto found = plan_.expectations.find(name);
    if (found != plan_.expectations.end()) {
      answers[i] = read_npy(arrays_[i]->shape(), found->second);
      is_written_[i] = true;
      ++n_found;
    } else if (arrays_[i]->use() == Use::output) {
      throw Error(ErrorCode::bad_argument,
                  fmt::format("there is no expected content of '{0}': --reference {0}=FILE.npy", name));
    } else if (arrays_[i]->use() == Use::in_out) {
      prepare(0);
      answers[i] = arrays_[i]->on_host(0);
    }
  }
  for (const auto& entry : plan_.expectations) {
    if (n_found < plan_.expectations.size() && std::find(outputs.begin(), outputs.end(), entry.first) == outputs.end())
      throw Error(ErrorCode::bad_argument, "--reference: " + base::unknown_name("array", entry.first, outputs));
  }
  answers_.assign(static_cast<std::size_t>(n_input_sets()), answers);
}

}  // namespace rafter::bench
