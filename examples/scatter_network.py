"""Trains a small graph network with rafter.torch: it learns, for each node, the largest distance to a neighbour.

    python examples/scatter_network.py [STEPS]

Messages along edges are gathered and reduced by scatter, whose gradients are deterministic. Needs PyTorch."""
import sys

import torch

import rafter.torch as ops

N_NODES, N_EDGES, WIDTH = 200, 1600, 16


class Network(torch.nn.Module):
    """Each edge sends features of its length to its target, which keeps their maxima."""

    def __init__(self) -> None:
        super().__init__()
        self.message = torch.nn.Sequential(torch.nn.Linear(1, WIDTH), torch.nn.SiLU(), torch.nn.Linear(WIDTH, WIDTH))
        self.readout = torch.nn.Linear(WIDTH, 1)

    def forward(self, lengths: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        features = ops.transpose(self.message(lengths.unsqueeze(1)))  # [WIDTH, N_EDGES]
        largest = [ops.scatter(targets, column, N_NODES, "max") for column in features.unbind()]
        return self.readout(torch.stack(largest, 1)).squeeze(1)


def main(steps: int) -> None:
    torch.manual_seed(1)
    positions = torch.rand(N_NODES, 3)
    targets = torch.arange(N_EDGES) % N_NODES  # every node has neighbours
    sources = torch.randint(N_NODES, (N_EDGES,))
    lengths = (positions[sources] - positions[targets]).norm(dim=1)
    wanted = ops.scatter(targets, lengths, N_NODES, "max")
    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    for step in range(steps + 1):
        loss = (network(lengths, targets) - wanted).square().mean()
        if step % max(1, steps // 4) == 0:
            print(f"step {step:4}: mean squared error {loss.item():.6f}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
