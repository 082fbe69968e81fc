/** The recording that an agent keeps in its data folder. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** The folder of its bars, if it has recorded exactly one venue. */
export function ownRecording(dataDir: string): string | null {
  const dir = path.join(dataDir, "recording");
  const venues = existsSync(dir) ? readdirSync(dir) : [];
  const [venue] = venues;
  return venue === undefined || venues.length > 1 ? null : path.join(dir, venue);
}
