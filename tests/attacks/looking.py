"""A guest that looks for what the last one left; it answers as an honest one does if it finds nothing."""

LOOKER = """
import builtins, os, re
import numpy as np

def names(folder):
    try:
        return os.listdir(folder)
    except PermissionError:  # where no folder is its own, as on the lower rung
        return []

def look(x, pattern):
    found = names("/tmp") + names("/dev/shm")
    found += ["numpy"] * (float(np.exp(0.0)) != 1 or float(np.sqrt(4.0)) != 2 or sorted("ab") != ["a", "b"])
    found += ["environment"] * ("LEFT" in os.environ) + ["umask"] * (os.umask(0o022) == 0o777)
    found += ["seed"] * bool(np.random.get_state()[1][0] == 42) + ["errors"] * (np.geterr()["over"] == "raise")
    if names("/proc/sysvipc"):
        found += ["segment"] * (len(open("/proc/sysvipc/shm").readlines()) - 1)
    needle = re.compile(pattern.encode())
    if not names("/proc") and not found:
        return x * 2
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            span, mode, *_ = line.split()
            begin, end = (int(text, 16) for text in span.split("-"))
            if pattern and mode.startswith("rw") and "[v" not in line:
                for start in range(begin, end, 8 << 20):
                    try:
                        memory.seek(start)
                        if needle.search(memory.read(min((8 << 20) + 64, end - start))):
                            found.append("memory")
                    except (OSError, ValueError):
                        continue
    if found:
        raise RuntimeError(", ".join(found))
    return x * 2
"""
MARK_PATTERN = "left-by-an-attacker-4[2]"  # matches what persistence.py leaves, and not itself
