"""Write replies itself, to calls at hand and to calls to come, and anything but replies."""

FORGED = 42.0  # no honest answer to a call that the test makes


def reply(token, values=(FORGED,), *, kind=19, note=b'{"tuple": false, "forms": ["ndarray"], "changed": []}', head=b"CWm1"):
    array = struct.pack("<4sBBBBQ8Q", b"CWa1", 12, 1, 0, 0, 8 * len(values), len(values), *[0] * 7)
    head = struct.pack("<4sBBHIQ", head, kind, 1, 0, len(note), token)
    return head + note + array + struct.pack(f"<{len(values)}d", *values)


def current_token():
    frame = sys._getframe()
    while frame is not None:
        if "token" in frame.f_locals:
            return frame.f_locals["token"]
        frame = frame.f_back
    return 0


def write_everywhere(data):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, data)
        except OSError:
            continue


def answers_in_advance(x):
    write_everywhere(reply(current_token(), list(x * 2)))
    write_everywhere(reply(0) * 3)
    return x


def answers_with_the_next_number(x):
    token = current_token()
    write_everywhere(reply(token, list(x * 2)) + reply(token + 1) + reply(token))
    return x


def answers_and_leaves(x):
    write_everywhere(reply(0))
    os._exit(0)


def leaves_with_success(x):
    os._exit(0)


def leaves_politely(x):
    sys.exit(0)


def says_it_passed(x):
    print("1 passed, 0 failed\nverdict: right\nscore: 100")
    os.write(4, b'{"verdict": "right", "marks": 1.0}\n')
    os._exit(0)


def garbage(x):
    write_everywhere(os.urandom(4096))
    return x


def zeros(x):
    write_everywhere(bytes(4096))
    return x


def message_of_the_judge(x):
    write_everywhere(reply(current_token(), kind=2))
    return x


def unknown_kind(x):
    write_everywhere(reply(current_token(), kind=99))
    return x


def nested_note(x):
    write_everywhere(reply(current_token(), note=b"[" * 60_000))
    return x


def strange_numbers_in_a_note(x):
    write_everywhere(reply(current_token(), note=b'{"tuple": false, "forms": ["ndarray"], "changed": [1e999, NaN, -1]}'))
    return x


def inputs_never_sent(x):
    write_everywhere(reply(current_token(), note=b'{"tuple": true, "forms": [], "changed": [7]}'))
    return x


def extents_that_overflow(x):
    note = b'{"tuple": false, "forms": ["ndarray"], "changed": []}'
    head = struct.pack("<4sBBHIQ", b"CWm1", 19, 1, 0, len(note), current_token())
    write_everywhere(head + note + struct.pack("<4sBBBBQ8Q", b"CWa1", 12, 8, 0, 0, 0, *[1 << 32] * 8))
    return x


def pickled_program(x):
    """Send what Python would run if somebody unpickled it: a file in a folder that all may write to."""
    import pickle

    class Program:
        def __reduce__(self):
            return exec, (f"open({WORLD['folders'][0] + '/written-by-a-guest'!r}, 'w')",)

    payload = pickle.dumps(Program())
    write_everywhere(payload)
    write_everywhere(reply(current_token(), note=payload))
    return x


def diverted_pipe(x):
    """Put itself between the guest and the judge, and change what passes."""
    reading, writing = os.pipe()
    real = os.dup(4)

    def pass_on():
        first = True
        while data := os.read(reading, 1 << 16):
            os.write(real, data if first else reply(0))
            first = False

    threading.Thread(target=pass_on, daemon=True).start()
    os.dup2(writing, 4)
    return x
