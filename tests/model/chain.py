"""Drains that start again as a Markov chain, each state followed save by save: a second witness."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from advisor.model.pattern import Pattern
from advisor.model.trajectory import Route, route, working_time


class Chain:
    """States (saves to go, drain ahead or none), each followed save by save: no sums carried on."""

    def __init__(self, p: Pattern, tau: float) -> None:
        self.p, self.job = p, route(p, tau)
        self.hard, self.rate = float(p.hard_rate), float(p.soft_rate + p.hard_rate)
        alive = math.exp(-self.rate * float(p.soft_restart))
        share = float(p.soft_rate) / self.rate
        self.retry = share * alive / (1 - share * (1 - alive))
        self.k = round(float(p.every))
        # Arrival chances; a drain ahead needs those without one, and both those with fewer to go.
        self.free = [0.0] * (self.k + 1)
        self.full = [0.0] * (self.k + 1)
        for n in range(1, self.k + 1):
            self.free[n] = self.settled(n, 0.0)
            self.full[n] = self.settled(n, float(p.pool_lag))

    def settled(self, n: int, drain: float) -> float:
        """Arrival from a restart; interruptions that lead to the same state are a geometric sum."""
        stays, arrives = self.walk(n, drain, local=0.0)
        return arrives / (1 - stays)

    def walk(self, n: int, drain: float, local: float) -> tuple[float, float]:
        """Chances to come back to the state of a restart with n to go, and to arrive."""
        job: Route = self.job
        moments = [0.0]
        lag = local
        for at in range(n):
            now = moments[-1]
            left = np.array([max(drain - now, 0.0)])
            ready = max(now + float(working_time(job, lag, left)[0]), now + lag)
            last = at == n - 1
            if last:
                ready = max(ready, drain)
            moments.append(ready + job.stall + (job.pool_stall if last else 0.0))
            lag = job.local_lag
        copies = [local, *(t + job.local_lag for t in moments[1:-1])]
        cuts = sorted({0.0, moments[-1], *(c for c in [*copies, drain] if 0 < c < moments[-1])})
        stays = arrives = 0.0
        for begin, end in pairwise(cuts):
            chance = math.exp(-self.rate * begin) - math.exp(-self.rate * end)
            newest = sum(c <= begin for c in copies) - 1
            to_go = n - newest
            if newest < 0:
                # No local copy yet: back to the pool copy if it is there, else one save further.
                arrives += chance * self.retry * self.free[n if begin >= drain else 1]
            elif begin >= drain:
                mine = to_go == n and drain == 0 and local == 0
                stays += chance * self.retry if mine else 0.0
                arrives += 0.0 if mine else chance * self.retry * self.free[to_go]
            elif to_go == n and local == 0:
                stays += chance * self.retry
            else:
                arrives += chance * self.retry * self.full[to_go]
        return stays, arrives + math.exp(-self.rate * moments[-1])

    def goodput(self) -> float:
        lag, local = float(self.p.pool_lag), float(self.p.local_lag)
        _, next_save = self.walk(self.k, lag, local) if local else (0.0, self.full[self.k])
        whole, begun = math.exp(-self.rate * lag), math.exp(-self.rate * min(lag, local))
        again = whole / (1 - self.retry * (1 - whole))
        kept = self.retry * (begun - whole) * again + whole
        saves = self.free[self.k] * kept / (1 - next_save)
        restart = math.expm1(self.rate * float(self.p.hard_restart)) / self.rate
        return self.k * self.job.interval * saves / (1 / self.hard + restart)
