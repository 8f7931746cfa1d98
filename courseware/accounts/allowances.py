"""How often somebody may try something within a time. Counted in the site's cache, which all its processes share.

Each try takes one of a fixed number of places, and a place is free again when its time is over. To take a place is one
`add`, which succeeds for one of two at the same moment, so no try goes uncounted.
"""

import hashlib
from dataclasses import dataclass

from django.core.cache import cache
from django.db import OperationalError


@dataclass(frozen=True)
class Allowance:
    """So many tries within so many seconds, for each one that is counted apart."""

    name: str
    tries: int
    seconds: int

    def is_used_up(self, by: str) -> bool:
        """Tell whether nothing is left, without taking anything."""
        return not self._free(by)

    def take(self, by: str) -> bool:
        """Take one try; False if none was left.

        Errors:  OperationalError if the cache stores nothing: nobody may be told that they tried too often
        """
        for place in self._free(by):
            if cache.add(place, 1, self.seconds):
                return True
            if place not in cache:  # nobody else took it: a table without room refuses without a word
                raise OperationalError("tries cannot be counted: the cache stores nothing")
        return False

    def _free(self, by: str) -> list[str]:
        # A key of the cache may hold neither spaces nor control characters, and people type both.
        counted = hashlib.sha256(by.encode("utf-8", errors="replace")).hexdigest()[:32]
        places = [f"tries:{self.name}:{counted}:{number}" for number in range(self.tries)]
        taken = cache.get_many(places)
        return [place for place in places if place not in taken]
