/** The models that a gateway lists for our key: read when a model is unknown, and by the set-up checks. */
import { fieldOf } from "../../core/record.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { redactor, type Secret } from "../../core/secret.ts";
import { type NetEnv, networkOf } from "../../net/network.ts";

/** `look` reads; `names` returns the last result. */
export interface ModelList {
  /** Never throws; a second call joins the running one. */
  look(): Promise<Result<readonly string[], string>>;
  /** Null before the first read. */
  names(): readonly string[] | null;
  close(): Promise<void>;
}

const BODY_MAX_BYTES = 4 * 1024 * 1024;

/** `aiUrl` is `{ai_url}`; the list is at `/v1/models` below it. */
export function createModelList(env: NetEnv, aiUrl: string, apiKey: Secret): ModelList {
  const http = networkOf(env).http(env.clock, { baseUrl: aiUrl, bodyMaxBytes: BODY_MAX_BYTES });
  const clean = redactor([apiKey]);
  let known: readonly string[] | null = null;
  let running: Promise<Result<readonly string[], string>> | null = null;
  const look = async (): Promise<Result<readonly string[], string>> => {
    // The key is sent in the form of both dialects, because either may serve the list.
    const key = apiKey.reveal();
    const headers = { authorization: `Bearer ${key}`, "x-api-key": key, accept: "application/json" };
    const outcome = await http.send({ method: "GET", path: "/v1/models", headers });
    if (outcome.kind !== "done") return err(clean(outcome.message));
    if (outcome.status !== 200) return err(`HTTP ${outcome.status}`);
    const names = namesIn(outcome.text);
    if (names.ok) known = names.value;
    return names;
  };
  return {
    look: () => {
      running ??= look().finally(() => {
        running = null;
      });
      return running;
    },
    names: () => known,
    close: () => http.close(),
  };
}

/** `data[].id` as documented; also accepts a bare list of names or of objects. */
function namesIn(text: string): Result<readonly string[], string> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return err("the list of models is not JSON");
  }
  const list = [body, fieldOf(body, "data"), fieldOf(body, "models")].find(Array.isArray);
  if (!list) return err("the answer contains no list of models");
  return ok(list.flatMap(nameOf));
}

function nameOf(entry: unknown): readonly string[] {
  if (typeof entry === "string") return [entry];
  return [fieldOf(entry, "id"), fieldOf(entry, "name")].filter((text) => typeof text === "string").slice(0, 1);
}
