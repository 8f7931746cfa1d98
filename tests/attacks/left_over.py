"""Tries to be still there when it is done: a daemon, a detached program, a thread, an alarm, an exit handler."""

import atexit
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np

SCRIPT = "import time\nwhile True: time.sleep(1)"


def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)


def attempt(what, action):
    try:
        action()
    except OSError as error:
        print(what, "refused", error.strerror)
    else:
        print(what, "STARTED")


def attention(Q, K, V):
    attempt("daemon", daemon)
    attempt("program", lambda: subprocess.Popen([sys.executable, "-c", SCRIPT], start_new_session=True))
    threading.Thread(target=time.sleep, args=(600,)).start()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    atexit.register(time.sleep, 600)
    return np.zeros(Q.shape)
