"""Right and wrong solutions of the lesson on the perceptron, and the figures its text states."""

from coursekit.authoring.bank import Alternative, Figure, Mutant

ALTERNATIVES = [
    Alternative(
        "predict point by point",
        answers={
            "predict": """
def predict(X, w, b):
    sides = []
    for row in X:
        score = sum(weight * value for weight, value in zip(w, row)) + b
        if score > 0:
            sides.append(1)
        elif score < 0:
            sides.append(-1)
        else:
            sides.append(0)
    return sides
"""
        },
    ),
    Alternative(
        "predict with nested where, as float32",
        answers={
            "predict": """
def predict(points, weights, bias):
    s = points.dot(weights) + bias
    return np.where(s > 0, 1, np.where(s < 0, -1, 0)).astype("float32")
"""
        },
    ),
    Alternative(
        "predict in torch",
        answers={
            "predict": """
def predict(X, w, b):
    import torch
    return torch.sign(torch.as_tensor(X) @ torch.as_tensor(w, dtype=torch.float64) + b)
"""
        },
    ),
    Alternative(
        "update by a factor of zero or one",
        answers={
            "update": """
def update(w, b, x, label):
    wrong = label * (np.dot(w, x) + b) <= 0
    return w + wrong * label * x, b + wrong * label
"""
        },
    ),
    Alternative(
        "update on a copy, coordinate by coordinate",
        answers={
            "update": """
def update(w, b, x, label):
    score = b
    for i in range(len(w)):
        score += w[i] * x[i]
    new_w = w.copy()
    if score * label > 0:
        return new_w, b
    for i in range(len(w)):
        new_w[i] += label * x[i]
    return [float(v) for v in new_w], b + label
"""
        },
    ),
    Alternative(
        "train with the update function and a while loop",
        answers={
            "train": """
def train(X, y, epochs):
    w, b = np.zeros(X.shape[1]), 0.0
    mistakes = []
    while len(mistakes) < epochs:
        count = 0
        for i in range(len(X)):
            if y[i] * (np.dot(X[i], w) + b) <= 0:
                w, b = update(w, b, X[i], y[i])
                count = count + 1
        mistakes += [count]
        if not count:
            return w, b, mistakes
    return w, b, mistakes
"""
        },
    ),
    Alternative(
        "train on augmented vectors",
        answers={
            "train": """
def train(X, y, epochs):
    A = np.hstack([X, np.ones((len(X), 1))])
    v = np.zeros(A.shape[1])
    mistakes = np.zeros(0, dtype=int)
    for epoch in range(epochs):
        k = 0
        for a, t in zip(A, y):
            if np.sign(a @ v) != t:
                v += t * a
                k += 1
        mistakes = np.append(mistakes, k)
        if k == 0:
            break
    return v[:-1], v[-1], mistakes
"""
        },
    ),
    Alternative(
        "margin and bound with norms of appended vectors",
        answers={
            "margin_and_bound": """
def margin(X, y, w, b):
    full = np.append(w, b)
    points = np.column_stack([X, np.ones(len(X))])
    return min(label * (p @ full) for p, label in zip(points, y)) / np.linalg.norm(full)


def mistake_bound(X, y, w, b):
    gamma = margin(X, y, w, b)
    points = np.column_stack([X, np.ones(len(X))])
    radius = max(np.linalg.norm(p) for p in points)
    return radius**2 / gamma**2 if gamma > 0 else float("inf")
"""
        },
    ),
    Alternative(
        "margin and bound from squares only",
        answers={
            "margin_and_bound": """
def margin(X, y, w, b):
    length_squared = b**2
    for weight in w:
        length_squared += weight**2
    return float(np.min(y * (X.dot(w) + b)) / length_squared**0.5)


def mistake_bound(X, y, w, b):
    worst = float(np.min(y * (X.dot(w) + b)))
    if not worst > 0:
        return np.inf
    return float(np.max(np.sum(X * X, axis=1) + 1) * (np.sum(w * w) + b**2) / worst**2)
"""
        },
    ),
    Alternative(
        "states by a generator, period by tiling",
        answers={
            "cycle": """
def update_states(X, y, limit):
    def walk():
        w, b = np.zeros(2), 0.0
        while True:
            clean = True
            for x, label in zip(X, y):
                if label * (x @ w + b) <= 0:
                    w, b, clean = w + label * x, b + label, False
                    yield (w[0], w[1], b)
            if clean:
                return
    return np.array(list(itertools.islice(walk(), limit)))


def period(states):
    n = len(states)
    for p in range(1, n // 2 + 1):
        if all(tuple(states[i]) == tuple(states[i % p]) for i in range(n)):
            return p
    return 0
"""
        },
    ),
    Alternative(
        "states as a list of lists, period with allclose",
        answers={
            "cycle": """
def update_states(X, y, limit):
    w1 = w2 = b = 0.0
    rows = []
    while len(rows) < limit:
        before = len(rows)
        for (x1, x2), label in zip(X, y):
            if label * (w1 * x1 + w2 * x2 + b) <= 0 and len(rows) < limit:
                w1 += label * x1
                w2 += label * x2
                b += label
                rows.append([w1, w2, b])
        if len(rows) == before:
            break
    return rows


def period(states):
    states = np.asarray(states)
    candidates = [
        p
        for p in range(1, len(states) // 2 + 1)
        if np.allclose(states[: len(states) - p], states[p:])
    ]
    return min(candidates, default=0)
"""
        },
    ),
    Alternative(
        "orders counted in a loop",
        answers={
            "visiting_orders": """
count = 0
for a, b_, c_, d in itertools.permutations([0, 1, 2, 3]):
    rows = [a, b_, c_, d]
    if period(update_states(X_xor[rows], y_xor[rows], 60)) == 4:
        count += 1
orders_with_period_4 = count
"""
        },
    ),
    Alternative(
        "orders reasoned out and typed in",
        answers={"visiting_orders": "orders_with_period_4 = 24.0"},
    ),
]

MUTANTS = [
    # predict
    Mutant(
        "the line counts as the + side",
        answers={
            "predict": "def predict(X, w, b):\n    return np.where(X @ w + b >= 0, 1, -1)",
        },
        loses={"predict_on_line"},
        says=["returned [1, 1, -1], expected [1, 0, -1]", "exactly zero is neither"],
    ),
    Mutant(
        "bias forgotten",
        answers={"predict": "def predict(X, w, b):\n    return np.sign(X @ w)"},
        loses={"predict_sides", "predict_on_line"},
        says=["the bias moves the line"],
    ),
    Mutant(
        "score returned in place of the side",
        answers={"predict": "def predict(X, w, b):\n    return X @ w + b"},
        loses={"predict_sides", "predict_on_line"},
        says=["returned [2, -2], expected [1, -1]; every value is 2 times the expected one"],
    ),
    Mutant(
        "prints the prediction",
        answers={"predict": "def predict(X, w, b):\n    print(np.sign(X @ w + b))"},
        loses={"predict_sides", "predict_on_line"},
        says=["but returned None: use `return`"],
    ),
    Mutant(
        "uses the weights of the notebook",
        answers={
            "predict": "w0 = np.array([1.0, 0.0])\n\n\ndef predict(X, w, b):\n    return np.sign(X @ w0 + b)"
        },
        loses={"predict_sides", "predict_on_line"},
        says=["the function uses `w0` of the notebook"],
    ),
    Mutant(
        "predict knows the visible examples by heart",
        answers={
            "predict": """
def predict(X, w, b):
    if len(X) == 3:
        return [1, 0, -1]
    return [1, -1] if b == 0 else [-1, -1]
"""
        },
        loses={"predict_sides", "predict_on_line"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # update
    Mutant(
        "a zero score counts as correct",
        answers={
            "update": """
def update(w, b, x, label):
    if label * (x @ w + b) < 0:
        return w + label * x, b + label
    return w, b
"""
        },
        loses={"update_on_line"},
        says=["score of exactly zero counts as a mistake"],
    ),
    Mutant(
        "label forgotten in the step",
        answers={
            "update": """
def update(w, b, x, label):
    if label * (x @ w + b) <= 0:
        return w + x, b + 1
    return w, b
"""
        },
        loses={"update_mistake", "update_on_line"},
        says=["`new_w` is wrong: got [3, 2], expected [-1, 0]"],
    ),
    Mutant(
        "bias never moves",
        answers={
            "update": """
def update(w, b, x, label):
    if label * (x @ w + b) <= 0:
        return w + label * x, b
    return w, b
"""
        },
        loses={"update_mistake", "update_on_line"},
        says=["`new_b` is wrong: got 0, expected -1", "both the step of w and the step of b"],
    ),
    Mutant(
        "updates on every example",
        answers={"update": "def update(w, b, x, label):\n    return w + label * x, b + label"},
        loses={"update_correct_point"},
        says=["nothing changes when label times score is positive"],
    ),
    Mutant(
        "steps away from the point",
        answers={
            "update": """
def update(w, b, x, label):
    if label * (x @ w + b) <= 0:
        return w - label * x, b - label
    return w, b
"""
        },
        loses={"update_mistake", "update_on_line"},
        says=["`new_w` is wrong: got [3, 2], expected [-1, 0]"],
    ),
    Mutant(
        "writes into w",
        answers={
            "update": """
def update(w, b, x, label):
    if label * (x @ w + b) <= 0:
        w += label * x
        b += label
    return w, b
"""
        },
        loses={"update_on_line"},
        says=["changed its input `w` in place"],
    ),
    Mutant(
        "update knows the visible examples by heart",
        answers={
            "update": """
def update(w, b, x, label):
    if label == 1:
        return [1, 1], 0
    return ([-1, 0], -1) if x[0] == 2 else ([-1, -2], -1)
"""
        },
        loses={"update_mistake", "update_correct_point", "update_on_line"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # train
    Mutant(
        "never starts, since zero counts as correct",
        answers={
            "train": """
def train(X, y, epochs):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, []
    for _ in range(epochs):
        wrong = 0
        for x, label in zip(X, y):
            if label * (x @ w + b) < 0:
                w, b, wrong = w + label * x, b + label, wrong + 1
        mistakes.append(wrong)
        if wrong == 0:
            break
    return w, b, mistakes
"""
        },
        loses={"train_weights", "train_mistakes", "train_stops"},
        says=["`w` is wrong: got [0, 0], expected [1, 1]"],
    ),
    Mutant(
        "counts the errors of the weights at the end of the epoch",
        answers={
            "train": """
def train(X, y, epochs):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, []
    for _ in range(epochs):
        moved = False
        for x, label in zip(X, y):
            if label * (x @ w + b) <= 0:
                w, b, moved = w + label * x, b + label, True
        mistakes.append(int((np.sign(X @ w + b) == -y).sum()))
        if not moved:
            break
    return w, b, mistakes
"""
        },
        loses={"train_weights", "train_mistakes"},
        says=["count each mistake when it happens"],
    ),
    Mutant(
        "does not stop after a clean epoch",
        answers={
            "train": """
def train(X, y, epochs):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, []
    for _ in range(epochs):
        wrong = 0
        for x, label in zip(X, y):
            if label * (x @ w + b) <= 0:
                w, b, wrong = w + label * x, b + label, wrong + 1
        mistakes.append(wrong)
    return w, b, mistakes
"""
        },
        loses={"train_weights", "train_stops"},
        says=["the list ends with its only 0"],
    ),
    Mutant(
        "one epoch too many",
        answers={
            "train": """
def train(X, y, epochs):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, []
    for _ in range(epochs + 1):
        wrong = 0
        for x, label in zip(X, y):
            if label * (x @ w + b) <= 0:
                w, b, wrong = w + label * x, b + label, wrong + 1
        mistakes.append(wrong)
        if wrong == 0:
            break
    return w, b, mistakes
"""
        },
        loses={"train_mistakes", "train_stops"},
        says=["`epochs` is the largest number of scans"],
    ),
    Mutant(
        "adds up the mistakes of an epoch before moving",
        answers={
            "train": """
def train(X, y, epochs):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, []
    for _ in range(epochs):
        wrong = y * (X @ w + b) <= 0
        w = w + (y[wrong, None] * X[wrong]).sum(axis=0)
        b = b + y[wrong].sum()
        mistakes.append(int(wrong.sum()))
        if not wrong.any():
            break
    return w, b, mistakes
"""
        },
        loses={"train_weights", "train_mistakes"},
        says=["`w` is wrong: got [2, 2], expected [1, 1]"],
    ),
    Mutant(
        "trains without a bias",
        answers={
            "train": """
def train(X, y, epochs):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, []
    for _ in range(epochs):
        wrong = 0
        for x, label in zip(X, y):
            if label * (x @ w) <= 0:
                w, wrong = w + label * x, wrong + 1
        mistakes.append(wrong)
        if wrong == 0:
            break
    return w, b, mistakes
"""
        },
        loses={"train_weights"},
        says=["`b` is wrong: got 0, expected 1"],
    ),
    Mutant(
        "train knows the visible examples by heart",
        answers={
            "train": """
def train(X, y, epochs):
    if len(X) == 2:
        return [1, 1], 1, [1, 0]
    if len(X) == 3:
        return [0, 0], 0, [3, 3, 3]
    if epochs == 40:
        return [0, 0], 0, [1, 0]
    return [3.6008164, 3.06362926], 0, [2, 0]
"""
        },
        loses={"train_weights", "train_mistakes", "train_stops"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # margin and bound
    Mutant(
        "bias left out of the length",
        answers={
            "margin_and_bound": """
def margin(X, y, w, b):
    return (y * (X @ w + b)).min() / np.sqrt(w @ w)


def mistake_bound(X, y, w, b):
    gamma = (y * (X @ w + b)).min() / np.sqrt(w @ w + b * b)
    return np.inf if gamma <= 0 else ((X**2).sum(axis=1) + 1).max() / gamma**2
"""
        },
        loses={"margin_value"},
        says=["the bias belongs to the length"],
    ),
    Mutant(
        "absolute distance in place of the margin",
        answers={
            "margin_and_bound": """
def margin(X, y, w, b):
    return abs(X @ w + b).min() / np.sqrt(w @ w + b * b)


def mistake_bound(X, y, w, b):
    gamma = (y * (X @ w + b)).min() / np.sqrt(w @ w + b * b)
    return np.inf if gamma <= 0 else ((X**2).sum(axis=1) + 1).max() / gamma**2
"""
        },
        loses={"margin_value"},
        says=["keeps its sign"],
    ),
    Mutant(
        "radius without the constant 1, ratio not squared",
        answers={
            "margin_and_bound": """
def margin(X, y, w, b):
    return (y * (X @ w + b)).min() / np.sqrt(w @ w + b * b)


def mistake_bound(X, y, w, b):
    gamma = margin(X, y, w, b)
    return np.inf if gamma <= 0 else np.sqrt((X**2).sum(axis=1)).max() / gamma
"""
        },
        loses={"bound_value"},
        says=["expected 1.11111", "the ratio is squared"],
    ),
    Mutant(
        "a bound also for lines that do not separate",
        answers={
            "margin_and_bound": """
def margin(X, y, w, b):
    return (y * (X @ w + b)).min() / np.sqrt(w @ w + b * b)


def mistake_bound(X, y, w, b):
    with np.errstate(divide="ignore"):
        return ((X**2).sum(axis=1) + 1).max() / margin(X, y, w, b) ** 2
"""
        },
        loses={"bound_value"},
        says=["no separating line, no promise"],
    ),
    Mutant(
        "margin averaged over the points",
        answers={
            "margin_and_bound": """
def margin(X, y, w, b):
    return (y * (X @ w + b)).mean() / np.sqrt(w @ w + b * b)


def mistake_bound(X, y, w, b):
    gamma = (y * (X @ w + b)).min() / np.sqrt(w @ w + b * b)
    return np.inf if gamma <= 0 else ((X**2).sum(axis=1) + 1).max() / gamma**2
"""
        },
        loses={"margin_value"},
        says=["the nearest point decides", "not the mean"],
    ),
    Mutant(
        "margin and bound know the visible examples by heart",
        answers={
            "margin_and_bound": """
def margin(X, y, w, b):
    return 3 if X[1, 0] == -3 else 1


def mistake_bound(X, y, w, b):
    return 10 / 9 if y[1] == -1 else np.inf
"""
        },
        loses={"margin_value", "bound_value"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # cycle
    Mutant(
        "one row for each epoch in place of each update",
        answers={
            "cycle": """
def update_states(X, y, limit):
    w, b, states = np.zeros(2), 0.0, []
    for _ in range(limit):
        moved = False
        for x, label in zip(X, y):
            if label * (x @ w + b) <= 0:
                w, b, moved = w + label * x, b + label, True
        if not moved:
            break
        states.append([*w, b])
    return np.array(states)


def period(states):
    for p in range(1, len(states) // 2 + 1):
        if np.array_equal(states[p:], states[:-p]):
            return p
    return 0
"""
        },
        loses={"states_recorded", "visiting_orders_count"},
        says=["one row for each update"],
    ),
    Mutant(
        "waits for the limit on data that a line separates",
        answers={
            "cycle": """
def update_states(X, y, limit):
    w, b, states = np.zeros(2), 0.0, []
    while len(states) < limit:
        for x, label in zip(X, y):
            if label * (x @ w + b) <= 0 and len(states) < limit:
                w, b = w + label * x, b + label
                states.append([*w, b])
    return np.array(states)


def period(states):
    for p in range(1, len(states) // 2 + 1):
        if np.array_equal(states[p:], states[:-p]):
            return p
    return 0
"""
        },
        loses={"states_recorded"},
        says=["does a loop never end?"],
    ),
    Mutant(
        "first return of the first state",
        answers={
            "cycle": """
def update_states(X, y, limit):
    w, b, states = np.zeros(2), 0.0, []
    while True:
        moved = False
        for x, label in zip(X, y):
            if len(states) == limit:
                return np.array(states)
            if label * (x @ w + b) <= 0:
                w, b, moved = w + label * x, b + label, True
                states.append([*w, b])
        if not moved:
            return np.array(states)


def period(states):
    for p in range(1, len(states)):
        if np.array_equal(states[p], states[0]):
            return p
    return 0
"""
        },
        loses={"period_length"},
        says=["every row must repeat", "half the number of rows"],
    ),
    Mutant(
        "the starting state is recorded too",
        answers={
            "cycle": """
def update_states(X, y, limit):
    w, b, states = np.zeros(2), 0.0, [[0.0, 0.0, 0.0]]
    while True:
        moved = False
        for x, label in zip(X, y):
            if len(states) == limit:
                return np.array(states)
            if label * (x @ w + b) <= 0:
                w, b, moved = w + label * x, b + label, True
                states.append([*w, b])
        if not moved:
            return np.array(states)


def period(states):
    for p in range(1, len(states) // 2 + 1):
        if np.array_equal(states[p:], states[:-p]):
            return p
    return 0
"""
        },
        loses={"states_recorded"},
        says=["two points"],
    ),
    Mutant(
        "states and period know the visible examples by heart",
        answers={
            "cycle": """
def update_states(X, y, limit):
    return [[1, 1, 1]] if limit == 5 else [[1, 0, 1], [-1, 0, 0]]


def period(states):
    return 2 if states[0][0] == 5 else 0
"""
        },
        loses={"states_recorded", "period_length", "visiting_orders_count"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # the orders
    Mutant(
        "orders of X without y",
        answers={
            "visiting_orders": """
orders_with_period_4 = sum(
    period(update_states(X_xor[list(order)], y_xor, limit=40)) == 4
    for order in itertools.permutations(range(4))
)
"""
        },
        loses={"visiting_orders_count"},
        says=["reorder X and y together"],
    ),
    Mutant(
        "only one order tried",
        answers={"visiting_orders": "orders_with_period_4 = 1"},
        loses={"visiting_orders_count"},
        says=["hidden case: the number of orders"],
    ),
    Mutant(
        "the period in place of the count",
        answers={"visiting_orders": "orders_with_period_4 = 4"},
        loses={"visiting_orders_count"},
        says=["the value is wrong"],
    ),
    Mutant(
        "an answer in words",
        answers={"visiting_orders": "orders_with_period_4 = 'all'"},
        loses={"visiting_orders_count"},
        says=["expected a whole number, got 'all'"],
    ),
    Mutant(
        "any whole number, since the visible case asks for one",
        answers={"visiting_orders": "orders_with_period_4 = 0"},
        loses={"visiting_orders_count"},
        says=["hidden case"],
        memorises_visible=True,
    ),
]

RADIUS = "np.sqrt((X**2).sum(axis=1) + 1).max()"

FIGURES = [
    Figure("mistakes on the clouds", text="[2, 0]", value="mistakes"),
    Figure("final weights", text="(3.6008164, 3.06362926)", value="list(w)"),
    Figure("radius of the clouds", text="5.324", value=RADIUS),
    Figure("largest margin", text="0.563", value="margin(X, y, w_best, b_best)"),
    Figure("the bound", text="89.4", value="mistake_bound(X, y, w_best, b_best)"),
    Figure("mistakes made", text="made 2.", value="sum(mistakes)"),
    Figure("margin at 1.6", text="0.030", value="margins[0]"),
    Figure("mistakes at 1.6", text="68 mistakes", value="totals[0]"),
    Figure("bound at 1.6", text="25,800", value="bounds[0]", rel=0.01),
    Figure(
        "mistakes on overlapping clouds",
        text="5,610",
        value="sum(train(*blobs(distance=1.5), epochs=2000)[2])",
    ),
    Figure("mistakes on XOR", text="[4, 4, 4, 4]", value="mistakes_xor[:4]"),
    Figure("the cycle", text="period of exactly 4 updates", value="period(states)"),
    Figure("orders", text="24 orders", value="orders_with_period_4"),
]
