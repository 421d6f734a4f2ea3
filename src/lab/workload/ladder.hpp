// Lists of rungs. A family writes its ladder as one macro with a line per rung:
//
//   RUNG(device, name, "idea")            ladder/name.cpp or ladder/name.cu
//   OP(device, name, "idea")              family_cpu.cpp or family_cuda.cu: the best rung, which the public op calls
//   PEER(device, name, LIBRARY, "idea")   peers/name.cpp or peers/name.cu
//
// A rung for cuda is one for simt, too: the same file, built for the executor.
//
// It is expanded once to declare the rungs and once to list them, so that a new rung is one file and one line. A line
// of a device or library that this build lacks stays in the list, with nothing to run.
#pragma once

#include <any>

#include "core/rung.hpp"
#include "lab/cases/array_case.hpp"
#include "lab/workload/workload.hpp"

#define RAFTER_IF_cpu(...) __VA_ARGS__
#ifdef RAFTER_WITH_CUDA
#define RAFTER_IF_cuda(...) __VA_ARGS__
#else
#define RAFTER_IF_cuda(...)
#endif

#ifdef RAFTER_WITH_SIMT
#define RAFTER_IF_simt(...) __VA_ARGS__
#else
#define RAFTER_IF_simt(...)
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

// Declares what a ladder names, in the namespace of the family: RAFTER_DECLARE_LADDER(SumRung, SUM_LADDER).
#define RAFTER_DECLARE_LADDER(FamilyRung, ladder) \
  using LadderRung = FamilyRung;                  \
  ladder(RAFTER_DECLARE_RUNG, RAFTER_DECLARE_RUNG, RAFTER_DECLARE_PEER)
#define RAFTER_DECLARE_RUNG(device, name, idea) RAFTER_DECLARE_RUNG_##device(name)
#define RAFTER_DECLARE_RUNG_cpu(name) RAFTER_DECLARE_ON(cpu, name)
#define RAFTER_DECLARE_RUNG_cuda(name) RAFTER_DECLARE_ON(cuda, name) RAFTER_DECLARE_ON(simt, name)
#define RAFTER_DECLARE_ON(device, name) RAFTER_IF_##device(namespace device { extern const LadderRung name; })
#define RAFTER_DECLARE_PEER(device, name, library, idea) \
  RAFTER_IF_##library(namespace device { extern const LadderRung name; })

// The elements of a std::vector<Rung>; `family` is the family's name.
#define RAFTER_LIST_LADDER(ladder) ladder(RAFTER_LIST_RUNG, RAFTER_LIST_OP, RAFTER_LIST_PEER)
#define RAFTER_LIST_RUNG(device, name, idea) RAFTER_LIST_RUNG_##device(name, idea, "ladder/" #name, Role::step)
#define RAFTER_LIST_OP(device, name, idea) RAFTER_LIST_RUNG_##device(name, idea, family + ("_" #device), Role::op)
#define RAFTER_LIST_RUNG_cpu(name, idea, stem, role) RAFTER_LIST_ON(cpu, name, idea, stem, role)
#define RAFTER_LIST_RUNG_cuda(name, idea, stem, role) \
  RAFTER_LIST_ON(cuda, name, idea, stem, role) RAFTER_LIST_ON(simt, name, idea, stem, role)
#define RAFTER_LIST_ON(device, name, idea, stem, role) \
  {#name,                                              \
   Device::device,                                     \
   RungKind::rung,                                     \
   idea,                                               \
   rung_path(family, stem, Device::device),            \
   {RAFTER_IF_##device(run_of(device::name))},         \
   role},
#define RAFTER_LIST_PEER(device, name, library, idea) \
  {#name,                                             \
   Device::device,                                    \
   RungKind::peer,                                    \
   idea,                                              \
   rung_path(family, "peers/" #name, Device::device), \
   {RAFTER_IF_##library(run_of(device::name))}},

namespace rafter::lab {

/// "kernels/FAMILY/STEM.cu", or .cpp for the CPU.
inline std::string rung_path(const std::string& family, const std::string& stem, Device device) {
  return "kernels/" + family + "/" + stem + (device == Device::cpu ? ".cpp" : ".cu");
}

/// Calls `function(stream, args)` if the case is one for Args.
template <class Args, class Function>
bool call_if_for(const Function& function, Case& work, const Stream& stream, int set) {
  auto* its_own = dynamic_cast<CaseFor<Args>*>(&work);
  if (its_own != nullptr) function(stream, its_own->args(set));
  return its_own != nullptr;
}

/// How a family's rung runs on a case; a case of another family is an Error (bad_argument).
template <class... Args>
RunRung run_of(const core::Rung<Args...>& rung) {
  return [&rung](Case& work, const Stream& stream, int set) {
    if ((call_if_for<Args>(rung, work, stream, set) || ...)) return;
    throw Error(ErrorCode::bad_argument, "the rung has no function for the types of this case");
  };
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
