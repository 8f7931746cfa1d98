# outcome: error
class SelfAttention:
    def __init__(self, width, inner, dropout=0.0):
        self.width = width
