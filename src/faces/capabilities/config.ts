/** Settings of this machine's client. A value whose name looks like a secret is never stored. Spec: 3 §4; records §17.12. */
import { z } from "zod";
import { err, ok } from "../../core/result.ts";
import { isSecretName } from "../../core/secret.ts";
import { failure, invalidInput } from "../contract/statuses.ts";
import { capability } from "../contract/capability.ts";
import * as fields from "./fields.ts";

const KIND = "config";
const LISTED_MAX = 1_000;
const key = z
  .string("must be text")
  .regex(/^[A-Za-z][\w.-]{0,60}$/, "must begin with a letter; letters, digits, dots, dashes and underscores")
  .describe(
    "Name of the setting: readOnly, tradingEnabled, maxNotional, candleDir, candleUrl, manifestUrl, or one of your own.",
  );
const shared = { tool: null, outputName: "ConfigResult" } as const;

/** The settings that this machine's client reads. */
const READ = ["readOnly", "tradingEnabled", "maxNotional", "candleDir", "candleUrl", "manifestUrl"];
/** In USDT; every other setting is a word, a path or an address. */
const CEILING = "maxNotional";
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

/** A switch stored under a misspelt name would look effective and do nothing. */
const misspelt = (given: string): string | undefined =>
  READ.find((name) => name !== given && bare(name) === bare(given));

/** Stored as texts in the state folder. An environment variable takes precedence (`client/plug.ts`). */
export const config = [
  capability({
    ...shared,
    id: "config.get",
    command: ["config", "get"],
    summary: "One setting.",
    operationType: "READ",
    riskLevel: "read",
    inputName: "ConfigGetInput",
    input: z.strictObject({ key }),
    output: z.looseObject({ key: z.string(), value: z.string() }),
    example: { key: "readOnly" },
    run: async ({ client }, input) => {
      const found = client.documents.get(KIND, input.key);
      if (!found) return err(failure("NOT_FOUND", "22004", `there is no setting ${input.key}`));
      return ok({ key: input.key, value: found.body });
    },
  }),
  capability({
    ...shared,
    id: "config.set",
    command: ["config", "set"],
    summary: "Store a setting. Secrets belong in the environment.",
    operationType: "DIAGNOSTIC",
    riskLevel: "write-config",
    inputName: "ConfigSetInput",
    input: z.strictObject({ key, value: fields.text("Value, as text.") }),
    output: z.looseObject({ updated: z.array(z.string()) }),
    example: { key: "readOnly", value: "true" },
    run: async ({ client }, input) => {
      const near = misspelt(input.key);
      if (near !== undefined) return err(invalidInput(`config.set: nobody reads ${input.key}, did you mean ${near}?`));
      const unsound = input.key === CEILING ? fields.decimalText(CEILING).safeParse(input.value).error : undefined;
      if (unsound)
        return err(
          invalidInput(`config.set: ${CEILING} ${unsound.issues[0]?.message}, found ${JSON.stringify(input.value)}`),
        );
      const secret = isSecretName(input.key) || client.redact(input.value) !== input.value;
      const body = secret ? "[REDACTED]" : input.value;
      client.documents.put(KIND, { id: input.key, body, atMs: client.env.clock.nowMs() });
      const credentialRef = secret ? "environment" : null;
      return ok({ updated: [input.key], credentialRef });
    },
  }),
  capability({
    ...shared,
    id: "config.unset",
    command: ["config", "unset"],
    summary: "Remove a setting.",
    operationType: "DIAGNOSTIC",
    riskLevel: "write-config",
    inputName: "ConfigUnsetInput",
    input: z.strictObject({ key }),
    output: z.looseObject({ unset: z.array(z.string()) }),
    example: { key: "readOnly" },
    run: async ({ client }, input) => ok({ unset: client.documents.remove(KIND, input.key) ? [input.key] : [] }),
  }),
  capability({
    ...shared,
    id: "config.list",
    command: ["config", "list"],
    summary: "All settings.",
    operationType: "READ",
    riskLevel: "read",
    inputName: "EmptyInput",
    input: z.strictObject({}),
    output: z.looseObject({ entries: z.array(z.unknown()) }),
    run: async ({ client }) =>
      ok({ entries: client.documents.list(KIND, LISTED_MAX).map(({ id, body }) => ({ key: id, value: body })) }),
  }),
];
