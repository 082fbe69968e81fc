import { type Finding, finding, type History, type Invariant } from "../history.ts";
import type { Frame } from "../outside.ts";
import { accountOf } from "../own-account.ts";
import { matchedFrames } from "../wire-match.ts";

interface Limit {
  readonly requests: number;
  readonly perMs: number;
}

const scarce: Limit = { requests: 1, perMs: 5_000 };
const algo: Limit = { requests: 3, perMs: 50_000 };
const ten: Limit = { requests: 10, perMs: 10_000 };
const stream: Limit = { requests: 1_200, perMs: 60_000 };

/** Document 1 §8.1 and §8.3: requests in any sliding window, per key and call. */
const LIMITS: Readonly<Record<string, Limit>> = {
  "POST /api/v1/trading/order": scarce,
  "PUT /api/v1/trading/order": scarce,
  "DELETE /api/v1/trading/order": scarce,
  "DELETE /api/v1/trading/cancelAll": ten,
  "POST /api/v1/algo/order": algo,
  "PUT /api/v1/algo/order": algo,
  "DELETE /api/v1/algo/order": algo,
  "DELETE /api/v1/algo/cancelAll": ten,
  "DELETE /api/v1/trading/position": ten,
  "DELETE /api/v1/trading/positions": { requests: 1, perMs: 10_000 },
  "POST /api/v1/trading/position/leverage": { requests: 6, perMs: 1_000 },
  "POST /api/v1/trading/account": { requests: 1, perMs: 3_000 },
  place_order: stream,
  replace_order: { requests: 300, perMs: 60_000 },
  cancel_order: stream,
  cancel_orders: stream,
};

/** I10: rate limits of writes by their arrival at the venue; one finding per call. Needs the wire log. */
export const i10: Invariant = {
  id: "I10",
  title: "Limits",
  rule: "No sliding window of writes at the venue exceeds a documented limit, restarts or not. A frame that the transport delivered twice counts once.",
  needs: ["wire log"],
  more: ["venue ledger"],
  unseen: "Reads, sockets and subscriptions are not in the wire log.",
  judge: (history) => {
    const byCall = new Map<string, Frame[]>();
    for (const frame of ownFrames(history)) byCall.set(frame.call, [...(byCall.get(frame.call) ?? []), frame]);
    return [...byCall].flatMap(([call, frames]) => exceeded(call, frames, history.skewMs));
  },
};

function ownFrames(history: History): readonly Frame[] {
  const account = accountOf(history);
  const again = new Set(matchedFrames(history).flatMap((matched) => (matched.again ? [matched.frame] : [])));
  return (history.wire ?? []).filter(
    (frame) => !again.has(frame) && (frame.accountId === null || frame.accountId === account),
  );
}

function exceeded(call: string, frames: readonly Frame[], skewMs: number): readonly Finding[] {
  const limit = LIMITS[call];
  if (!limit) return [];
  const times = frames.map(({ atMs }) => atMs).sort((a, b) => a - b);
  for (const [at, fromMs] of times.entries()) {
    const beyond = times[at + limit.requests];
    // Each arrival time may be off by the skew, so the difference of two by twice the skew.
    if (beyond === undefined || beyond - fromMs >= limit.perMs - 2 * skewMs) continue;
    const count = limit.requests + 1;
    return [
      finding(
        null,
        `${count} of ${call} in ${beyond - fromMs} ms from ${fromMs}, allowed ${limit.requests} in ${limit.perMs}`,
      ),
    ];
  }
  return [];
}
