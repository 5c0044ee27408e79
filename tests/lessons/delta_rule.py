"""Right and wrong solutions of the lesson on the delta rule, and the figures its text states."""

from coursekit.authoring.bank import Alternative, Figure, Mutant

ALTERNATIVES = [
    Alternative(
        "mse in a loop over the points",
        answers={
            "mse": """
def mse(X, y, w, b):
    total = 0.0
    for row, target in zip(X, y):
        score = b
        for value, weight in zip(row, w):
            score += value * weight
        total += (score - target) ** 2
    return total / len(y)
"""
        },
    ),
    Alternative(
        "mse by the norm, in torch",
        answers={
            "mse": """
def mse(X, y, w, b):
    import torch
    X, y, w = (torch.as_tensor(np.array(part, dtype=np.float64)) for part in (X, y, w))
    return torch.linalg.norm(y - X @ w - b) ** 2 / len(y)
"""
        },
    ),
    Alternative(
        "gradient in loops, as lists",
        answers={
            "gradient": """
def gradient(X, y, w, b):
    n, d = X.shape
    grad_w, grad_b = [0.0] * d, 0.0
    for i in range(n):
        e = sum(X[i][j] * w[j] for j in range(d)) + b - y[i]
        grad_b += 2 * e / n
        for j in range(d):
            grad_w[j] += 2 * e * X[i][j] / n
    return grad_w, grad_b
"""
        },
    ),
    Alternative(
        "gradient with a column of ones and einsum",
        answers={
            "gradient": """
def gradient(X, y, w, b):
    A = np.hstack([X, np.ones((len(X), 1))])
    residual = y - A @ np.append(w, b)
    g = -2 * np.einsum("i,ij->j", residual, A) / len(A)
    return g[:-1], g[-1]
"""
        },
    ),
    Alternative(
        "gradient by torch's autograd, in single precision",
        answers={
            "gradient": """
def gradient(X, y, w, b):
    import torch
    X, y = (torch.tensor(np.array(part), dtype=torch.float32) for part in (X, y))
    w = torch.tensor(np.array(w), dtype=torch.float32, requires_grad=True)
    b = torch.tensor(float(b), requires_grad=True)
    ((X @ w + b - y) ** 2).mean().backward()
    return w.grad, b.grad
"""
        },
    ),
    Alternative(
        "differences on copies, as a list",
        answers={
            "finite_difference": """
def finite_difference(f, w, h):
    slopes = []
    for j in range(len(w)):
        right, left = w.copy(), w.copy()
        right[j] += h
        left[j] -= h
        slopes.append((f(right) - f(left)) / (right[j] - left[j]))
    return slopes
"""
        },
    ),
    Alternative(
        "differences along the rows of a grid",
        answers={
            "finite_difference": """
def finite_difference(f, w, h):
    steps = h * np.eye(len(w))
    ups = np.array([f(v) for v in w + steps])
    downs = np.array([f(v) for v in w - steps])
    return 0.5 * (ups - downs) / h
"""
        },
    ),
    Alternative(
        "batch step through the functions of the exercises above",
        answers={
            "batch_step": """
def batch_step(w, b, X, y, rate):
    grad_w, grad_b = gradient(X, y, w, b)
    return w - rate * grad_w, b - rate * grad_b
"""
        },
    ),
    Alternative(
        "batch step on a copy, point by point",
        answers={
            "batch_step": """
def batch_step(w, b, X, y, rate):
    new_w, new_b = np.array(w, dtype=float), float(b)
    for x, target in zip(X, y):
        e = np.dot(w, x) + b - target
        for j in range(len(new_w)):
            new_w[j] -= 2 * rate * e * x[j] / len(X)
        new_b -= 2 * rate * e / len(X)
    return [new_w, new_b]
"""
        },
    ),
    Alternative(
        "training with mse and batch_step",
        answers={
            "train_batch": """
def train_batch(X, y, rate, steps):
    w, b = np.zeros(X.shape[1]), 0.0
    losses = [mse(X, y, w, b)]
    while len(losses) <= steps:
        w, b = batch_step(w, b, X, y, rate)
        losses.append(mse(X, y, w, b))
    return w, b, losses
"""
        },
    ),
    Alternative(
        "training on augmented rows, losses in an array",
        answers={
            "train_batch": """
def train_batch(X, y, rate, steps):
    A = np.column_stack([X, np.ones(len(X))])
    H, g = 2 * A.T @ A / len(A), 2 * A.T @ y / len(A)
    v = np.zeros(A.shape[1])
    losses = np.empty(steps + 1)
    for k in range(steps + 1):
        losses[k] = np.mean((A @ v - y) ** 2)
        if k < steps:
            v -= rate * (H @ v - g)
    return v[:-1], v[-1], losses
"""
        },
    ),
    Alternative(
        "online by index, on a copy",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    w = w.copy()
    for i in range(len(X)):
        delta = y[i] - (np.dot(X[i], w) + b)
        w += 2 * rate * delta * X[i]
        b += 2 * rate * delta
    return w, b
"""
        },
    ),
    Alternative(
        "online through batch steps of one row",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    for i in range(len(y)):
        w, b = batch_step(w, b, X[i : i + 1], y[i : i + 1], rate)
    return w, b
"""
        },
    ),
    Alternative(
        "online in plain Python numbers",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    w, b = [float(value) for value in w], float(b)
    for x, target in zip(np.asarray(X).tolist(), np.asarray(y).tolist()):
        e = sum(p * q for p, q in zip(w, x)) + b - target
        w = [p - 2 * rate * e * q for p, q in zip(w, x)]
        b = b - 2 * rate * e
    return w, b
"""
        },
    ),
    Alternative(
        "stable rate by the norm of the matrix",
        answers={
            "largest_stable_rate": """
def largest_stable_rate(X):
    A = np.hstack([X, np.ones((X.shape[0], 1))])
    return len(A) / np.linalg.norm(A, 2) ** 2
"""
        },
    ),
    Alternative(
        "stable rate by a sum of outer products, in torch",
        answers={
            "largest_stable_rate": """
def largest_stable_rate(X):
    import torch
    H = 0
    for row in X:
        a = torch.tensor([*row, 1.0], dtype=torch.float64)
        H = H + 2 * torch.outer(a, a) / len(X)
    return 2 / torch.linalg.eigvalsh(H)[-1]
"""
        },
    ),
    Alternative(
        "stable rate by power iteration",
        answers={
            "largest_stable_rate": """
def largest_stable_rate(X):
    A = np.column_stack([X, np.ones(len(X))])
    H = 2 * A.T @ A / len(A)
    v = np.arange(1.0, len(H) + 1)
    for _ in range(300):
        v = H @ v / np.linalg.norm(H @ v)
    return float(2 / (v @ H @ v))
"""
        },
    ),
    Alternative(
        "XOR in zeros and ones, trained",
        answers={
            "xor_binary": """
points, targets = xor("binary")
weights, bias, record = train_batch(points, targets, 0.3, 2000)
constant_score = np.mean(points @ weights + bias)
lowest_loss = record[-1]
"""
        },
    ),
    Alternative(
        "XOR in zeros and ones, reasoned out",
        answers={"xor_binary": "constant_score = 1 / 2\nlowest_loss = np.float64(0.25)"},
    ),
    Alternative(
        "orders counted by a function",
        answers={
            "resting_states": """
def bias_at_rest(rows):
    w, b = np.zeros(2), 0.0
    for _ in range(500):
        w, b = online_epoch(w, b, X_xor[rows], y_xor[rows], 0.05)
    return b


orders_with_zero_bias = sum(
    bool(np.isclose(bias_at_rest(list(rows)), 0)) for rows in itertools.permutations(range(4))
)
"""
        },
    ),
    Alternative(
        "orders counted as a NumPy number",
        answers={
            "resting_states": """
ends = []
for rows in itertools.permutations([0, 1, 2, 3]):
    w, b = np.zeros(2), 0.0
    for _ in range(300):
        for i in rows:
            e = X_xor[i] @ w + b - y_xor[i]
            w, b = w - 0.1 * e * X_xor[i], b - 0.1 * e
    ends.append(b)
orders_with_zero_bias = np.count_nonzero(np.abs(ends) < 0.001)
"""
        },
    ),
]

MSE = {"mse_mean", "mse_of_scores"}
GRADIENT = {"gradient_weights", "gradient_bias"}
DIFFERENCE = {"difference_is_central", "difference_of_each_weight"}
STEP = {"step_goes_downhill", "step_leaves_inputs"}
TRAIN = {"train_weights", "train_losses"}
ONLINE = {"online_moves_at_once", "online_single_row"}
STABLE = {"stable_rate_centred", "stable_rate_with_bias"}
BINARY = {"xor_binary_score", "xor_binary_loss"}
RESTING = {"resting_states_count"}

MUTANTS = [
    # mse
    Mutant(
        "sum in place of the mean",
        answers={"mse": "def mse(X, y, w, b):\n    return ((X @ w + b - y) ** 2).sum()"},
        loses={"mse_mean"},
        says=["returned 5, expected 2.5; it is 2 times the expected one"],
    ),
    Mutant(
        "error of the label, after the threshold",
        answers={"mse": "def mse(X, y, w, b):\n    return ((np.sign(X @ w + b) - y) ** 2).mean()"},
        loses={"mse_of_scores"},
        says=["returned 0, expected 4", "compare the label with the score itself"],
    ),
    Mutant(
        "absolute differences",
        answers={"mse": "def mse(X, y, w, b):\n    return abs(X @ w + b - y).mean()"},
        loses=MSE,
        says=["returned 1.5, expected 2.5", "square each difference"],
    ),
    Mutant(
        "root of the mean square",
        answers={"mse": "def mse(X, y, w, b):\n    return np.sqrt(((X @ w + b - y) ** 2).mean())"},
        loses=MSE,
        says=["returned 2, expected 4"],
    ),
    Mutant(
        "score without its bias",
        answers={"mse": "def mse(X, y, w, b):\n    return ((X @ w - y) ** 2).mean()"},
        loses=MSE,
        says=["the bias belongs to the score"],
    ),
    Mutant(
        "mean of the differences, squared afterwards",
        answers={"mse": "def mse(X, y, w, b):\n    return (X @ w + b - y).mean() ** 2"},
        loses={"mse_mean"},
        says=["returned 0.25, expected 2.5"],
    ),
    Mutant(
        "the squares are never averaged",
        answers={"mse": "def mse(X, y, w, b):\n    return (X @ w + b - y) ** 2"},
        loses=MSE,
        says=["shape (2,), expected a single number"],
    ),
    Mutant(
        "mse knows the visible examples by heart",
        answers={
            "mse": """
def mse(X, y, w, b):
    if len(y) == 1:
        return 4
    return 2.5 if y[0] == -1 else 0
"""
        },
        loses=MSE,
        says=["hidden case"],
        memorises_visible=True,
    ),
    # gradient
    Mutant(
        "factor 2 forgotten",
        answers={
            "gradient": """
def gradient(X, y, w, b):
    error = X @ w + b - y
    return X.T @ error / len(y), error.mean()
"""
        },
        loses=GRADIENT,
        says=["it is 0.5 times the expected one"],
    ),
    Mutant(
        "gradient of the sum",
        answers={
            "gradient": """
def gradient(X, y, w, b):
    error = X @ w + b - y
    return 2 * X.T @ error, 2 * error.sum()
"""
        },
        loses=GRADIENT,
        says=["got [12], expected [6]"],
    ),
    Mutant(
        "label minus score",
        answers={
            "gradient": """
def gradient(X, y, w, b):
    error = y - (X @ w + b)
    return 2 * X.T @ error / len(y), 2 * error.mean()
"""
        },
        loses=GRADIENT,
        says=["`grad_w` is wrong: got [-6], expected [6]; the sign is flipped"],
    ),
    Mutant(
        "the bias has no gradient",
        answers={
            "gradient": """
def gradient(X, y, w, b):
    error = X @ w + b - y
    return 2 * X.T @ error / len(y), 0.0
"""
        },
        loses={"gradient_bias"},
        says=["the bias acts like a weight whose input is always 1"],
    ),
    Mutant(
        "one number for all coordinates",
        answers={
            "gradient": """
def gradient(X, y, w, b):
    error = X @ w + b - y
    return 2 * (error[:, None] * X).mean(), 2 * error.mean()
"""
        },
        loses={"gradient_weights"},
        says=["a single number, shape (), expected (1,)", "one number remains for each coordinate"],
    ),
    Mutant(
        "gradient without the bias in the score",
        answers={
            "gradient": """
def gradient(X, y, w, b):
    error = X @ w - y
    return 2 * X.T @ error / len(y), 2 * error.mean()
"""
        },
        loses=GRADIENT,
        says=["the score includes the bias"],
    ),
    Mutant(
        "gradient in one array",
        answers={
            "gradient": """
def gradient(X, y, w, b):
    error = X @ w + b - y
    return np.append(2 * X.T @ error / len(y), 2 * error.mean())
"""
        },
        loses=GRADIENT,
        says=["a NumPy array of shape (2,), expected 2 results: grad_w, grad_b"],
    ),
    Mutant(
        "gradient knows the visible example by heart",
        answers={"gradient": "def gradient(X, y, w, b):\n    return np.array([6.0]), 2.0"},
        loses=GRADIENT,
        says=["hidden case"],
        memorises_visible=True,
    ),
    # finite differences
    Mutant(
        "one-sided difference",
        answers={
            "finite_difference": """
def finite_difference(f, w, h):
    return np.array([(f(w + h * u) - f(w)) / h for u in np.eye(len(w))])
"""
        },
        loses={"difference_is_central"},
        says=["returned [4.1, 3], expected [4, 3]", "step by h to both sides of w"],
    ),
    Mutant(
        "divided by h in place of 2h",
        answers={
            "finite_difference": """
def finite_difference(f, w, h):
    return np.array([(f(w + h * u) - f(w - h * u)) / h for u in np.eye(len(w))])
"""
        },
        loses=DIFFERENCE,
        says=["every value is 2 times the expected one"],
    ),
    Mutant(
        "divided by 2 times h without brackets",
        answers={
            "finite_difference": """
def finite_difference(f, w, h):
    return np.array([(f(w + h * u) - f(w - h * u)) / 2 * h for u in np.eye(len(w))])
"""
        },
        loses=DIFFERENCE,
        says=["every value is 0.01 times the expected one"],
    ),
    Mutant(
        "all weights moved at once",
        answers={
            "finite_difference": """
def finite_difference(f, w, h):
    return np.array([(f(w + h) - f(w - h)) / (2 * h) for _ in w])
"""
        },
        loses=DIFFERENCE,
        says=["returned [7, 7], expected [4, 3]", "move one weight at a time"],
    ),
    Mutant(
        "w moved and never put back",
        answers={
            "finite_difference": """
def finite_difference(f, w, h):
    slopes = []
    for j in range(len(w)):
        w[j] += h
        up = f(w)
        w[j] -= 2 * h
        slopes.append((up - f(w)) / (2 * h))
    return np.array(slopes)
"""
        },
        loses={"difference_of_each_weight"},
        says=["changed its input `w` in place", "let all others stand where they were"],
    ),
    Mutant(
        "returns after the first weight",
        answers={
            "finite_difference": """
def finite_difference(f, w, h):
    for u in np.eye(len(w)):
        return np.array([(f(w + h * u) - f(w - h * u)) / (2 * h)])
"""
        },
        loses=DIFFERENCE,
        says=["shape (1,), expected (2,)"],
    ),
    Mutant(
        "differences known by heart",
        answers={
            "finite_difference": """
def finite_difference(f, w, h):
    return [4, 3] if h == 0.1 else [1, 2]
"""
        },
        loses=DIFFERENCE,
        says=["hidden case"],
        memorises_visible=True,
    ),
    # one batch step
    Mutant(
        "the step goes uphill",
        answers={
            "batch_step": """
def batch_step(w, b, X, y, rate):
    error = X @ w + b - y
    return w + rate * 2 * X.T @ error / len(y), b + rate * 2 * error.mean()
"""
        },
        loses=STEP,
        says=["`new_w` is wrong: got [-0.4], expected [0.4]; the sign is flipped"],
    ),
    Mutant(
        "the bias sees the new weights",
        answers={
            "batch_step": """
def batch_step(w, b, X, y, rate):
    w = w - rate * 2 * X.T @ (X @ w + b - y) / len(y)
    b = b - rate * 2 * (X @ w + b - y).mean()
    return w, b
"""
        },
        loses=STEP,
        says=["both gradients are taken at the old w and the old b"],
    ),
    Mutant(
        "step without the factor 2",
        answers={
            "batch_step": """
def batch_step(w, b, X, y, rate):
    error = X @ w + b - y
    return w - rate * X.T @ error / len(y), b - rate * error.mean()
"""
        },
        loses=STEP,
        says=["got [0.2], expected [0.4]", "0.5 times the expected one"],
    ),
    Mutant(
        "step along the sum",
        answers={
            "batch_step": """
def batch_step(w, b, X, y, rate):
    error = X @ w + b - y
    return w - rate * 2 * X.T @ error, b - rate * 2 * error.sum()
"""
        },
        loses={"step_goes_downhill"},
        says=["got [0.8], expected [0.4]"],
    ),
    Mutant(
        "writes into w",
        answers={
            "batch_step": """
def batch_step(w, b, X, y, rate):
    error = X @ w + b - y
    w -= rate * 2 * X.T @ error / len(y)
    b -= rate * 2 * error.mean()
    return w, b
"""
        },
        loses={"step_leaves_inputs"},
        says=["changed its input `w` in place: work on a copy"],
    ),
    Mutant(
        "returns the step and not the place",
        answers={
            "batch_step": """
def batch_step(w, b, X, y, rate):
    error = X @ w + b - y
    return -rate * 2 * X.T @ error / len(y), -rate * 2 * error.mean()
"""
        },
        loses=STEP,
        says=["hidden case"],
    ),
    Mutant(
        "step known by heart",
        answers={
            "batch_step": """
def batch_step(w, b, X, y, rate):
    return ([0.4], 0.2) if len(w) == 1 else ([2, 1], 1)
"""
        },
        loses=STEP,
        says=["hidden case"],
        memorises_visible=True,
    ),
    # training in batch
    Mutant(
        "no loss before the first step",
        answers={
            "train_batch": """
def train_batch(X, y, rate, steps):
    w, b = np.zeros(X.shape[1]), 0.0
    losses = []
    for _ in range(steps):
        error = X @ w + b - y
        w, b = w - rate * 2 * X.T @ error / len(y), b - rate * 2 * error.mean()
        losses.append(((X @ w + b - y) ** 2).mean())
    return w, b, losses
"""
        },
        loses={"train_losses"},
        says=["there are 3 losses", "record the loss before the first step"],
    ),
    Mutant(
        "no loss after the last step",
        answers={
            "train_batch": """
def train_batch(X, y, rate, steps):
    w, b = np.zeros(X.shape[1]), 0.0
    losses = []
    for _ in range(steps):
        error = X @ w + b - y
        losses.append((error**2).mean())
        w, b = w - rate * 2 * X.T @ error / len(y), b - rate * 2 * error.mean()
    return w, b, losses
"""
        },
        loses={"train_losses"},
        says=["after the last step the loss is computed once more"],
    ),
    Mutant(
        "one step too many",
        answers={
            "train_batch": """
def train_batch(X, y, rate, steps):
    w, b = np.zeros(X.shape[1]), 0.0
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        losses.append((error**2).mean())
        w, b = w - rate * 2 * X.T @ error / len(y), b - rate * 2 * error.mean()
    return w, b, losses
"""
        },
        loses={"train_weights"},
        says=["got [0.875], expected [0.75]", "as many steps as asked"],
    ),
    Mutant(
        "stops as soon as the loss hardly falls",
        answers={
            "train_batch": """
def train_batch(X, y, rate, steps):
    w, b = np.zeros(X.shape[1]), 0.0
    losses = [(y**2).mean()]
    for _ in range(steps):
        error = X @ w + b - y
        w, b = w - rate * 2 * X.T @ error / len(y), b - rate * 2 * error.mean()
        losses.append(((X @ w + b - y) ** 2).mean())
        if abs(losses[-1] - losses[-2]) < 1e-3:
            break
    return w, b, losses
"""
        },
        loses={"train_weights"},
        says=["make as many steps as asked, no fewer"],
    ),
    Mutant(
        "training leaves the bias at zero",
        answers={
            "train_batch": """
def train_batch(X, y, rate, steps):
    w, b = np.zeros(X.shape[1]), 0.0
    losses = [(y**2).mean()]
    for _ in range(steps):
        w = w - rate * 2 * X.T @ (X @ w + b - y) / len(y)
        losses.append(((X @ w + b - y) ** 2).mean())
    return w, b, losses
"""
        },
        loses=TRAIN,
        says=["the bias moves too"],
    ),
    Mutant(
        "training moves w before it looks at b",
        answers={
            "train_batch": """
def train_batch(X, y, rate, steps):
    w, b = np.zeros(X.shape[1]), 0.0
    losses = [(y**2).mean()]
    for _ in range(steps):
        w = w - rate * 2 * X.T @ (X @ w + b - y) / len(y)
        b = b - rate * 2 * (X @ w + b - y).mean()
        losses.append(((X @ w + b - y) ** 2).mean())
    return w, b, losses
"""
        },
        loses=TRAIN,
        says=["w and b move together"],
    ),
    Mutant(
        "training example by example",
        answers={
            "train_batch": """
def train_batch(X, y, rate, steps):
    w, b = np.zeros(X.shape[1]), 0.0
    losses = [(y**2).mean()]
    for _ in range(steps):
        for x, target in zip(X, y):
            e = x @ w + b - target
            w, b = w - rate * 2 * e * x, b - rate * 2 * e
        losses.append(((X @ w + b - y) ** 2).mean())
    return w, b, losses
"""
        },
        loses=TRAIN,
        says=["`w` is wrong"],
    ),
    Mutant(
        "training known by heart",
        answers={
            "train_batch": """
def train_batch(X, y, rate, steps):
    return np.array([0.75]), 0.0, [1.0, 0.25, 0.0625]
"""
        },
        loses=TRAIN,
        says=["hidden case"],
        memorises_visible=True,
    ),
    # online
    Mutant(
        "all errors from the start of the epoch",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    error = X @ w + b - y
    return w - rate * 2 * X.T @ error / len(y), b - rate * 2 * error.mean()
"""
        },
        loses={"online_moves_at_once"} | RESTING,
        says=["got [0.75], expected [1]", "left behind"],
    ),
    Mutant(
        "online without the factor 2",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    for x, target in zip(X, y):
        e = x @ w + b - target
        w, b = w - rate * e * x, b - rate * e
    return w, b
"""
        },
        loses=ONLINE,
        says=["both with the factor 2"],
    ),
    Mutant(
        "online divided by the number of rows",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    for x, target in zip(X, y):
        e = x @ w + b - target
        w, b = w - rate * 2 * e * x / len(X), b - rate * 2 * e / len(X)
    return w, b
"""
        },
        loses={"online_moves_at_once"},
        says=["there is no division by the number of rows"],
    ),
    Mutant(
        "return inside the loop",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    for x, target in zip(X, y):
        e = x @ w + b - target
        w, b = w - rate * 2 * e * x, b - rate * 2 * e
        return w, b
"""
        },
        loses={"online_moves_at_once"} | RESTING,
        says=["all rows are used, once each"],
    ),
    Mutant(
        "rows from last to first",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    for x, target in zip(X[::-1], y[::-1]):
        e = x @ w + b - target
        w, b = w - rate * 2 * e * x, b - rate * 2 * e
    return w, b
"""
        },
        loses={"online_moves_at_once"},
        says=["each row meets the weights that the row before it has left behind"],
    ),
    Mutant(
        "error of the label, as in the perceptron",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    for x, target in zip(X, y):
        e = np.sign(x @ w + b) - target
        w, b = w - rate * 2 * e * x, b - rate * 2 * e
    return w, b
"""
        },
        loses=ONLINE | RESTING,
        says=["hidden case"],
    ),
    Mutant(
        "online writes into w",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    for x, target in zip(X, y):
        e = x @ w + b - target
        w -= rate * 2 * e * x
        b -= rate * 2 * e
    return w, b
"""
        },
        loses={"online_single_row"},
        says=["changed its input `w` in place"],
    ),
    Mutant(
        "online epoch known by heart",
        answers={
            "online_epoch": """
def online_epoch(w, b, X, y, rate):
    return ([1], 1) if len(X) == 2 else ([2, 1], 1)
"""
        },
        loses=ONLINE | RESTING,
        says=["hidden case"],
        memorises_visible=True,
    ),
    # the largest stable rate
    Mutant(
        "the bias has no curvature",
        answers={
            "largest_stable_rate": """
def largest_stable_rate(X):
    return 2 / np.linalg.eigvalsh(2 * X.T @ X / len(X)).max()
"""
        },
        loses={"stable_rate_with_bias"},
        says=["returned 1, expected 0.5", "append a column of ones"],
    ),
    Mutant(
        "one over the largest eigenvalue",
        answers={
            "largest_stable_rate": """
def largest_stable_rate(X):
    A = np.column_stack([X, np.ones(len(X))])
    return 1 / np.linalg.eigvalsh(2 * A.T @ A / len(A)).max()
"""
        },
        loses=STABLE,
        says=["it is 0.5 times the expected one"],
    ),
    Mutant(
        "the smallest eigenvalue",
        answers={
            "largest_stable_rate": """
def largest_stable_rate(X):
    A = np.column_stack([X, np.ones(len(X))])
    values = np.linalg.eigvalsh(2 * A.T @ A / len(A))
    return 2 / values[values > 1e-9].min()
"""
        },
        loses=STABLE,
        says=["returned 1, expected 0.111111"],
    ),
    Mutant(
        "Hessian without its 2",
        answers={
            "largest_stable_rate": """
def largest_stable_rate(X):
    A = np.column_stack([X, np.ones(len(X))])
    return 2 / np.linalg.eigvalsh(A.T @ A / len(A)).max()
"""
        },
        loses=STABLE,
        says=["it is 2 times the expected one", "keep the 2 of the gradient in H"],
    ),
    Mutant(
        "Hessian of the sum",
        answers={
            "largest_stable_rate": """
def largest_stable_rate(X):
    A = np.column_stack([X, np.ones(len(X))])
    return 2 / np.linalg.eigvalsh(2 * A.T @ A).max()
"""
        },
        loses=STABLE,
        says=["divide by the number of points"],
    ),
    Mutant(
        "largest entry of the diagonal",
        answers={
            "largest_stable_rate": """
def largest_stable_rate(X):
    A = np.column_stack([X, np.ones(len(X))])
    return 2 / np.diag(2 * A.T @ A / len(A)).max()
"""
        },
        loses=STABLE,
        says=["take the eigenvalues of the whole matrix, not its diagonal"],
    ),
    Mutant(
        "the largest eigenvalue itself",
        answers={
            "largest_stable_rate": """
def largest_stable_rate(X):
    A = np.column_stack([X, np.ones(len(X))])
    return np.linalg.eigvalsh(2 * A.T @ A / len(A)).max()
"""
        },
        loses=STABLE,
        says=["returned 18, expected 0.111111"],
    ),
    Mutant(
        "rates known by heart",
        answers={
            "largest_stable_rate": "def largest_stable_rate(X):\n    return 1 / 9 if len(X) == 2 else 0.5"
        },
        loses=STABLE,
        says=["hidden case"],
        memorises_visible=True,
    ),
    # XOR in zeros and ones
    Mutant(
        "the numbers of the signed coding",
        answers={"xor_binary": "constant_score = 0.0\nlowest_loss = 1.0"},
        loses=BINARY,
        says=["which constant is closest to two zeros and two ones?"],
    ),
    Mutant(
        "sum of the squares",
        answers={"xor_binary": "constant_score = 0.5\nlowest_loss = 4 * 0.25"},
        loses={"xor_binary_loss"},
        says=["it is 4 times the expected one"],
    ),
    Mutant(
        "root of the lowest loss",
        answers={"xor_binary": "constant_score = 0.5\nlowest_loss = 0.5"},
        loses={"xor_binary_loss"},
        says=["mean of the squared differences"],
    ),
    Mutant(
        "a list of four scores, and no loss",
        answers={"xor_binary": "constant_score = [0.5, 0.5, 0.5, 0.5]\nlowest_loss = None"},
        loses=BINARY,
        says=["expected a number, got [0.5, 0.5, 0.5, 0.5]", "not attempted"],
    ),
    Mutant(
        "fit without a bias",
        answers={
            "xor_binary": """
X_binary, y_binary = xor("binary")
fit, *_ = np.linalg.lstsq(X_binary, y_binary, rcond=None)
constant_score = float((X_binary @ fit).mean())
lowest_loss = float(((X_binary @ fit - y_binary) ** 2).mean())
"""
        },
        loses=BINARY,
        says=["the value is wrong"],
    ),
    Mutant(
        "any two numbers, since the visible cases ask for no more",
        answers={"xor_binary": "constant_score = 7.0\nlowest_loss = 7.0"},
        loses=BINARY,
        says=["hidden case"],
        memorises_visible=True,
    ),
    # resting states
    Mutant(
        "reorders the points without their labels",
        answers={
            "resting_states": """
orders_with_zero_bias = 0
for order in itertools.permutations(range(4)):
    v, d = np.zeros(2), 0.0
    for _ in range(300):
        v, d = online_epoch(v, d, X_xor[list(order)], y_xor, 0.05)
    orders_with_zero_bias += abs(d) < 1e-6
"""
        },
        loses=RESTING,
        says=["reorder X and y together"],
    ),
    Mutant(
        "all orders, since batch training ends at zero",
        answers={"resting_states": "orders_with_zero_bias = 24"},
        loses=RESTING,
        says=["hidden case: the number of orders"],
    ),
    Mutant(
        "one epoch for each order",
        answers={
            "resting_states": """
orders_with_zero_bias = 0
for order in itertools.permutations(range(4)):
    v, d = online_epoch(np.zeros(2), 0.0, X_xor[list(order)], y_xor[list(order)], 0.05)
    orders_with_zero_bias += abs(d) < 1e-6
"""
        },
        loses=RESTING,
        says=["the value is wrong"],
    ),
    Mutant(
        "the share of the orders",
        answers={"resting_states": "orders_with_zero_bias = 8 / 24"},
        loses=RESTING,
        says=["expected a whole number, got 0.33333333"],
    ),
    Mutant(
        "some whole number, since the visible case asks for one",
        answers={"resting_states": "orders_with_zero_bias = 0"},
        loses=RESTING,
        says=["hidden case"],
        memorises_visible=True,
    ),
]

FIGURES = [
    Figure(
        "losses of the example",
        text="[1, 0.25, 0.0625]",
        value="[float(v) for v in train_batch(np.array([[1.0], [-1.0]]), np.array([1, -1]), 0.25, 2)[2]]",
    ),
    Figure(
        "a share above the limit",
        text="at 1.05 it grows",
        value="max(map(float, [name.split()[0] for name in runs]))",
    ),
    Figure("lowest loss on the clouds", text="0.384", value="float(best_loss)"),
    Figure("loss where training ends", text="settles at 0.384", value="float(losses[-1])"),
    Figure("points on their right side", text="106 of 120 points", value="[right, len(y)]"),
    Figure("the largest stable rate", text="0.272", value="float(limit)"),
    Figure("first loss on XOR", text="5.25", value="xor_losses[0]"),
    Figure(
        "last loss on XOR",
        text="from 5.25 to 1 ",
        value="[xor_losses[0], round(xor_losses[-1], 4)]",
    ),
    Figure(
        "resting state at rate 0.05",
        text="(0, 0.0588)$, $b = 0.1176$",
        value="[round(float(settled(0.05)[0][0]), 9), float(settled(0.05)[0][1]), float(settled(0.05)[1])]",
    ),
    Figure(
        "resting state at rate 0.005",
        text="(0, 0.0051)$, $0.0102$",
        value="[round(float(settled(0.005)[0][0]), 9), float(settled(0.005)[0][1]), float(settled(0.005)[1])]",
    ),
    Figure("resting bias, told again", text="$b = 0.1176$", value="float(settled(0.05)[1])"),
    Figure(
        "mistakes of least squares on the far points",
        text="6 mistakes",
        value="int((A_far @ squares * y_far <= 0).sum())",
    ),
]
