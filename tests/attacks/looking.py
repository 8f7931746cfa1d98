"""A guest that looks for what the last one left; it answers as an honest one does if it finds nothing."""

LOOKER = """
import builtins, os, re
import numpy as np

def look(x, pattern):
    found = [name for folder in ("/tmp", "/dev/shm") for name in os.listdir(folder)]
    found += ["numpy"] * (float(np.exp(0.0)) != 1 or float(np.sqrt(4.0)) != 2 or sorted("ab") != ["a", "b"])
    found += ["environment"] * ("LEFT" in os.environ) + ["umask"] * (os.umask(0o022) == 0o777)
    found += ["seed"] * bool(np.random.get_state()[1][0] == 42) + ["errors"] * (np.geterr()["over"] == "raise")
    for line in open("/proc/sysvipc/shm").read().splitlines()[1:] if os.path.exists("/proc/sysvipc/shm") else ():
        found.append("segment " + line.split()[0])
    needle = re.compile(pattern.encode())
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
