// Lists of rungs. A family writes its ladder as one macro with a line per rung:
//
//   RUNG(device, name, "idea")            ladder/name.cpp or ladder/name.cu
//   OP(device, name, "idea")              family_cpu.cpp or family_cuda.cu: the best rung, which the public op calls
//   PEER(device, name, LIBRARY, "idea")   peers/name.cpp or peers/name.cu
//
// A rung for cuda is one for simt, too: the same file, built for the executor. Its object is a weak symbol, so that
// only a program that links the rungs for the executor has them.
//
// The list is expanded once to declare the rungs and once to list them, so that a new rung is one file and one line. A
// line of a device or library that this build lacks stays in the list, with nothing to run.
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

// Declares what a ladder names, in the namespace of the family: RAFTER_DECLARE_LADDER(SumRung, SUM_LADDER).
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

// The folder of a family, as `rafter show` names its files. One that is not in kernels/ is built with its own.
#ifndef RAFTER_FAMILY_FOLDER
#define RAFTER_FAMILY_FOLDER "kernels/" + family + "/"
#endif

// The std::vector<Rung> of a ladder; `family` is the family's name.
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

/// A line of a ladder; its rung is of the family's type, or nullptr where the program has none.
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
  std::string folder;  ///< with a slash behind it
};

/// The address of a rung that this build has; without an argument, of one that it has not.
constexpr const void* rung_if(const void* rung = nullptr) { return rung; }

/// The rungs of a family's ladder; `adapt` says how one of them runs on a case.
std::vector<Rung> ladder_of(const FamilyFiles& files, std::initializer_list<LadderLine> lines,
                            RunRung (*adapt)(const void* rung));

/// Calls `function(stream, args)` if the case is one for Args. Args that have `stages` get the case's.
template <class Args, class Function>
bool call_if_for(const Function& function, Case& work, const Stream& stream, int set) {
  auto* its_own = dynamic_cast<CaseFor<Args>*>(&work);
  if (its_own == nullptr) return false;
  Args args = its_own->args(set);
  if constexpr (requires { args.stages; }) args.stages = work.stages;
  function(stream, args);
  return true;
}

/// How a family's rung runs on a case; a case of another family is an Error (bad_argument).
template <class... Args>
RunRung run_of(const core::Rung<Args...>& rung) {
  return [&rung](Case& work, const Stream& stream, int set) {
    if ((call_if_for<Args>(rung, work, stream, set) || ...)) return;
    throw Error(ErrorCode::bad_argument, "the rung has no function for the types of this case");
  };
}

/// As ladder_of() wants it: run_of() of a FamilyRung.
template <class FamilyRung>
RunRung adapter_of(const void* rung) {
  return run_of(*static_cast<const FamilyRung*>(rung));
}

/// Workload::adopt of a family whose rungs are `FamilyRung`s: a RungFunction for one of its Args runs on cases for
/// those, and on no others.
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
    const auto* its_own = std::any_cast<RungFunction<A>>(&function);
    return its_own != nullptr && call_if_for<A>(*its_own, work, stream, set);
  }
};

}  // namespace rafter::lab
