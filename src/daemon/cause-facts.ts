/** The facts that causes are derived from, as the running parts report them now. */
import type { Agent } from "../agent/shell/agent.ts";
import type { Clock } from "../core/clock.ts";
import type { ModelGateway } from "../llm/contract/port.ts";
import type { Venue } from "../domain/venue.ts";
import type { Streams } from "./streams.ts";
import type { CauseFacts } from "../causes/cause.ts";

export interface CauseSources {
  readonly clock: Clock;
  readonly agent: Agent;
  readonly venue: Venue;
  readonly streams: Streams;
  readonly gateway: ModelGateway;
  /** Whether the venue runs on real time; a practice venue need not. */
  readonly worldTime: boolean;
  /** What the last look at the saved configuration found. */
  readonly savedConfig: { readonly refused: string | null };
}

/** Reads all of them at once; sends nothing. */
export function causeFacts(sources: CauseSources): CauseFacts {
  const { clock, agent, venue, streams, gateway, worldTime, savedConfig } = sources;
  const checked = gateway.check();
  const market = streams.market.health();
  return {
    status: agent.status(clock.nowMs()),
    venue: {
      trouble: venue.client.trouble(),
      clock: worldTime ? venue.clock.offset() : null,
      reasons: {
        market: market.sockets.up < market.sockets.needed ? market.reason : "",
        user: streams.user.health().reason,
        news: streams.news.health().reason,
      },
      refused: market.refused,
      tightened: venue.limits.tightened(),
    },
    model: { ...gateway.budget(), refused: checked.ok ? null : checked.error },
    refusedConfig: savedConfig.refused,
  };
}
