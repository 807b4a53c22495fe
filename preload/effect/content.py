"""Seeded words and text: the same on every machine and in every run."""

import random

SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu er an ol in ut".split()


def words(count, seed=7):
    """Distinct made-up words, many with a common prefix."""
    rng = random.Random(seed)
    made = {}
    while len(made) < count:
        made.setdefault("".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))))
    return list(made)


class Text:
    """Sentences and paragraphs of seeded words."""

    def __init__(self, seed, vocabulary=1500):
        self.random = random.Random(seed)
        self.words = words(vocabulary)

    def phrase(self, count):
        return " ".join(self.random.choices(self.words, k=count)).capitalize()

    def between(self, low, high):
        return self.random.randint(low, high)

    def chance(self, probability):
        return self.random.random() < probability
