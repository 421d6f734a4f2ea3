// Lists of rungs. A family writes its ladder as one macro with a line per rung:
//
//   RUNG(device, name, "idea")            ladder/name.cpp or ladder/name.cu
//   OP(device, name, "idea")              family_cpu.cpp or family_cuda.cu: the best rung, which the public op calls
//   PEER(device, name, LIBRARY, "idea")   peers/name.cpp or peers/name.cu
//
// A rung for cuda is one for simt, too: the same file, built for the executor.
//
// It is expanded once to declare the rungs' functions and once to list them, so that a new rung is one file and one
// line. A line of a device or library that this build lacks stays in the list, with nothing to run.
#pragma once

#include "lab/cases/old_array_case.hpp"
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

// Declares what a ladder names; RAFTER_SIGNATURE(name) is the family's.
#define RAFTER_DECLARE_RUNG(device, name, idea) RAFTER_DECLARE_RUNG_##device(name)
#define RAFTER_DECLARE_RUNG_cpu(name) RAFTER_DECLARE_ON(cpu, name)
#define RAFTER_DECLARE_RUNG_cuda(name) RAFTER_DECLARE_ON(cuda, name) RAFTER_DECLARE_ON(simt, name)
#define RAFTER_DECLARE_ON(device, name) RAFTER_IF_##device(namespace device { RAFTER_SIGNATURE(name); })
#define RAFTER_DECLARE_PEER(device, name, library, idea) \
  RAFTER_IF_##library(namespace device { RAFTER_SIGNATURE(name); })
#define RAFTER_DECLARE_LADDER(ladder) ladder(RAFTER_DECLARE_RUNG, RAFTER_DECLARE_RUNG, RAFTER_DECLARE_PEER)

// The elements of a std::vector<Rung>. The family's are `family`, its name; `Cases`, its CaseList; and
// RAFTER_INSTANCES(rung), the rung's instances in the order of the cases: `rung<float>, rung<double>`.
#define RAFTER_LIST_RUNG(device, name, idea) RAFTER_LIST_RUNG_##device(name, idea, "ladder/" #name, Role::step)
#define RAFTER_LIST_OP(device, name, idea) RAFTER_LIST_RUNG_##device(name, idea, family + ("_" #device), Role::op)
#define RAFTER_LIST_RUNG_cpu(name, idea, stem, role) RAFTER_LIST_ON(cpu, name, idea, stem, role)
#define RAFTER_LIST_RUNG_cuda(name, idea, stem, role) \
  RAFTER_LIST_ON(cuda, name, idea, stem, role) RAFTER_LIST_ON(simt, name, idea, stem, role)
#define RAFTER_LIST_ON(device, name, idea, stem, role)                \
  {#name,                                                             \
   Device::device,                                                    \
   RungKind::rung,                                                    \
   idea,                                                              \
   rung_path(family, stem, Device::device),                           \
   {RAFTER_IF_##device(Cases::call(RAFTER_INSTANCES(device::name)))}, \
   role},
#define RAFTER_LIST_PEER(device, name, library, idea) \
  {#name,                                             \
   Device::device,                                    \
   RungKind::peer,                                    \
   idea,                                              \
   rung_path(family, "peers/" #name, Device::device), \
   RAFTER_IF_##library(Cases::call(RAFTER_INSTANCES(device::name)))},
#define RAFTER_LIST_LADDER(ladder) ladder(RAFTER_LIST_RUNG, RAFTER_LIST_OP, RAFTER_LIST_PEER)

// Workload::adopt of a family; `rung` is any of its rungs that every build has.
#define RAFTER_ADOPT(rung) [](const std::any& function) { return Cases::adopt(function, RAFTER_INSTANCES(rung)); }

namespace rafter::lab {

/// "kernels/FAMILY/STEM.cu", or .cpp for the CPU.
inline std::string rung_path(const std::string& family, const std::string& stem, Device device) {
  return "kernels/" + family + "/" + stem + (device == Device::cpu ? ".cpp" : ".cu");
}

}  // namespace rafter::lab
