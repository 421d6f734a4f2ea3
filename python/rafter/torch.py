"""Operators for PyTorch: the ops of rafter with gradients, for torch.compile and torch.library.opcheck.

They are registered as torch.ops.rafter.* from Python. Tensors are used in place, on the stream that is current.
"""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import _core

_REDUCTIONS = ("sum", "mean", "min", "max")


def _integral(tensor: Tensor) -> bool:
    return not tensor.dtype.is_floating_point


# ---- sums ----


@torch.library.custom_op("rafter::sum", mutates_args=())
def _sum(x: Tensor) -> Tensor:
    return _core.sum(x.detach())


@_sum.register_fake
def _(x: Tensor) -> Tensor:
    return x.new_empty((), dtype=torch.int64 if _integral(x) else x.dtype)


def _keep_shape(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.shape = inputs[0].shape


_sum.register_autograd(lambda ctx, grad: grad.expand(ctx.shape), setup_context=_keep_shape)


def sum(x: Tensor) -> Tensor:
    """Returns the sum of all elements, as a tensor of one. Deterministic, as is its gradient."""
    return _sum(x)


@torch.library.custom_op("rafter::row_sums", mutates_args=())
def _row_sums(x: Tensor) -> Tensor:
    return _core.row_sums(x.detach())


@_row_sums.register_fake
def _(x: Tensor) -> Tensor:
    return x.new_empty((x.shape[0],))


_row_sums.register_autograd(lambda ctx, grad: grad.unsqueeze(1).expand(ctx.shape), setup_context=_keep_shape)


def row_sums(x: Tensor) -> Tensor:
    """Returns the sum of each row of a matrix, whose rows may be strided."""
    return _row_sums(x)


@torch.library.custom_op("rafter::inclusive_sum", mutates_args=())
def _inclusive_sum(x: Tensor) -> Tensor:
    return _core.inclusive_sum(x.detach())


@_inclusive_sum.register_fake
def _(x: Tensor) -> Tensor:
    return x.new_empty(x.shape)


@torch.library.custom_op("rafter::exclusive_sum", mutates_args=())
def _exclusive_sum(x: Tensor) -> Tensor:
    return _core.exclusive_sum(x.detach())


@_exclusive_sum.register_fake
def _(x: Tensor) -> Tensor:
    return x.new_empty(x.shape)


# out[i] contains every x[j] with j <= i (or j < i), so the gradient of x[j] is the same scan of the reversed gradients.
_inclusive_sum.register_autograd(lambda ctx, grad: _inclusive_sum(grad.flip(0)).flip(0))
_exclusive_sum.register_autograd(lambda ctx, grad: _exclusive_sum(grad.flip(0)).flip(0))


def inclusive_sum(x: Tensor) -> Tensor:
    """Returns the prefix sums x[0] + ... + x[i] of a vector."""
    return _inclusive_sum(x)


def exclusive_sum(x: Tensor) -> Tensor:
    """Returns the prefix sums x[0] + ... + x[i - 1] of a vector."""
    return _exclusive_sum(x)


# ---- elementwise ----


@torch.library.custom_op("rafter::mul_add", mutates_args=())
def _mul_add(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    return _core.mul_add(a.detach(), b.detach(), c.detach())


@_mul_add.register_fake
def _(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    return a.new_empty(a.shape)


def _keep_factors(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    a, b, _c = inputs
    ctx.save_for_backward(a, b)


def _mul_add_backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
    a, b = ctx.saved_tensors
    needs = ctx.needs_input_grad
    return (grad * b if needs[0] else None, grad * a if needs[1] else None, grad if needs[2] else None)


_mul_add.register_autograd(_mul_add_backward, setup_context=_keep_factors)


def mul_add(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    """Returns a * b + c, rounded once where the hardware can."""
    return _mul_add(a, b, c)


# ---- matrices ----


@torch.library.custom_op("rafter::transpose", mutates_args=())
def _transpose(x: Tensor) -> Tensor:
    return _core.transpose(x.detach())


@_transpose.register_fake
def _(x: Tensor) -> Tensor:
    return x.new_empty((x.shape[1], x.shape[0]))


_transpose.register_autograd(lambda ctx, grad: _transpose(grad.contiguous()))


def transpose(x: Tensor) -> Tensor:
    """Returns the transpose of a matrix, in memory of its own."""
    return _transpose(x)


@torch.library.custom_op("rafter::conv", mutates_args=())
def _conv(x: Tensor, kernels: Tensor, bias: Tensor | None, pad_height: int, pad_width: int) -> Tensor:
    return _core.conv(x.detach(), kernels.detach(), None if bias is None else bias.detach(),
                      padding=(pad_height, pad_width))


@_conv.register_fake
def _(x: Tensor, kernels: Tensor, bias: Tensor | None, pad_height: int, pad_width: int) -> Tensor:
    return x.new_empty((x.shape[0], kernels.shape[0], x.shape[2] + 2 * pad_height - kernels.shape[2] + 1,
                        x.shape[3] + 2 * pad_width - kernels.shape[3] + 1))


def _keep_images(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    x, kernels, _bias, ctx.pad_height, ctx.pad_width = inputs
    ctx.save_for_backward(x, kernels)


def _conv_backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
    x, kernels = ctx.saved_tensors
    grad = grad.contiguous()
    height, width = kernels.shape[2:]
    of_x = of_kernels = of_bias = None
    if ctx.needs_input_grad[0]:
        # The full correlation with the mirrored kernels; padding that was added to the image is cut off again.
        whole = _conv(grad, kernels.flip(2, 3).transpose(0, 1).contiguous(), None, height - 1, width - 1)
        of_x = whole[:, :, ctx.pad_height:whole.shape[2] - ctx.pad_height, ctx.pad_width:whole.shape[3] - ctx.pad_width]
    if ctx.needs_input_grad[1]:
        # The correlation of the images with the gradients; images and channels change places.
        of_kernels = _conv(x.transpose(0, 1).contiguous(), grad.transpose(0, 1).contiguous(), None, ctx.pad_height,
                           ctx.pad_width).transpose(0, 1)
    if ctx.needs_input_grad[2]:
        of_bias = grad.sum((0, 2, 3))
    return of_x, of_kernels, of_bias, None, None


_conv.register_autograd(_conv_backward, setup_context=_keep_images)


def conv(x: Tensor, kernels: Tensor, bias: Tensor | None = None, padding: int | tuple[int, int] = 0) -> Tensor:
    """Returns the cross-correlation of images [batch, channels, height, width] with kernels [maps, channels, kernel
    height, kernel width], with stride 1, plus a bias for each map. float32 or float16."""
    rows, columns = (padding, padding) if isinstance(padding, int) else padding
    return _conv(x, kernels, bias, rows, columns)


# ---- gathers and reductions by key ----


@torch.library.custom_op("rafter::gather", mutates_args=())
def _gather(table: Tensor, indices: Tensor, out_of_range: str) -> Tensor:
    return _core.gather(table.detach(), indices, out_of_range)


@_gather.register_fake
def _(table: Tensor, indices: Tensor, out_of_range: str) -> Tensor:
    return table.new_empty(indices.shape)


def _keep_indices(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    table, indices, ctx.out_of_range = inputs
    ctx.n = table.shape[0]
    ctx.save_for_backward(indices)


def _gather_backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
    (indices,) = ctx.saved_tensors
    keys = indices.reshape(-1)
    if ctx.out_of_range == "clamp":
        keys = keys.clamp(0, ctx.n - 1)
    # Keys out of range are ignored, as gather took 0 for them.
    return _scatter(keys, grad.reshape(-1).contiguous(), ctx.n, "sum", False)[0], None, None


_gather.register_autograd(_gather_backward, setup_context=_keep_indices)


def gather(table: Tensor, indices: Tensor, out_of_range: str = "raise") -> Tensor:
    """Returns table[indices], of a vector. Indices out of range raise IndexError ("raise", which waits for a GPU), take
    the first or last element ("clamp") or give 0 ("zero")."""
    if out_of_range not in ("raise", "clamp", "zero"):
        raise ValueError(f"gather: out_of_range should be one of 'raise', 'clamp', 'zero', is '{out_of_range}'")
    return _gather(table, indices, out_of_range)


@torch.library.custom_op("rafter::scatter", mutates_args=())
def _scatter(keys: Tensor, values: Tensor, n_keys: int, reduction: str,
             sorted: bool) -> tuple[Tensor, Tensor, Tensor]:
    counts = keys.new_empty(n_keys if reduction == "mean" else 0, dtype=torch.int64)
    arguments = keys.new_empty(n_keys if reduction in ("min", "max") else 0, dtype=torch.int64)
    out = values.new_empty(n_keys)
    if values.is_cuda and not sorted and torch.are_deterministic_algorithms_enabled():  # unsorted sums vary on a GPU
        plan = _core.ScatterPlan(keys, n_keys)
        plan.scatter(values.detach(), reduction, out=out, counts=counts if reduction == "mean" else None,
                     arguments=arguments if reduction in ("min", "max") else None)
        return out, counts, arguments
    _core.scatter(keys, values.detach(), n_keys, reduction, sorted=sorted, out=out,
                  counts=counts if reduction == "mean" else None,
                  arguments=arguments if reduction in ("min", "max") else None)
    return out, counts, arguments


@_scatter.register_fake
def _(keys: Tensor, values: Tensor, n_keys: int, reduction: str, sorted: bool) -> tuple[Tensor, Tensor, Tensor]:
    return (values.new_empty(n_keys),
            keys.new_empty(n_keys if reduction == "mean" else 0, dtype=torch.int64),
            keys.new_empty(n_keys if reduction in ("min", "max") else 0, dtype=torch.int64))


@torch.library.custom_op("rafter::scatter_gradient", mutates_args=())
def _scatter_gradient(keys: Tensor, counts: Tensor, arguments: Tensor, out_gradient: Tensor, reduction: str) -> Tensor:
    return _core.scatter_gradient(keys, out_gradient.detach(), reduction,
                                  counts=counts if reduction == "mean" else None,
                                  arguments=arguments if reduction in ("min", "max") else None)


@_scatter_gradient.register_fake
def _(keys: Tensor, counts: Tensor, arguments: Tensor, out_gradient: Tensor, reduction: str) -> Tensor:
    return out_gradient.new_empty(keys.shape)


def _keep_keys(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    keys, _values, _n_keys, ctx.reduction, _sorted = inputs
    _out, counts, arguments = output
    ctx.mark_non_differentiable(counts, arguments)
    ctx.save_for_backward(keys, counts, arguments)


def _scatter_backward(ctx: Any, grad: Tensor, _counts: Tensor, _arguments: Tensor) -> tuple[Tensor | None, ...]:
    keys, counts, arguments = ctx.saved_tensors
    return None, _scatter_gradient(keys, counts, arguments, grad.contiguous(), ctx.reduction), None, None, None


_scatter.register_autograd(_scatter_backward, setup_context=_keep_keys)


def scatter(keys: Tensor, values: Tensor, n_keys: int, reduction: str = "sum", sorted: bool = False) -> Tensor:
    """Returns, for each key k of [0, n_keys), the "sum", "mean", "min" or "max" of the values[i] with keys[i] == k. The
    gradient of a minimum or maximum goes to the first element that is equal to it."""
    if reduction not in _REDUCTIONS:
        raise ValueError(f"scatter: reduction should be one of {', '.join(map(repr, _REDUCTIONS))}, is '{reduction}'")
    return _scatter(keys, values, n_keys, reduction, sorted)[0]


# ---- filters ----


def _not_differentiable(name: str, x: Tensor) -> Tensor:
    if x.requires_grad and torch.is_grad_enabled():
        raise ValueError(f"{name}: x requires gradients, but which elements are kept is not differentiable: pass "
                         f"x.detach(), or gather x by the result of filter_indices(x.detach(), ...)")
    return x.detach()


def filter(x: Tensor, op: str, bound: float, *, magnitude: bool = False) -> Tensor:
    """Returns the elements of x for which x op bound holds. Not differentiable: refuses tensors that require gradients."""
    return _core.filter(_not_differentiable("filter", x), op, bound, magnitude=magnitude)


def filter_indices(x: Tensor, op: str, bound: float, *, magnitude: bool = False) -> Tensor:
    """Returns the indices, int64, of the elements of x for which x op bound holds. Not differentiable."""
    return _core.filter_indices(_not_differentiable("filter_indices", x), op, bound, magnitude=magnitude)


# ---- force fields ----


class _Energies(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, positions: Tensor, model: _core.ForceField, molecules: _core.Molecules,
                molecule_of_atom: Tensor) -> Tensor:
        energies, forces, _ = model.compute(molecules, positions.detach(), forces=ctx.needs_input_grad[0])
        if forces is not None:
            ctx.save_for_backward(forces, molecule_of_atom)
        return energies

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        forces, molecule_of_atom = ctx.saved_tensors
        return -forces * grad[molecule_of_atom].unsqueeze(1).to(forces.dtype), None, None, None


@torch.compiler.disable
def energies(model: _core.ForceField, molecules: _core.Molecules, positions: Tensor) -> Tensor:
    """Returns the energies of molecules, float64 [n_molecules]. Their gradient by the positions, [n_atoms, 3], is minus
    the forces, which the model computes itself; it can be taken once."""
    sizes = torch.tensor(molecules.sizes, device=positions.device)
    molecule_of_atom = torch.repeat_interleave(torch.arange(molecules.n_molecules, device=positions.device), sizes)
    return _Energies.apply(positions, model, molecules, molecule_of_atom)
