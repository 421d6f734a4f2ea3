// Lists of rungs. A family writes its ladder as one macro with a line per rung:
//
//   RUNG(device, name, "idea")            ladder/name.cpp or ladder/name.cu
//   OP(device, name, "idea")              family_cpu.cpp or family_cuda.cu: the best rung, which the public op calls
//   PEER(device, name, LIBRARY, "idea")   peers/name.cpp or peers/name.cu
//
// A rung for cuda is also one for simt: the same file, built for the executor. Its object is a weak symbol, defined
// only in programs that link the rungs for the executor.
//
// The list is expanded twice, to declare the rungs and to list them, so that a new rung is one file and one line. A
// line for a device or library that this build lacks stays in the list with a null rung.
#pragma once

#include <any>
#include <initializer_list>
#include <string>
#include <vector>

#include "library/core/rung.hpp"
#include "workbench/lab/cases/array_case.hpp"
#include "workbench/lab/workload/workload.hpp"

#define RAFTER_IF_cpu(...) __VA_ARGS__
#ifdef RAFTER_WITH_CUDA
#define RAFTER_IF_cuda(...) __VA_ARGS__
#else
#define RAFTER_IF_cuda(...)
#endif

#define RAFTER_IF_CUB(...) RAFTER_IF_cuda(__VA_ARGS__)
#ifdef RAFTER_WITH_EIGEN
#define RAFTER_IF_EIGEN(...) __VA_ARGS__
#else
#define RAFTER_IF_EIGEN(...)
#endif
#ifdef RAFTER_WITH_TBB
#define RAFTER_IF_TBB(...) __VA_ARGS__
#else
#define RAFTER_IF_TBB(...)
#endif
#ifdef RAFTER_WITH_ONEDNN
#define RAFTER_IF_ONEDNN(...) __VA_ARGS__
#else
#define RAFTER_IF_ONEDNN(...)
#endif
#ifdef RAFTER_WITH_CUBLAS
#define RAFTER_IF_CUBLAS(...) __VA_ARGS__
#else
#define RAFTER_IF_CUBLAS(...)
#endif
#ifdef RAFTER_WITH_CUBLASLT
#define RAFTER_IF_CUBLASLT(...) __VA_ARGS__
#else
#define RAFTER_IF_CUBLASLT(...)
#endif
#ifdef RAFTER_WITH_CUDNN
#define RAFTER_IF_CUDNN(...) __VA_ARGS__
#else
#define RAFTER_IF_CUDNN(...)
#endif

// Declares the rungs of a ladder in the namespace of the family: RAFTER_DECLARE_LADDER(SumRung, SUM_LADDER).
#define RAFTER_DECLARE_LADDER(FamilyRung, ladder) \
  using LadderRung = FamilyRung;                  \
  ladder(RAFTER_DECLARE_RUNG, RAFTER_DECLARE_RUNG, RAFTER_DECLARE_PEER)
#define RAFTER_DECLARE_RUNG(device, name, idea) RAFTER_DECLARE_RUNG_##device(name)
#define RAFTER_DECLARE_RUNG_cpu(name) \
  namespace cpu {                     \
  extern const LadderRung name;       \
  }
#define RAFTER_DECLARE_RUNG_cuda(name)                                              \
  RAFTER_IF_cuda(namespace cuda { extern const LadderRung name; }) namespace simt { \
    extern const LadderRung name __attribute__((weak));                             \
  }
#define RAFTER_DECLARE_PEER(device, name, library, idea) \
  RAFTER_IF_##library(namespace device { extern const LadderRung name; })

// The folder of a family, as `rafter show` prints it. A family outside of kernels/ defines its own.
#ifndef RAFTER_FAMILY_FOLDER
#define RAFTER_FAMILY_FOLDER "kernels/" + family + "/"
#endif

// Expands to the std::vector<Rung> of a ladder; `family` is the family's name.
#define RAFTER_LIST_LADDER(ladder)                                                                        \
  ladder_of({family, RAFTER_FAMILY_FOLDER}, {ladder(RAFTER_LIST_RUNG, RAFTER_LIST_OP, RAFTER_LIST_PEER)}, \
            adapter_of<LadderRung>)
#define RAFTER_LIST_RUNG(device, name, idea) RAFTER_LIST_RUNG_##device(name, idea, LadderLine::Kind::step)
#define RAFTER_LIST_OP(device, name, idea) RAFTER_LIST_RUNG_##device(name, idea, LadderLine::Kind::op)
#define RAFTER_LIST_RUNG_cpu(name, idea, kind) {#name, idea, Device::cpu, kind, &cpu::name},
#define RAFTER_LIST_RUNG_cuda(name, idea, kind)                            \
  {#name, idea, Device::cuda, kind, rung_if(RAFTER_IF_cuda(&cuda::name))}, \
      {#name, idea, Device::simt, kind, &simt::name},
#define RAFTER_LIST_PEER(device, name, library, idea) \
  {#name, idea, Device::device, LadderLine::Kind::peer, rung_if(RAFTER_IF_##library(&device::name))},

namespace rafter::lab {

/// A line of a ladder. `rung` points to an object of the family's rung type, or is nullptr if the program lacks it.
struct LadderLine {
  enum class Kind { step, op, peer };
  const char* name;
  const char* idea;
  Device device;
  Kind kind;
  const void* rung;
};

struct FamilyFiles {
  std::string family;
  std::string folder;  ///< ends with a slash
};

/// Returns the address of a rung, or nullptr without an argument, for a rung that this build lacks.
constexpr const void* rung_if(const void* rung = nullptr) { return rung; }

/// Returns the rungs of a family's ladder; `adapt` converts one to a function that runs on a case.
std::vector<Rung> ladder_of(const FamilyFiles& files, std::initializer_list<LadderLine> lines,
                            RunRung (*adapt)(const void* rung));

/// Calls `function(stream, args)` if the case is one for Args. Sets `args.stages`, if Args has it, to the case's.
template <class Args, class Function>
bool call_if_for(const Function& function, Case& work, const Stream& stream, int set) {
  auto* matching = dynamic_cast<CaseFor<Args>*>(&work);
  if (matching == nullptr) return false;
  Args args = matching->args(set);
  if constexpr (requires { args.stages; }) args.stages = work.stages;
  function(stream, args);
  return true;
}

/// Returns a function that runs a rung on a case and throws Error (bad_argument) for a case of another family.
template <class... Args>
RunRung run_of(const core::Rung<Args...>& rung) {
  return [&rung](Case& work, const Stream& stream, int set) {
    if ((call_if_for<Args>(rung, work, stream, set) || ...)) return;
    throw Error(ErrorCode::bad_argument, "the rung has no function for the types of this case");
  };
}

/// Adapts a FamilyRung for ladder_of().
template <class FamilyRung>
RunRung adapter_of(const void* rung) {
  return run_of(*static_cast<const FamilyRung*>(rung));
}

/// Implements Workload::adopt for a family with rungs of type FamilyRung: a RungFunction for one of its Args runs on
/// cases for the same Args only.
template <class FamilyRung>
struct Adopt;
template <class... Args>
struct Adopt<core::Rung<Args...>> {
  RunRung operator()(const std::any& function) const {
    return [function](Case& work, const Stream& stream, int set) {
      if ((run_if_for<Args>(function, work, stream, set) || ...)) return;
      throw Error(ErrorCode::unsupported, "the function is for another element type");
    };
  }

 private:
  template <class A>
  static bool run_if_for(const std::any& function, Case& work, const Stream& stream, int set) {
    const auto* matching = std::any_cast<RungFunction<A>>(&function);
    return matching != nullptr && call_if_for<A>(*matching, work, stream, set);
  }
};

}  // namespace rafter::lab
