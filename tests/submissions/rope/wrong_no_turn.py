# outcome: wrong
# caught by: values
# why: keeps every length and every product, and is no turn at all
def rope(x, positions, base=10000.0):
    return x.clone()
