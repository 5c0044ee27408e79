"""Right and wrong solutions of the lesson on linear collapse, and the figures its text states."""

from coursekit.authoring.bank import Alternative, Figure, Mutant

ALTERNATIVES = [
    # forward
    Alternative(
        "forward unit by unit",
        answers={
            "forward": """
def forward(X, weights, biases):
    rows = [list(row) for row in X]
    for W, b in zip(weights, biases):
        rows = [
            [sum(r[i] * W[i][j] for i in range(len(r))) + b[j] for j in range(len(b))] for r in rows
        ]
    return rows
"""
        },
    ),
    Alternative(
        "forward in torch, in single precision",
        answers={
            "forward": """
def forward(X, weights, biases):
    h = torch.tensor(X, dtype=torch.float32)
    for k in range(len(weights)):
        W = torch.tensor(weights[k], dtype=torch.float32)
        h = torch.addmm(torch.tensor(biases[k], dtype=torch.float32), h, W)
    return h
"""
        },
    ),
    Alternative(
        "forward by recursion",
        answers={
            "forward": """
def forward(X, weights, biases):
    if len(weights) == 0:
        return X
    return forward(X.dot(weights[0]) + biases[0], weights[1:], biases[1:])
"""
        },
    ),
    # collapse
    Alternative(
        "collapse by probing the stack at 0 and at the unit vectors",
        answers={
            "collapse": """
def collapse(weights, biases):
    def run(X):
        for M, v in zip(weights, biases):
            X = X @ M + v
        return X
    inputs = len(weights[0])
    b = run(np.zeros((1, inputs)))
    return run(np.eye(inputs)) - b, b[0]
"""
        },
    ),
    Alternative(
        "collapse from the last layer to the first",
        answers={
            "collapse": """
def collapse(weights, biases):
    after = np.eye(len(biases[-1]))
    b = np.zeros(len(biases[-1]))
    for W, bias in list(zip(weights, biases))[::-1]:
        b = b + bias @ after
        after = W @ after
    return [after, b]
"""
        },
    ),
    Alternative(
        "collapse as products of matrices with an extra row for the bias",
        answers={
            "collapse": """
def collapse(weights, biases):
    total = None
    for W, b in zip(weights, biases):
        corner = np.append(np.zeros(len(W)), 1.0)
        full = np.column_stack([np.vstack([W, b]), corner])
        total = full if total is None else total @ full
    return total[:-1, :-1], total[-1, :-1]
"""
        },
    ),
    # count_parameters
    Alternative(
        "count with an index",
        answers={
            "count_parameters": """
def count_parameters(sizes):
    total = 0
    for i in range(1, len(sizes)):
        total += (sizes[i - 1] + 1) * sizes[i]
    return total
"""
        },
    ),
    Alternative(
        "count weights and biases apart, in NumPy",
        answers={
            "count_parameters": """
def count_parameters(sizes):
    widths = np.array(sizes)
    return np.dot(widths[:-1], widths[1:]) + widths[1:].sum()
"""
        },
    ),
    Alternative(
        "count by asking torch",
        answers={
            "count_parameters": """
def count_parameters(sizes):
    layers = [nn.Linear(int(m), int(n)) for m, n in zip(sizes, sizes[1:])]
    return sum(p.numel() for layer in layers for p in layer.parameters())
"""
        },
    ),
    # map_rank
    Alternative(
        "rank by multi-step product and a loop over the singular values",
        answers={
            "map_rank": """
def map_rank(weights):
    W = np.eye(weights[0].shape[0])
    for M in weights:
        W = W.dot(M)
    u, s, vt = np.linalg.svd(W, full_matrices=False)
    rank = 0
    for value in s:
        if value > 1e-10 * max(s):
            rank += 1
    return rank
"""
        },
    ),
    Alternative(
        "rank by NumPy's own function",
        answers={
            "map_rank": """
def map_rank(weights):
    W = weights[-1]
    for M in list(weights)[-2::-1]:
        W = M @ W
    return np.linalg.matrix_rank(W, rtol=1e-10)
"""
        },
    ),
    # additivity_gap
    Alternative(
        "gap row by row",
        answers={
            "additivity_gap": """
def additivity_gap(f, a, b):
    gap = 0.0
    for i in range(len(a)):
        u, v = a[i : i + 1], b[i : i + 1]
        for value in (f(u + v) + f(0 * u) - f(u) - f(v)).ravel():
            gap = max(gap, abs(float(value)))
    return gap
"""
        },
    ),
    Alternative(
        "gap as an infinity norm",
        answers={
            "additivity_gap": """
def additivity_gap(f, a, b):
    left = f(a) + f(b)
    right = f(a + b) + f(np.zeros(a.shape))
    return np.linalg.norm((left - right).flatten(), ord=np.inf)
"""
        },
    ),
    # missing_activations
    Alternative(
        "missing by comparing all pairs",
        answers={
            "missing_activations": """
def missing_activations(model):
    transparent = (nn.Identity, nn.Flatten, nn.Dropout)
    found = []
    for i in range(len(model)):
        for j in range(i + 1, len(model)):
            ends = isinstance(model[i], nn.Linear) and isinstance(model[j], nn.Linear)
            if ends and all(isinstance(part, transparent) for part in model[i + 1 : j]):
                found.append([i, j])
    return found
"""
        },
    ),
    Alternative(
        "missing after taking out the transparent modules",
        answers={
            "missing_activations": """
def missing_activations(model):
    transparent = (nn.Identity, nn.Flatten, nn.Dropout)
    kept = [(i, type(p)) for i, p in enumerate(model) if type(p) not in transparent]
    return [
        (i, j) for (i, p), (j, q) in zip(kept, kept[1:]) if p is nn.Linear and q is nn.Linear
    ]
"""
        },
    ),
    # effective_line
    Alternative(
        "line by probing the model at 0 and at the unit vectors",
        answers={
            "effective_line": """
def effective_line(model):
    with torch.no_grad():
        b = model(torch.zeros(1, 2)).item()
        w = model(torch.eye(2)).flatten() - b
    return w, b
"""
        },
    ),
    Alternative(
        "line with columns, in torch, gradients attached",
        answers={
            "effective_line": """
def effective_line(model):
    total, shift = torch.eye(2), torch.zeros(2)
    for layer in model:
        total, shift = layer.weight @ total, layer.weight @ shift + layer.bias
    return total.reshape(-1), shift[0]
"""
        },
    ),
    Alternative(
        "line by the collapse of exercise 2",
        answers={
            "effective_line": """
def effective_line(model):
    with torch.no_grad():
        W, b = collapse([p.weight.T.numpy() for p in model], [p.bias.numpy() for p in model])
    return W.ravel().tolist(), float(b[0])
"""
        },
    ),
    # merged_parameters
    Alternative(
        "merged count by the function of exercise 3",
        answers={
            "merged_parameters": "merged_parameters = count_parameters([64, 96]) + count_parameters([96, 10])"
        },
    ),
    Alternative(
        "merged count from a model",
        answers={
            "merged_parameters": """
merged = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 10))
merged_parameters = torch.tensor([p.numel() for p in merged.parameters()]).sum()
"""
        },
    ),
]

MUTANTS = [
    # forward
    Mutant(
        "forward without the biases",
        answers={
            "forward": """
def forward(X, weights, biases):
    for W in weights:
        X = X @ W
    return X
"""
        },
        loses={"forward_one_layer", "forward_stack"},
        says=["returned [[1, 7], [0, -2]], expected [[2, -3], [1, -12]]", "add the bias"],
    ),
    Mutant(
        "forward with a ReLU after each layer",
        answers={
            "forward": """
def forward(X, weights, biases):
    for W, b in zip(weights, biases):
        X = np.maximum(X @ W + b, 0)
    return X
"""
        },
        loses={"forward_one_layer", "forward_stack"},
        says=["there is no activation here"],
    ),
    Mutant(
        "every layer reads the inputs",
        answers={
            "forward": """
def forward(X, weights, biases):
    for W, b in zip(weights, biases):
        out = X @ W + b
    return out
"""
        },
        loses={"forward_stack"},
        says=["raised ValueError", "in your line 3", "each layer takes what the layer before it"],
    ),
    Mutant(
        "weights the other way round",
        answers={
            "forward": """
def forward(X, weights, biases):
    for W, b in zip(weights, biases):
        X = X @ W.T + b
    return X
"""
        },
        loses={"forward_one_layer", "forward_stack"},
        says=["returned [[8, -6], [-2, -12]], expected [[2, -3], [1, -12]]"],
    ),
    Mutant(
        "forward with the bias added first",
        answers={
            "forward": """
def forward(X, weights, biases):
    for W, b in zip(weights, biases):
        X = (X + b) @ W
    return X
"""
        },
        loses={"forward_one_layer", "forward_stack"},
        says=["multiply the rows by the matrix, add the bias"],
    ),
    Mutant(
        "forward takes the lists apart",
        answers={
            "forward": """
def forward(X, weights, biases):
    for k in range(len(weights)):
        X = X @ weights[k]
        X += biases[k]
        biases[k] *= 0
    return X
"""
        },
        loses={"forward_stack"},
        says=["changed its input `biases` in place"],
    ),
    Mutant(
        "forward prints its result",
        answers={
            "forward": """
def forward(X, weights, biases):
    for W, b in zip(weights, biases):
        X = X @ W + b
    print(X)
"""
        },
        loses={"forward_one_layer", "forward_stack"},
        says=["but returned None: use `return`"],
    ),
    Mutant(
        "forward stops after its first layer",
        answers={
            "forward": """
def forward(X, weights, biases):
    for W, b in zip(weights, biases):
        X = X @ W + b
        return X
"""
        },
        loses={"forward_stack"},
        says=["shape (1, 3), expected (1, 1)"],
    ),
    Mutant(
        "forward knows the visible examples by heart",
        answers={
            "forward": """
def forward(X, weights, biases):
    return [[2, -3], [1, -12]] if len(weights) == 1 else [[16]]
"""
        },
        loses={"forward_one_layer", "forward_stack"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # collapse
    Mutant(
        "product in the wrong order",
        answers={
            "collapse": """
def collapse(weights, biases):
    W, b = weights[0], biases[0]
    for next_W, next_b in zip(weights[1:], biases[1:]):
        b = b @ next_W + next_b
        W = next_W @ W
    return W, b
"""
        },
        loses={"collapse_weights", "collapse_bias"},
        says=["with inputs as rows the first layer stands on the left", "`W` is wrong"],
    ),
    Mutant(
        "only the last bias",
        answers={
            "collapse": """
def collapse(weights, biases):
    W = weights[0]
    for M in weights[1:]:
        W = W @ M
    return W, biases[-1]
"""
        },
        loses={"collapse_bias"},
        says=["`b` is wrong: got [10], expected [13]"],
    ),
    Mutant(
        "biases added without carrying them",
        answers={
            "collapse": """
def collapse(weights, biases):
    W = weights[0]
    for M in weights[1:]:
        W = W @ M
    return W, biases[-1] + sum(b.sum() for b in biases[:-1])
"""
        },
        loses={"collapse_bias"},
        says=["`b` is wrong: got [11], expected [13]"],
    ),
    Mutant(
        "each bias carried through the next layer only",
        answers={
            "collapse": """
def collapse(weights, biases):
    W = weights[0]
    for M in weights[1:]:
        W = W @ M
    b = biases[-1]
    if len(biases) > 1:
        b = b + biases[-2] @ weights[-1]
    return W, b
"""
        },
        loses={"collapse_bias"},
        says=["passes through all layers after its own"],
    ),
    Mutant(
        "all widths taken as equal to the first",
        answers={
            "collapse": """
def collapse(weights, biases):
    n = len(weights[0])
    W, b = np.eye(n), np.zeros(n)
    for M, v in zip(weights, biases):
        W, b = W @ M, b @ M + v
    return W[:, :n], b[:n]
"""
        },
        loses={"collapse_weights", "collapse_bias"},
        says=["the widths need not be equal", "three layers"],
    ),
    Mutant(
        "entry by entry in place of a matrix product",
        answers={
            "collapse": """
def collapse(weights, biases):
    W, b = weights[0], biases[0]
    for M, v in zip(weights[1:], biases[1:]):
        W, b = W * M, b @ M + v
    return W, b
"""
        },
        loses={"collapse_weights", "collapse_bias"},
        says=["raised ValueError", "W, b = W * M"],
    ),
    Mutant(
        "adds into the last bias",
        answers={
            "collapse": """
def collapse(weights, biases):
    W, b = weights[-1], biases[-1]
    for M, v in list(zip(weights, biases))[-2::-1]:
        b += v @ W
        W = M @ W
    return W, b
"""
        },
        loses={"collapse_bias"},
        says=["changed its input `biases` in place"],
    ),
    Mutant(
        "only the matrix returned",
        answers={
            "collapse": """
def collapse(weights, biases):
    W = weights[0]
    for M in weights[1:]:
        W = W @ M
    return W
"""
        },
        loses={"collapse_weights", "collapse_bias"},
        says=["expected 2 results: W, b"],
    ),
    Mutant(
        "collapse knows the visible examples by heart",
        answers={
            "collapse": """
def collapse(weights, biases):
    if len(biases[0]) == 3:
        return [[1, 7], [2, 3]], [0, 0]
    return [[5]], [13]
"""
        },
        loses={"collapse_weights", "collapse_bias"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # count_parameters
    Mutant(
        "biases forgotten",
        answers={
            "count_parameters": """
def count_parameters(sizes):
    return sum(m * n for m, n in zip(sizes[:-1], sizes[1:]))
"""
        },
        loses={"count_one_layer", "count_stack"},
        says=["returned 4, expected 6", "returned 9, expected 13"],
    ),
    Mutant(
        "one bias for each input",
        answers={
            "count_parameters": """
def count_parameters(sizes):
    return sum(m * n + m for m, n in zip(sizes[:-1], sizes[1:]))
"""
        },
        loses={"count_one_layer", "count_stack"},
        says=["a bias belongs to a unit of the layer"],
    ),
    Mutant(
        "one bias for each layer",
        answers={
            "count_parameters": """
def count_parameters(sizes):
    return sum(m * n + 1 for m, n in zip(sizes[:-1], sizes[1:]))
"""
        },
        loses={"count_one_layer", "count_stack"},
        says=["returned 5, expected 6"],
    ),
    Mutant(
        "sizes added in place of multiplied",
        answers={
            "count_parameters": """
def count_parameters(sizes):
    return sum(m + n for m, n in zip(sizes[:-1], sizes[1:]))
"""
        },
        loses={"count_one_layer", "count_stack"},
        says=["returned 4, expected 6"],
    ),
    Mutant(
        "the inputs counted as units with a bias",
        answers={
            "count_parameters": """
def count_parameters(sizes):
    return sum(m * n for m, n in zip(sizes[:-1], sizes[1:])) + sum(sizes)
"""
        },
        loses={"count_one_layer", "count_stack"},
        says=["the inputs themselves have no parameters"],
    ),
    Mutant(
        "the last layer left out",
        answers={
            "count_parameters": """
def count_parameters(sizes):
    total = 0
    for i in range(len(sizes) - 2):
        total += sizes[i] * sizes[i + 1] + sizes[i + 1]
    return total
"""
        },
        loses={"count_one_layer", "count_stack"},
        says=["returned 9, expected 13"],
    ),
    Mutant(
        "count knows the visible examples by heart",
        answers={
            "count_parameters": """
def count_parameters(sizes):
    return 6 if len(sizes) == 2 else 13
"""
        },
        loses={"count_one_layer", "count_stack"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # map_rank
    Mutant(
        "rank read off the smallest width",
        answers={
            "map_rank": """
def map_rank(weights):
    return min(min(W.shape) for W in weights)
"""
        },
        loses={"rank_product"},
        says=["returned 2, expected 1", "the rank of a product can be smaller"],
    ),
    Mutant(
        "the smallest rank of the factors",
        answers={
            "map_rank": """
def map_rank(weights):
    return min(np.linalg.matrix_rank(W) for W in weights)
"""
        },
        loses={"rank_product"},
        says=["than the rank of each factor"],
    ),
    Mutant(
        "every singular value above zero counts",
        answers={
            "map_rank": """
def map_rank(weights):
    W = weights[0]
    for M in weights[1:]:
        W = W @ M
    return int((np.linalg.svd(W, compute_uv=False) > 0).sum())
"""
        },
        loses={"rank_bottleneck"},
        says=["rounding leaves numbers near 1e-16"],
    ),
    Mutant(
        "singular values compared with a fixed number",
        answers={
            "map_rank": """
def map_rank(weights):
    W = weights[0]
    for M in weights[1:]:
        W = W @ M
    return int((np.linalg.svd(W, compute_uv=False) > 1e-10).sum())
"""
        },
        loses={"rank_product"},
        says=["compare with the largest singular value, not with a fixed number"],
    ),
    Mutant(
        "rank of the first matrix",
        answers={
            "map_rank": "def map_rank(weights):\n    return np.linalg.matrix_rank(weights[0])"
        },
        loses={"rank_bottleneck", "rank_product"},
        says=["take the rank of the product of all matrices"],
    ),
    Mutant(
        "the singular values themselves",
        answers={
            "map_rank": """
def map_rank(weights):
    W = weights[0]
    for M in weights[1:]:
        W = W @ M
    s = np.linalg.svd(W, compute_uv=False)
    return s > 1e-10 * s[0]
"""
        },
        loses={"rank_bottleneck", "rank_product"},
        says=["expected a single number"],
    ),
    Mutant(
        "rank knows the visible examples by heart",
        answers={
            "map_rank": """
def map_rank(weights):
    if len(weights) == 2:
        return 2
    return 3 if weights[0].shape == (3, 3) else 1
"""
        },
        loses={"rank_bottleneck", "rank_product"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # additivity_gap
    Mutant(
        "f(0) forgotten",
        answers={
            "additivity_gap": """
def additivity_gap(f, a, b):
    return np.abs(f(a) + f(b) - f(a + b)).max()
"""
        },
        loses={"gap_affine", "gap_bent"},
        says=["f(0) is the bias"],
    ),
    Mutant(
        "no absolute value",
        answers={
            "additivity_gap": """
def additivity_gap(f, a, b):
    return (f(a) + f(b) - f(np.zeros_like(a)) - f(a + b)).max()
"""
        },
        loses={"gap_bent"},
        says=["since a gap can be negative"],
    ),
    Mutant(
        "the mean gap",
        answers={
            "additivity_gap": """
def additivity_gap(f, a, b):
    return np.abs(f(a) + f(b) - f(np.zeros_like(a)) - f(a + b)).mean()
"""
        },
        loses={"gap_bent"},
        says=["the largest gap counts"],
    ),
    Mutant(
        "gap in the first row only",
        answers={
            "additivity_gap": """
def additivity_gap(f, a, b):
    return np.abs(f(a) + f(b) - f(np.zeros_like(a)) - f(a + b))[0].max()
"""
        },
        loses={"gap_bent"},
        says=["over all rows and all outputs"],
    ),
    Mutant(
        "f(0) with the wrong sign",
        answers={
            "additivity_gap": """
def additivity_gap(f, a, b):
    return np.abs(f(a) + f(b) + f(np.zeros_like(a)) - f(a + b)).max()
"""
        },
        loses={"gap_affine", "gap_bent"},
        says=["hidden case: an affine layer with a large bias"],
    ),
    Mutant(
        "a plain yes or no",
        answers={
            "additivity_gap": """
def additivity_gap(f, a, b):
    return np.allclose(f(a) + f(b) - f(np.zeros_like(a)), f(a + b))
"""
        },
        loses={"gap_affine", "gap_bent"},
        says=["returned True or False, expected numbers"],
    ),
    Mutant(
        "gap knows the visible examples by heart",
        answers={
            "additivity_gap": """
def additivity_gap(f, a, b):
    return 2 if len(a) == 1 else 0
"""
        },
        loses={"gap_bent"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # missing_activations
    Mutant(
        "only direct neighbours",
        answers={
            "missing_activations": """
def missing_activations(model):
    return [
        (i, i + 1)
        for i in range(len(model) - 1)
        if isinstance(model[i], nn.Linear) and isinstance(model[i + 1], nn.Linear)
    ]
"""
        },
        loses={"missing_through"},
        says=["returned []; this should hold: the list is [(0, 2)]", "look past any number"],
    ),
    Mutant(
        "looks past one module at most",
        answers={
            "missing_activations": """
def missing_activations(model):
    transparent = (nn.Identity, nn.Flatten, nn.Dropout)
    pairs = []
    for i in range(len(model) - 1):
        j = i + 1
        if isinstance(model[j], transparent) and j + 1 < len(model):
            j += 1
        if isinstance(model[i], nn.Linear) and isinstance(model[j], nn.Linear):
            pairs.append((i, j))
    return pairs
"""
        },
        loses={"missing_through"},
        says=["several transparent modules in a row", "any number of transparent modules"],
    ),
    Mutant(
        "only ReLU counts as an activation",
        answers={
            "missing_activations": """
def missing_activations(model):
    pairs, last = [], None
    for i, part in enumerate(model):
        if isinstance(part, nn.Linear):
            if last is not None:
                pairs.append((last, i))
            last = i
        elif isinstance(part, nn.ReLU):
            last = None
    return pairs
"""
        },
        loses={"missing_adjacent", "missing_through"},
        says=["activations other than ReLU", "neither linear nor transparent is an activation"],
    ),
    Mutant(
        "a layer belongs to one pair at most",
        answers={
            "missing_activations": """
def missing_activations(model):
    transparent = (nn.Identity, nn.Flatten, nn.Dropout)
    pairs, last = [], None
    for i, part in enumerate(model):
        if isinstance(part, nn.Linear):
            if last is not None:
                pairs.append((last, i))
                last = None
            else:
                last = i
        elif not isinstance(part, transparent):
            last = None
    return pairs
"""
        },
        loses={"missing_adjacent"},
        says=["a layer can belong to two pairs"],
    ),
    Mutant(
        "looks only at the module before a layer",
        answers={
            "missing_activations": """
def missing_activations(model):
    transparent = (nn.Identity, nn.Flatten, nn.Dropout)
    pairs, last = [], None
    for i, part in enumerate(model):
        if isinstance(part, nn.Linear):
            if last is not None and isinstance(model[i - 1], (nn.Linear, *transparent)):
                pairs.append((last, i))
            last = i
    return pairs
"""
        },
        loses={"missing_through"},
        says=["whether dropout stands before or after it"],
    ),
    Mutant(
        "positions of the second layers only",
        answers={
            "missing_activations": """
def missing_activations(model):
    transparent = (nn.Identity, nn.Flatten, nn.Dropout)
    found, last = [], None
    for i, part in enumerate(model):
        if isinstance(part, nn.Linear):
            if last is not None:
                found.append(i)
            last = i
        elif not isinstance(part, transparent):
            last = None
    return found
"""
        },
        loses={"missing_adjacent", "missing_through"},
        says=["returned [3]; this should hold: the list is [(2, 3)]"],
    ),
    Mutant(
        "returns from inside the loop",
        answers={
            "missing_activations": """
def missing_activations(model):
    transparent = (nn.Identity, nn.Flatten, nn.Dropout)
    pairs, last = [], None
    for i, part in enumerate(model):
        if isinstance(part, nn.Linear):
            if last is not None:
                pairs.append((last, i))
                return pairs
            last = i
        elif not isinstance(part, transparent):
            last = None
"""
        },
        loses={"missing_adjacent", "missing_through"},
        says=["returned None: is a `return` missing?"],
    ),
    Mutant(
        "missing knows the visible examples by heart",
        answers={
            "missing_activations": """
def missing_activations(model):
    if len(model) == 4:
        return [(2, 3)]
    return [] if isinstance(model[1], nn.ReLU) else [(0, 2)]
"""
        },
        loses={"missing_adjacent", "missing_through"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # effective_line
    Mutant(
        "weights not transposed",
        answers={
            "effective_line": """
def effective_line(model):
    W, b = np.eye(2), np.zeros(2)
    for layer in model:
        matrix = layer.weight.detach().numpy()
        W, b = W @ matrix, b @ matrix + layer.bias.detach().numpy()
    return W[:, 0], b[0]
"""
        },
        loses={"line_one_layer", "line_stack"},
        says=["raised ValueError", "in your line 5"],
    ),
    Mutant(
        "square weights not transposed",
        answers={
            "effective_line": """
def effective_line(model):
    W, b = np.eye(2), np.zeros(2)
    for layer in model:
        matrix = layer.weight.detach().numpy()
        if matrix.shape[0] != W.shape[1]:
            matrix = matrix.T
        W, b = W @ matrix, b @ matrix + layer.bias.detach().numpy()
    return W[:, 0], b[0]
"""
        },
        loses={"line_stack"},
        says=["a square weight fits either way round: is it transposed?"],
    ),
    Mutant(
        "w left as a matrix",
        answers={
            "effective_line": """
def effective_line(model):
    total, shift = torch.eye(2), torch.zeros(2)
    for layer in model:
        total, shift = layer.weight @ total, layer.weight @ shift + layer.bias
    return total, shift
"""
        },
        loses={"line_one_layer", "line_stack"},
        says=["`w` is wrong: shape (1, 2), expected (2,)", "expected a single number"],
    ),
    Mutant(
        "gradients not detached",
        answers={
            "effective_line": """
def effective_line(model):
    W, b = np.eye(2), np.zeros(2)
    for layer in model:
        matrix = layer.weight.numpy().T
        W, b = W @ matrix, b @ matrix + layer.bias.numpy()
    return W[:, 0], b[0]
"""
        },
        loses={"line_one_layer", "line_stack"},
        says=["raised RuntimeError", "detach().numpy()"],
    ),
    Mutant(
        "biases of a model added up",
        answers={
            "effective_line": """
def effective_line(model):
    W, b = np.eye(2), 0.0
    for layer in model:
        W = W @ layer.weight.detach().numpy().T
        b += layer.bias.detach().numpy().sum()
    return W[:, 0], b
"""
        },
        loses={"line_stack"},
        says=["`b` is wrong: got 11, expected 13"],
    ),
    Mutant(
        "only the last bias of a model",
        answers={
            "effective_line": """
def effective_line(model):
    W = np.eye(2)
    for layer in model:
        W = W @ layer.weight.detach().numpy().T
    return W[:, 0], layer.bias.item()
"""
        },
        loses={"line_stack"},
        says=["`b` is wrong: got 10, expected 13"],
    ),
    Mutant(
        "line knows the visible examples by heart",
        answers={
            "effective_line": """
def effective_line(model):
    return ([2, -1], 3) if len(model) == 1 else ([4, 5], 13)
"""
        },
        loses={"line_one_layer", "line_stack"},
        says=["hidden case"],
        memorises_visible=True,
    ),
    # merged_parameters
    Mutant(
        "nothing merged",
        answers={
            "merged_parameters": """
merged_parameters = sum(p.numel() for p in long_model.parameters())
"""
        },
        loses={"merged_count"},
        says=["merge up to the ReLU"],
    ),
    Mutant(
        "merged across the ReLU",
        answers={"merged_parameters": "merged_parameters = count_parameters([64, 10])"},
        loses={"merged_count"},
        says=["hidden case: the number of parameters"],
    ),
    Mutant(
        "Identity taken for an activation",
        answers={"merged_parameters": "merged_parameters = count_parameters([64, 96, 32, 10])"},
        loses={"merged_count"},
        says=["separately after it"],
    ),
    Mutant(
        "weights of the merged model only",
        answers={"merged_parameters": "merged_parameters = 64 * 96 + 96 * 10"},
        loses={"merged_count"},
        says=["count weights and biases of what remains"],
    ),
    Mutant(
        "the sizes in place of their number of parameters",
        answers={"merged_parameters": "merged_parameters = [64, 96, 10]"},
        loses={"merged_count"},
        says=["expected a whole number, got [64, 96, 10]"],
    ),
    Mutant(
        "any number, since the visible case asks for a whole one",
        answers={"merged_parameters": "merged_parameters = 1"},
        loses={"merged_count"},
        says=["hidden case"],
        memorises_visible=True,
    ),
]

FIGURES = [
    Figure("parameters of ten layers", text="2,307", value="count_parameters([4, *[16] * 9, 3])"),
    Figure("parameters of the one layer", text="15 numbers", value="W_flat.size + b_flat.size"),
    Figure(
        "redundant parameters",
        text="2,292",
        value="count_parameters([4, *[16] * 9, 3]) - count_parameters([4, 3])",
    ),
    Figure("relative difference", text="1e-12", value="float(difference)", upper=True),
    Figure("rank of the ten layers", text="has rank 3", value="map_rank(weights)"),
    Figure("parameters of the stack", text="105", value="count_parameters([2, 8, 8, 1])"),
    Figure(
        "parameters of logistic regression",
        text="regression has 3",
        value="count_parameters([2, 1])",
    ),
    Figure("angle between the lines", text="1 degree", value="float(angle)", upper=True),
    Figure("difference of the probabilities", text="0.01", value="apart", upper=True),
    Figure(
        "best network with a sigmoid at the end",
        text="more than 3 points",
        value="int(only_at_the_end.nonzero()[0].max())",
    ),
    Figure(
        "best network with ReLU between",
        text="get all 4",
        value="int(also_between.nonzero()[0].max())",
    ),
]
