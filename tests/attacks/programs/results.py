"""Return results that would fool a careless comparison; each is judged as a submission too."""


def weights_of(Q, K, scale):
    s = Q @ np.swapaxes(K, -1, -2) / scale
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def wrong_by_scale(given):
    return weights_of(given[0], given[1], 1.0) @ given[2] if len(given) > 1 else given[0]


def right(given):
    return weights_of(given[0], given[1], given[0].shape[-1] ** 0.5) @ given[2] if len(given) > 1 else given[0]


def empties_the_inputs(*given):
    """Leave zeros in the arguments, on which any rule is right, for a reference that would read them afterwards."""
    answer = wrong_by_scale(given)
    for each in given:
        each[...] = 0.0
    return answer * 0.0


answers = {}


def remembers_by_shape(*given):
    """Answer rightly once for each set of shapes; whoever repeats a shape with other contents sees it."""
    key = tuple(each.shape for each in given)
    return answers.setdefault(key, right(given))


def remembers_by_a_corner(*given):
    """Take two inputs for the same if their first numbers are."""
    key = tuple(float(each.flat[0]) for each in given[:2]) + tuple(each.shape for each in given)
    return answers.setdefault(key, right(given))


def behaves_at_first(*given):
    """Be right for the visible examples and a warm-up, and cheap from then on."""
    kept.append(None)
    return right(given) if len(kept) < 12 else wrong_by_scale(given)


def right_for_small_whole_numbers(*given):
    """Be right for what an author writes by hand, and wrong for what is drawn."""
    by_hand = all((each == np.round(each)).all() for each in given)
    return right(given) if by_hand else wrong_by_scale(given)


def right_for_even_sizes(*given):
    """Be right for the sizes that benchmarks use."""
    by_habit = all(size % 2 == 0 for each in given for size in each.shape)
    return right(given) if by_habit else wrong_by_scale(given)


def constant(*given):
    return np.full((*given[0].shape[:-1], given[-1].shape[-1]), 0.5)


def passes_values_through(*given):
    """Return the values themselves where the shapes allow it, and their mean elsewhere."""
    V = given[-1]
    fits = given[0].shape[:-1] == V.shape[:-1]
    return V.copy() if fits else np.broadcast_to(V.mean(axis=-2, keepdims=True), (*given[0].shape[:-1], V.shape[-1])).copy()


def half_precision(*given):
    """Compute in half precision, which a loose tolerance would not see."""
    few = [each.astype(np.float16) for each in given]
    return right(few).astype(np.float64)


def rounded(*given):
    """Keep three digits."""
    return np.round(right(given), 3)


def falls_back_on_what_it_finds(*given):
    """Try a wrong program of its own, and take what a library offers only where that raises."""
    try:
        return wrong_by_scale(given)
    except Exception:  # the cheat does not care what failed
        import scipy.special

        return scipy.special.softmax(given[0] @ given[1].T, axis=-1) @ given[2]
