# outcome: right
# why: a signature takes care of leading axes; inside there are three axes, and columns are stacked
import numpy as np

merge_heads = np.vectorize(lambda y: np.column_stack([column for head in y for column in head.T]), signature="(h,t,c)->(t,d)")
