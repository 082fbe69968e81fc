/** Whether the venue takes our key: one signed read of the account. */
import { describeOutcome, type Failed } from "../core/outcome.ts";
import type { VenueClient } from "../domain/venue.ts";
import { fail, pass, type CheckVerdict, warn, within } from "./check.ts";

type Client = Pick<VenueClient, "account" | "trouble">;

/** A refused timestamp and a full rate limit pass by themselves, so they are warnings. */
export const venueAnswers = (client: Client, address: string): Promise<CheckVerdict> =>
  within(asked(client, address), () => unreachable(client, address, "no answer in time"));

async function asked(client: Client, address: string): Promise<CheckVerdict> {
  const outcome = await client.account({ attempts: 2 });
  return outcome.kind === "done" ? pass(`the venue at ${address} accepts the keys`) : refused(client, address, outcome);
}

function refused(client: Client, address: string, outcome: Failed): CheckVerdict {
  const trouble = client.trouble();
  const passing = outcome.kind === "rate-limited" || trouble?.kind === "clock";
  if (passing) return warn(trouble?.sentence ?? describeOutcome(outcome), trouble?.next ?? "wait a little");
  if (outcome.kind === "rejected" && trouble) return fail(trouble.sentence, trouble.next);
  return unreachable(client, address, outcome.message);
}

function unreachable(client: Client, address: string, reason: string): CheckVerdict {
  const trouble = client.trouble();
  return trouble
    ? fail(trouble.sentence, trouble.kind === "server" ? "check SVC_API_HOST and the network" : trouble.next)
    : fail(`the venue at ${address} cannot be used (${reason})`, "check SVC_API_HOST and the network");
}
