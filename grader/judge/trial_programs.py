"""The programs that `gpucheck` tries on a device: causal attention, right and wrong, and a few that are up to no good.

They are the project's own and may run where nothing can be shut in. They name no device: what a program makes without
naming one lies beside its inputs.
"""

EXERCISE = "causal-attention"
FUNCTION = "run"  # of every program that is not an answer to the exercise

_ATTENTION = """
import math
import torch

def causal_attention(Q, K, V, window=None):
    scores = Q @ K.transpose(-1, -2){scale}
    places = torch.arange(Q.shape[-2])
    distance = places[:, None] - places
    hidden = distance < {nearest}
    if window is not None:
        hidden = hidden | (distance >= {farthest})
    return torch.softmax(scores.masked_fill(hidden, {filling}), dim=-1) @ V
"""
_RIGHT = {
    "scale": " / math.sqrt(Q.shape[-1])",
    "nearest": "0",
    "farthest": "window",
    "filling": "-math.inf",
}
_CHANGED = {
    "no-scale": {"scale": ""},
    "divide-by-width": {"scale": " / Q.shape[-1]"},
    "leaks-next": {"nearest": "-1"},
    "zero-scores": {"filling": "0.0"},
    "window-one-more": {"farthest": "window + 1"},
}

RIGHT = (
    _ATTENTION.format(**_RIGHT),
    """
import torch

def causal_attention(Q, K, V, window=None):
    count = Q.shape[-2]
    allowed = torch.ones(count, count, dtype=torch.bool, device=Q.device).tril()
    if window is not None:
        allowed = allowed & ~torch.ones_like(allowed).tril(-window)
    return torch.nn.functional.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
""",
)
WRONG = {variant: _ATTENTION.format(**_RIGHT | changed) for variant, changed in _CHANGED.items()}

# A kernel that counts more cycles than a device has in a century; on the CPU a loop of small ones.
ENDLESS = """
import torch

def run(x):
    kept = torch.ones(1 << 22)
    if x.is_cuda:
        torch.cuda._sleep(1 << 62)
    while not x.is_cuda:
        torch.sin(kept)
    return x
"""

SLEEP_SECONDS = 0.3
PATCHED_CLOCKS = f"""
import time
import torch

def run(x):
    wait = time.sleep
    torch.cuda.synchronize = lambda *_: None
    torch.cuda.Event.elapsed_time = lambda *_: 0.0
    time.monotonic = time.perf_counter = time.time = time.sleep = lambda *_: 0.0
    wait({SLEEP_SECONDS})
    return x * 2
"""

# Fills memory and leaves it; the next program looks for the same number in memory that it did not set.
LEAVES = """
import torch

def run(x):
    global kept
    kept = [torch.full((1 << 22,), 1234.5, dtype=torch.float64) for _ in range(64 if x.is_cuda else 4)]
    return x * 2
"""
LOOKS = """
import torch

def run(x):
    found = [torch.empty(1 << 22, dtype=torch.float64) for _ in range(64 if x.is_cuda else 4)]
    return torch.stack([(each == 1234.5).sum() for each in found]).sum().to(torch.float64).reshape(1)
"""

# About 0.25 s of a device's time; a clock that stops before the work is done would show less than LATE_SECONDS.
LATE_SECONDS = 0.1
WORKS_AFTER_RETURNING = """
import threading
import time
import torch

def run(x):
    out = torch.zeros_like(x)
    if x.is_cuda:
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            torch.cuda._sleep(500_000_000)
            out.copy_(x * 2)
        return out
    def later():
        time.sleep(0.25)
        out.copy_(x * 2)
    threading.Thread(target=later, daemon=True).start()
    return out
"""
