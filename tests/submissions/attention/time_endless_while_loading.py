# outcome: time
while True:
    pass
