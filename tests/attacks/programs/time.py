"""Hold the judge up, or compute on when nobody waits any more."""


def endless_loop(x):
    while True:
        pass


def endless_loop_in_c(x):
    return pow(3, 10**9)


def sleeps_for_ever(x):
    time.sleep(1e6)
    return x


def ignores_every_signal(x):
    import signal

    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    while True:
        time.sleep(1)


def catastrophic_pattern(x):
    import re

    re.match("(a|a)*b", "a" * 60)
    return x


def reply_that_trickles(x):
    while True:
        os.write(4, b"C" if not kept else b"W")
        kept.append(1)
        time.sleep(0.01)
        if len(kept) == 4:
            del kept[:]
            sys.setswitchinterval(1)
            while True:
                time.sleep(1)


def reply_trickles_within_a_promise(x):
    os.write(4, struct.pack("<4sBBHIQ", b"CWm1", 19, 0, 0, 60_000, 0))
    while True:
        os.write(4, b" ")
        time.sleep(0.005)


def closes_its_pipes_and_runs_on(x):
    os.closerange(0, 64)
    while True:
        pass


def computes_after_its_reply(x):
    threading.Thread(target=endless_loop, args=(x,), daemon=True).start()
    return x
