// The loops of energies and forces, on one thread. Products are bound by the multiply-add units, messages by loading
// the table from the caches.
#include "forcefield/forcefield_simd.hpp"

#include "forcefield/cpu/forcefield_messages.hpp"
#include "forcefield/cpu/forcefield_silu.hpp"
#include "forcefield/cpu/forcefield_updates.hpp"
#include "library/core/cpu/panel_product.hpp"

namespace rafter::forcefield_ladder::cpu {

RAFTER_ISA_TABLE(ForceFieldLoops, forcefield_loops) = {
    .student = {pass_messages<false>, pass_messages_backward<false>, Student::update, Student::gates_backward,
                Student::vectors_backward},
    .painn = {pass_messages<true>, pass_messages_backward<true>, Painn::update, Painn::gates_backward,
              Painn::vectors_backward},
    .multiply = core::multiply,
    .silu = silu,
    .scale = scale,
    .add = add,
    .lengths = lengths,
    .dot = dot};

}  // namespace rafter::forcefield_ladder::cpu
