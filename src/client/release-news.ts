/**
 * The release manifest from the address that the operator configured. Without an address nothing is requested. Records
 * §17.12.
 */
import type { Clock } from "../core/clock.ts";
import type { ReleaseNews } from "../faces/contract/client.ts";
import { createHttpClient } from "../net/http.ts";

const TIMEOUT_MS = 3_000;

/** https only, 3 s at most. Failures are reported in `error`. */
export async function fetchReleaseNews(clock: Clock, manifestUrl: string | null): Promise<ReleaseNews> {
  const none = (error: string | null): ReleaseNews => ({ manifestUrl, manifest: null, error });
  if (manifestUrl === null) return none(null);
  if (!URL.canParse(manifestUrl) || new URL(manifestUrl).protocol !== "https:") {
    return none("the manifest address must begin with https://");
  }
  const url = new URL(manifestUrl);
  const http = createHttpClient(clock, { baseUrl: url.origin });
  const heard = await http.send({ method: "GET", path: url.pathname + url.search, headers: {}, timeoutMs: TIMEOUT_MS });
  await http.close();
  if (heard.kind !== "done") return none(heard.message);
  if (heard.status !== 200) return none(`the manifest's server answered HTTP ${heard.status}`);
  try {
    const manifest = JSON.parse(heard.text) as unknown;
    if (manifest !== null && typeof manifest === "object" && !Array.isArray(manifest)) {
      return { manifestUrl, manifest: manifest as Record<string, unknown>, error: null };
    }
  } catch {
    // reported below: invalid JSON and a value that is no object get one message
  }
  return none("the manifest is not a JSON object");
}
