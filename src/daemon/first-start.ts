/**
 * The first start of a configuration fails if it cannot work: a refused key, an unknown model, a gateway or venue that
 * cannot be reached. Once it has worked, or while a position is held, the same faults only degrade the agent and never
 * stop protection.
 */
import { hashOf } from "../core/hash.ts";
import { createModelList } from "../llm/gateway/model-list.ts";
import type { DaemonSetup, Running } from "./daemon-setup.ts";
import { EXIT } from "../ops/exit-codes.ts";
import type { VenueAccess } from "./venue-access.ts";
import { MODEL_SETTINGS_NEXT } from "../causes/model-causes.ts";
import { modelAnswers } from "../doctor/model-answers.ts";
import { venueAnswers } from "../doctor/venue-answers.ts";
import { configRow, readConfig } from "../rows/config.ts";
import { CHECK_MS, fail, pass, skip, type CheckVerdict, verdictText, within } from "../doctor/check.ts";

/** Why the start ends, with its exit code. */
export interface StartRefusal {
  readonly code: number;
  readonly sentence: string;
}

type Setup = Pick<DaemonSetup, "journal" | "kind" | "config" | "strategies">;

/** Identifies the venue and the models of this run; without secrets, so that a new key does not make a first start. */
const settingsHash = ({ kind, config, strategies }: Setup, access: VenueAccess): string =>
  hashOf([
    kind === "embedded" ? "embedded" : access.restUrl,
    strategies.chosen.strategy.needsModel && ownGateway(access)
      ? [access.aiUrl, config.model.names.map(({ name }) => name)]
      : null,
  ]);

/** True if this configuration has worked in this data folder, or anything was ever sent from it. */
export function hasWorked(setup: Setup, access: VenueAccess): boolean {
  const hash = settingsHash(setup, access);
  const said = setup.journal
    .rows({ kinds: ["config"] })
    .map(readConfig)
    .some((row) => "event" in row && row.event === "worked" && row.of === hash);
  return said || setup.journal.rows({ kinds: ["wire-out"], limit: 1 }).length > 0;
}

/** The practice venue's own gateway always replies. */
const ownGateway = ({ sim, aiUrl }: VenueAccess): boolean => sim?.ready.aiUrl !== aiUrl;

/** Null if the start may continue. Both sides are checked at the same time, with eight seconds each. */
export async function firstStart(
  setup: DaemonSetup,
  running: Pick<Running, "venue" | "gateway">,
  access: VenueAccess,
): Promise<StartRefusal | null> {
  if (hasWorked(setup, access)) return null;
  const [venue, model, held] = await Promise.all([
    setup.kind !== "embedded" ? venueAnswers(running.venue.client, access.restUrl) : pass("embedded"),
    askModel(setup, running, access),
    setup.kind !== "embedded" ? holdsAnything(running) : false,
  ]);
  if (venue.result === "FAIL") return { code: EXIT.venueRefused, sentence: verdictText(venue) };
  // A held position needs its protection more than the strategy needs its model.
  if (model.result === "FAIL" && !held) return { code: EXIT.modelRefused, sentence: verdictText(model) };
  if (venue.result === "PASS" && model.result !== "FAIL" && model.result !== "WARN")
    setup.journal.append(configRow({ event: "worked", of: settingsHash(setup, access) }));
  return null;
}

async function askModel(
  { env, strategies }: DaemonSetup,
  { gateway }: Pick<Running, "gateway">,
  access: VenueAccess,
): Promise<CheckVerdict> {
  if (!strategies.chosen.strategy.needsModel) return skip("the strategy asks no model");
  const checked = gateway.check();
  if (!checked.ok) return fail(checked.error, MODEL_SETTINGS_NEXT);
  if (!ownGateway(access)) return skip("the practice venue's own model answers");
  const list = createModelList(env, access.aiUrl, access.aiKey);
  try {
    return await modelAnswers({ gateway, list, decisionId: env.ids.next("check"), address: access.aiUrl });
  } finally {
    void list.close();
  }
}

/** An unreadable account counts as holding positions. */
const holdsAnything = ({ venue }: Pick<Running, "venue">): Promise<boolean> =>
  within(
    venue.client.positions().then((read) => read.kind !== "done" || read.value.length > 0),
    () => true,
    CHECK_MS,
  );
