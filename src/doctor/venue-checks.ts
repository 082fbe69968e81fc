/** What the venue says of a set-up. Everything here only reads: nothing is placed or changed. */
import type { Config } from "../config/config.ts";
import { describeOutcome, type Outcome } from "../core/outcome.ts";
import { OPENING_LEVERAGE_MAX } from "../domain/competition.ts";
import type { Venue } from "../domain/venue.ts";
import { universeOf } from "../control/universe.ts";
import { type DoctorCheck, fail, pass, type CheckVerdict, warn } from "./check.ts";
import { venueAnswers } from "./venue-answers.ts";
import { counted } from "../core/words.ts";

/** The venue refuses requests when our clock is further off than this; the agent corrects its own. */
const CLOCK_WARN_MS = 1_000;

export interface VenueAt {
  readonly venue: Pick<Venue, "client" | "clock">;
  readonly address: string;
  readonly exchange: string;
  readonly config: Config;
}

type Client = VenueAt["venue"]["client"];
type VenueRun = () => Promise<CheckVerdict>;

/** The verdict on what was read; a read that failed is a warning, because `keys` says why. */
const judged = <T>(read: Outcome<T>, judge: (value: T) => CheckVerdict): CheckVerdict =>
  read.kind === "done"
    ? judge(read.value)
    : warn(`could not be read (${describeOutcome(read)})`, "see the check of the keys");

export const venueChecks = ({
  venue: { client, clock },
  address,
  exchange,
  config,
}: VenueAt): readonly DoctorCheck[] => {
  const universe = universeOf(config, exchange);
  return [
    { id: "keys", title: "keys of the venue", run: () => venueAnswers(client, address) },
    { id: "clock", title: "clock", run: clockOffset(clock) },
    { id: "position-mode", title: "position mode", run: positionMode(client, exchange) },
    { id: "leverage", title: "leverage", run: leverage(client, universe, OPENING_LEVERAGE_MAX[config.phase]) },
    { id: "universe", title: "symbols", run: liveSymbols(client, universe) },
    { id: "holdings", title: "orders and positions", run: holdings(client) },
  ];
};

const clockOffset =
  (clock: VenueAt["venue"]["clock"]): VenueRun =>
  async () =>
    judged(await clock.measure(), ({ offsetMs, uncertaintyMs }) => {
      const text = `the venue's clock is ${Math.round(offsetMs)} ms from ours, give or take ${Math.round(uncertaintyMs)} ms`;
      return Math.abs(offsetMs) - uncertaintyMs > CLOCK_WARN_MS
        ? warn(text, "set this machine's clock (timedatectl set-ntp true)")
        : pass(text);
    });

const positionMode =
  (client: Client, exchange: string): VenueRun =>
  async () =>
    judged(await client.account(), (accounts) => {
      const own = accounts.find((account) => account.exchange === exchange);
      if (!own) return fail(`the key opens no account on ${exchange}`, "check SVC_EXCHANGES and the key");
      return own.positionMode === null
        ? warn("the venue does not say it", "look at the account at the venue")
        : pass(`${own.positionMode} on ${exchange}`);
    });

const leverage =
  (client: Client, universe: readonly string[], most: number): VenueRun =>
  async () =>
    judged(await client.leverage(), (rows) => {
      const ours = new Set(universe);
      const above = rows.filter((row) => ours.has(row.symbol) && row.leverage > most);
      return above.length === 0
        ? pass(`none above ${most}x`)
        : warn(
            `above ${most}x for ${above.length} symbols, such as ${above[0]?.symbol}`,
            "nothing: the agent lowers it before it opens there",
          );
    });

const liveSymbols =
  (client: Client, universe: readonly string[]): VenueRun =>
  async () =>
    judged(await client.symbolRules(), (rules) => {
      const live = new Set(rules.filter(({ state }) => state === "live").map(({ symbol }) => symbol));
      const missing = universe.filter((symbol) => !live.has(symbol));
      return missing.length === 0
        ? pass(`all ${universe.length} are live`)
        : fail(`not live at the venue: ${missing.slice(0, 5).join(", ")}`, "take them out of universe");
    });

const holdings =
  (client: Client): VenueRun =>
  async () => {
    const [orders, positions] = await Promise.all([client.openOrders(), client.positions()]);
    return judged(orders, (open) =>
      judged(positions, (held) =>
        open.length + held.length === 0
          ? pass("none on the account")
          : warn(
              `${counted(held.length, "position")} and ${counted(open.length, "open order")} on the account`,
              "orders of others stay; decide with strategy.handover what becomes of positions",
            ),
      ),
    );
  };
