import { type Finding, finding, type Invariant } from "../history.ts";
import type { Frame } from "../outside.ts";

const NAME = /^[A-Za-z][A-Za-z0-9]*$/;
const CLIENT_ID = /^[A-Za-z0-9_-]{1,40}$/;

/** I35: a signed text can be read in only one way; the text is rebuilt from the frames. Needs the wire log. */
export const i35: Invariant = {
  id: "I35",
  title: "Signing",
  rule: "The string that is signed (sorted name=value joined by &) can be read back to the very parameters of the frame: no value holds = or &, none is a list or object, and client order ids keep to their alphabet.",
  needs: ["wire log"],
  more: [],
  unseen: "The signed string itself is not kept by the service; it is made here from the parameters.",
  judge: ({ wire }) => (wire ?? []).flatMap((frame) => problems(frame)),
};

function problems(frame: Frame): readonly Finding[] {
  const say = (what: string): Finding => finding(null, `frame ${frame.seq} (${frame.call}): ${what}`);
  const entries = Object.entries(frame.params);
  const nested = entries.find(([, value]) => typeof value === "object");
  if (nested) return [say(`${nested[0]} is not a plain value`)];
  const plain = entries
    .map(([name, value]): [string, string] => [name, String(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const found: Finding[] = [];
  const strange = plain.find(([name]) => !NAME.test(name));
  if (strange) found.push(say(`the name ${JSON.stringify(strange[0])} is not a parameter name`));
  const text = plain.map(([name, value]) => `${name}=${value}`).join("&");
  const back = text === "" ? [] : text.split("&").map((pair) => pair.split("="));
  const same =
    back.length === plain.length &&
    back.every((pair, at) => pair.length === 2 && pair[0] === plain[at]?.[0] && pair[1] === plain[at]?.[1]);
  if (!same) found.push(say(`${JSON.stringify(text.slice(0, 120))} does not read back to its parameters`));
  const id = frame.params["clientOrderId"];
  if (id !== undefined && !(typeof id === "string" && CLIENT_ID.test(id)))
    found.push(say(`the client order id ${JSON.stringify(id)}`));
  return found;
}
