/** The submit command of a preview, ready to copy: the submit must repeat every parameter. */
import { CAPABILITIES } from "../capabilities/all.ts";
import type { Capability } from "../contract/capability.ts";
import { NOT_BUSINESS } from "../capabilities/fields.ts";
import { kebab } from "./help.ts";

type Input = Readonly<Record<string, unknown>>;

/** Quoted so that a shell reads back the same text. */
const quoted = (text: string): string =>
  /^[A-Za-z0-9_.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : Array.isArray(value) ? value.join(",") : JSON.stringify(value);

/** Null if the capability previews nothing. `input` is the previewed input, `data` the preview's answer. */
export function submitCommand(capability: Capability, input: Input, data: unknown): string | null {
  const { previewId, confirmation } = (data ?? {}) as { previewId?: unknown; confirmation?: { submitToken?: unknown } };
  if (typeof previewId !== "string" || typeof confirmation?.submitToken !== "string") return null;
  const id = input["targetCapabilityId"] ?? capability.id.replace(/-preview$/, "");
  const target = CAPABILITIES.find((each) => each.id === id && each.previewRequired);
  if (!target) return null;
  const given = Object.entries(input).filter(
    ([name, value]) => !NOT_BUSINESS.has(name) && value !== null && value !== undefined && value !== "",
  );
  const words = [...given, ["previewId", previewId], ["continueConsentId", confirmation.submitToken]] as const;
  return ["svc", ...target.command, ...words.map(([name, value]) => `--${kebab(name)} ${quoted(textOf(value))}`)].join(
    " ",
  );
}
