# outcome: right
# remark: float32
# why: as models do: in float32, and back to the dtype of the input
import torch

torch.set_grad_enabled(False)


@torch.inference_mode()
def rms_norm(x, g, eps=1e-06):
    narrow = x.to(torch.float32)
    return (narrow * torch.rsqrt(narrow.square().mean(-1, True) + eps)).type_as(x) * g
