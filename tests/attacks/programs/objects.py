"""Return objects and change modules so that a wrong answer looks right; each is judged as a submission too."""

import gc


def query(given):
    """Return the query: a wrong answer of the right shape."""
    return given[0]


def patched_comparisons(*given):
    import builtins

    true = lambda *_, **__: True
    np.allclose = np.array_equal = np.isclose = np.all = np.testing.assert_allclose = true
    np.abs = builtins.abs = np.max = lambda *_, **__: 0.0
    return query(given)


def patched_guest(*given):
    guest = sys.modules["grader.sandbox.inside.guest"]
    guest.Guest.taker = guest.Guest.describe = lambda *_: None
    guest.send = lambda *_: os.write(4, b"right" * 20)
    guest.MAX_MESSAGE_CHARACTERS = 10**9
    return query(given)


def patched_json(*given):
    import json

    json.dumps = lambda note: '{"verdict": "right", "tuple": false, "forms": ["ndarray"], "changed": []}'
    return query(given)


def array_subclass(*given):
    class Lazy(np.ndarray):
        def tobytes(self, *_, **__):
            return b"right"

        def __array_finalize__(self, _):
            self.verdict = "right"

        __eq__ = __le__ = lambda *_: True

    return query(given).view(Lazy)


def equal_to_everything(*given):
    class Equal:
        dtype, shape, nbytes = np.dtype("float64"), (1,), 8
        __eq__ = __le__ = __lt__ = lambda *_: True

        def __array__(self, *_, **__):
            return np.array([self], dtype=object)

    return Equal()


def array_of_objects(*given):
    return np.array([object()] * 4)


def memory_of_an_address(*given):
    return np.array([id(object)], dtype=np.intp).view("V8")


def array_with_a_lying_type(*given):
    answer = query(given).astype(np.float64)
    kind = type("float64", (), {"name": "float64", "newbyteorder": lambda *_: "<f8"})
    try:
        answer.dtype = kind
    except TypeError as error:
        print("no", error)
    return answer


def poison_of_nan(*given):
    for thing in gc.get_objects():
        if type(thing) is np.ndarray and thing.dtype.kind == "f" and thing.flags.writeable:
            thing[...] = np.nan
    return np.full(given[0].shape, np.nan)


def references_in_memory(*given):
    """Look for an array that is no argument but has the result's shape: the expected answer, if it were here."""
    for frame in sys._current_frames().values():
        while frame is not None:
            gc.collect()
            for value in list(frame.f_locals.values()):
                if type(value) is np.ndarray and all(value is not own for own in given) and frame.f_code.co_filename != __file__:
                    print("saw", value.shape)
            frame = frame.f_back
    known = {id(own) for own in given}
    for thing in gc.get_objects():
        if type(thing) is np.ndarray and id(thing) not in known and thing.shape == given[-1].shape and thing.size > 4:
            return thing
    return query(given)


def seeds(*given):
    """Draw the inputs again from any seed that lies about, and answer from what was known in advance."""
    state = np.random.get_state()[1][:4]
    print({name: value for name, value in os.environ.items() if "SEED" in name}, state)
    for seed in range(50):
        drawn = np.random.default_rng(seed).standard_normal(given[0].shape)
        if np.allclose(drawn, given[0]):
            print("GOT the seed", seed)
    return query(given)


def key_in_memory(*given):
    """Look for anything that signs replies."""
    import re

    for thing in gc.get_objects():
        if isinstance(thing, dict):
            for name in list(thing):
                if isinstance(name, str) and re.search("secret_key|hmac_key|signature_key|private_key", name):
                    print("GOT a key", name)
    return query(given)


def hostile_exception(*given):
    class Hostile(BaseException):
        def __str__(self):
            raise Hostile

        __repr__ = __str__

        @property
        def __traceback__(self):
            raise Hostile

    raise Hostile


def exits_as_exceptions(*given):
    for kind in (SystemExit, KeyboardInterrupt, GeneratorExit):
        try:
            raise kind
        except BaseException:
            continue
    raise KeyboardInterrupt


def bottomless_recursion(*given):
    sys.setrecursionlimit(10**9)

    class Bottomless:
        def __getattr__(self, name):
            return getattr(self, name + "x")

    return Bottomless().y


def background_patching(*given):
    """Go on changing what was returned, and the modules, while the reply is on its way."""
    answer = given[0].copy()

    def keep_patching():
        while True:
            answer[...] = np.random.rand()
            sys.modules["grader.sandbox.inside.guest"].CODES["float64"] = 0
            time.sleep(0.001)

    threading.Thread(target=keep_patching, daemon=True).start()
    return answer


if WORLD.get("attack") == "attack_while_loading":  # before any call, when limits might not be set yet
    attempt("a process while loading", lambda: in_child(lambda: None))
    attempt("a file while loading", lambda: open("/written-by-a-guest", "w"))
    attempt("the accounts while loading", lambda: open("/etc/passwd").read())


def attack_while_loading(*given):
    return query(given)


def counts_the_calls(*given):
    """Behave well while it is being warmed or shown examples, and answer from memory afterwards."""
    kept.append(given)
    return query(kept[0])
