/** `ballast doctor`: checks everything that a first start can fail at, without placing or changing anything. */
import { existsSync } from "node:fs";
import { atStart } from "../control/agent-settings.ts";
import { universeProblem } from "../control/universe.ts";
import { consentVenue } from "../control/consent-gap.ts";
import { type DoctorCheck, type Checked, runChecks, fail, pass, skip } from "../doctor/check.ts";
import { modelChecks } from "../doctor/model-checks.ts";
import { MODEL_SETTINGS_NEXT } from "../causes/model-causes.ts";
import { placeChecks } from "../doctor/place-checks.ts";
import { venueChecks } from "../doctor/venue-checks.ts";
import { type Environment, readEnvironment } from "../control/environment.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { OWN_PROMPTS_DIR, PROMPTS_DIR } from "../ops/paths.ts";
import { journalPath } from "../ops/run-file.ts";
import { loadStrategies } from "../control/strategies.ts";
import { serviceAt, venueKind } from "../daemon/venue-access.ts";
import { loadConfig } from "../control/watch-config.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import { seededEntropy } from "../core/entropy.ts";
import { type Env, timedIds } from "../core/ids.ts";
import { silentLog } from "../core/log.ts";
import { redactor, Secret } from "../core/secret.ts";
import { homeExchange } from "../domain/symbol.ts";
import type { DoctorOptions } from "../faces/cli/doctor-command.ts";
import { openJournal } from "../journal/journal.ts";
import { spendLedger } from "../journal/spend-ledger.ts";
import { createModelGateway } from "../llm/gateway/gateway.ts";
import { createModelList } from "../llm/gateway/model-list.ts";
import type { SpendLedgerStore } from "../llm/contract/port.ts";
import { loadPrompts } from "../llm/prompts/prompts.ts";

/** Checks, and how to close their resources. */
interface Opened {
  readonly checks: readonly DoctorCheck[];
  close(): Promise<void>;
}

const settled = (id: string, title: string, run: DoctorCheck["run"]): Opened => ({
  checks: [{ id, title, run }],
  close: () => Promise.resolve(),
});

/** Exit code 0 without a FAIL, else 1. */
export async function doctorProgram(options: DoctorOptions): Promise<number> {
  const { dataDir } = options;
  const given = dataDir === undefined ? {} : { BALLAST_DATA_DIR: dataDir, BALLAST_DATA_DIR_FILE: undefined };
  const read = readEnvironment({ ...process.env, ...given });
  const loaded = loadConfig(options.config);
  const environment = read.ok ? read.value : null;
  const clock = systemClock();
  const config = loaded.ok ? atStart(loaded.value, clock.nowMs()) : null;
  const entropy = seededEntropy(`${process.pid}:${clock.nowMs()}`);
  const env: Env = { clock, entropy, ids: timedIds(clock.nowMs, entropy) };
  const opened: Opened[] = [
    settled("environment", "environment", () =>
      read.ok ? pass(environmentText(read.value)) : fail(read.error.join("; "), "correct the environment variable"),
    ),
    settled("config", "configuration", () => {
      if (!loaded.ok) return fail(loaded.error.join("; "), `see ballast config check ${options.config}`);
      const problem = environment && universeProblem(loaded.value, environment.exchanges);
      return problem ? fail(problem, "see `ballast config check`") : pass(`${options.config} is good`);
    }),
  ];
  if (environment && config) {
    const venue = consentVenue(config.venue.kind, environment.service?.restUrl ?? null);
    opened.push({ checks: placeChecks(config, environment, venue), close: () => Promise.resolve() });
    opened.push(openVenueChecks(env, config, environment), await openModelChecks(env, config, environment));
  }
  const secrets = [environment?.service?.accessKey, environment?.service?.secretKey, environment?.aiKey];
  const clean = redactor(secrets.filter((secret): secret is Secret => !!secret));
  const all = opened.flatMap(({ checks }) => checks);
  let done = 0;
  const progress = (): void => {
    done += 1;
    if (process.stderr.isTTY)
      process.stderr.write(`\r${done} of ${all.length} checks${done < all.length ? "" : "\r\x1b[K"}`);
  };
  const checked = await runChecks(all, progress);
  for (const { close } of opened) await close();
  const good = !checked.some(({ verdict }) => verdict.result === "FAIL");
  process.stdout.write(clean(options.json ? `${JSON.stringify(asJson(checked, good))}\n` : asText(checked)));
  return good ? EXIT.ok : EXIT.failed;
}

/** Only the configuration says whether the service is needed, and it may be unreadable: what is absent is just named. */
const environmentText = ({ missing }: Environment): string =>
  missing.length === 0 ? "complete" : `readable; not set: ${missing.join(", ")}, which venue.kind service needs`;

const asJson = (checked: readonly Checked[], ok: boolean): object => ({
  ok,
  checks: checked.map(({ id, title, verdict }) => ({ id, title, ...verdict })),
});

const asText = (checked: readonly Checked[]): string =>
  checked
    .map(
      ({ title, verdict }) =>
        `${verdict.result}  ${title}: ${verdict.text}\n${"next" in verdict ? `      ${verdict.next}\n` : ""}`,
    )
    .join("");

function openVenueChecks(env: Env, config: Config, environment: Environment): Opened {
  const kind = venueKind(config, environment);
  if (!kind.ok)
    return settled("keys", "keys of the venue", () =>
      fail(kind.error, "set SVC_API_HOST, SVC_ACCESS_KEY and SVC_SECRET_KEY"),
    );
  const { service, exchanges } = environment;
  if (kind.value === "embedded" || !service)
    return settled("keys", "the venue", () =>
      skip("venue.kind is embedded: the practice venue is created at the start"),
    );
  const venue = serviceAt(service).connect({ env, log: silentLog, exchanges });
  const checks = venueChecks({ venue, address: service.restUrl, exchange: homeExchange(exchanges), config });
  return { checks, close: () => venue.client.close() };
}

async function openModelChecks(env: Env, config: Config, environment: Environment): Promise<Opened> {
  const strategies = await loadStrategies(config);
  const prompts = loadPrompts(PROMPTS_DIR, OWN_PROMPTS_DIR);
  const { aiUrl, aiKey, dataDir } = environment;
  const skipped = (why: string): Opened => settled("model", "the model", () => skip(why));
  if (!strategies.ok || !prompts.ok) return skipped("strategy or prompts do not load");
  if (!strategies.value.chosen.strategy.needsModel) return skipped(`${config.strategy.use} asks no model`);
  if (config.venue.kind === "embedded" && !(aiUrl && aiKey)) return skipped("the practice venue has its own model");
  const apiKey = aiKey ?? new Secret("");
  const { store, booked, close } = ledgerAt(env, dataDir);
  const settings = { ...config.model, aiUrl: aiUrl ?? "" };
  const gateway = createModelGateway({ env, log: silentLog, settings, apiKey, ledger: store, prompts: prompts.value });
  const checked = gateway.check();
  const end = (): Promise<void> => {
    gateway.close();
    close();
    return Promise.resolve();
  };
  if (!checked.ok || !aiUrl)
    return {
      checks: [
        {
          id: "price",
          title: "model",
          run: () => fail(checked.ok ? "no address" : checked.error, MODEL_SETTINGS_NEXT),
        },
      ],
      close: end,
    };
  const list = createModelList(env, aiUrl, apiKey);
  const decisionId = env.ids.next("check");
  const checks = modelChecks({ gateway, list, config, decisionId, address: aiUrl, booked });
  return { checks, close: () => list.close().then(end) };
}

/** The journal, if it exists and no agent holds it; otherwise the question's cost is counted only in this process. */
function ledgerAt(env: Env, dataDir: string): { store: SpendLedgerStore; booked: boolean; close: () => void } {
  const memory = { append: () => undefined, rowsSince: () => [] };
  if (!existsSync(journalPath(dataDir))) return { store: memory, booked: false, close: () => undefined };
  try {
    const runId = env.ids.next("b").slice(2);
    const journal = openJournal({ path: journalPath(dataDir), pid: process.pid, env, runId });
    return { store: spendLedger(journal), booked: true, close: () => journal.close() };
  } catch {
    return { store: memory, booked: false, close: () => undefined };
  }
}
