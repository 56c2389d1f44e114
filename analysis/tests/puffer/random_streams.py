"""Random streams as lists of reports, for comparisons of implementations of the stream rules.

Tests of the query call this module, which must not depend on the rules.
"""

import random


def lives(seed, count):
    """Yields random streams, as lists of seconds, event, buffer and time stalled."""
    draw = random.Random(seed)
    for _ in range(count):
        at, stalled, rows = 0.0, 0.0, [(0.0, "init", 0.0, 0.0)]
        low = 0
        for _ in range(draw.randrange(2, 200)):
            at = round(at + draw.choice([0.25] * 30 + [0.1, 7.99, 8.0, 8.01] * (draw.random() < 0.1)), 3)
            low = max(0, low - 1) or (draw.randrange(100) if draw.random() < 0.02 else 0)
            stalled = round(
                stalled + draw.choice([0] * 20 + [0.25, 0.15, 0.16] + [-0.1] * (draw.random() < 0.05)), 3
            )
            event = draw.choices(["timer", "startup", "rebuffer", "play", "init"], [30, 2, 1, 1, 0.5])[0]
            rows.append(
                (at, event, draw.choice([0, 0.3]) if low else draw.choice([0.31, 5, 5.01, 12]), stalled)
            )
        yield rows
