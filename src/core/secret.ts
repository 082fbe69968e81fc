/**
 * A secret is wrapped so that it prints as a mask in template strings, JSON and inspection. Only `reveal()` returns the text,
 * and only signing and authorization call it.
 */
import { inspect } from "node:util";

/** In a shorter text, eight characters would be much of the secret. */
const SHOWN_FROM_LENGTH = 20;
const ENDS = 4;
const HIDDEN = "***";

/**
 * The first and last four characters of a long secret, nothing of a shorter one, and only the host of an address: the
 * secret of a webhook is its path. Spec: 3 §5, records §17.10, which also shows parts of short secrets.
 */
export function maskText(text: string): string {
  if (text === "") return "";
  if (/^[a-z]+:\/\//i.test(text) && URL.canParse(text)) {
    const { protocol, host } = new URL(text);
    return `${protocol}//${host}/${HIDDEN}`;
  }
  return text.length < SHOWN_FROM_LENGTH ? HIDDEN : `${text.slice(0, ENDS)}${HIDDEN}${text.slice(-ENDS)}`;
}

const SECRET_NAME = /key$|secret|token$|password|passphrase|private/i;
/** A submit token only authorises its preview; a plain `key` is the name of a setting. */
const OPEN_NAMES: ReadonlySet<string> = new Set(["submitToken", "key"]);

/** True for a name under which people keep secrets. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !OPEN_NAMES.has(name);

/** Prints as its mask; `reveal` is only for signing and authorization. */
export class Secret {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  reveal(): string {
    return this.#text;
  }
  get masked(): string {
    return maskText(this.#text);
  }
  toString(): string {
    return this.masked;
  }
  toJSON(): string {
    return this.masked;
  }
  [inspect.custom](): string {
    return `Secret(${this.masked})`;
  }
}

/** Replaces every known secret in a text by its mask. The last line of defence, at every output. */
export function redactor(secrets: readonly Secret[]): (text: string) => string {
  const known = secrets.map((secret) => secret.reveal()).filter((text) => text.length >= 6);
  // A function, because a mask with `$&` in it would put the secret back.
  return (text) => known.reduce((clean, secret) => clean.replaceAll(secret, () => maskText(secret)), text);
}

/** A copy with every text of lists and plain records changed by `mask`; names and all other values stay. */
export function maskTexts<T>(value: T, mask: (text: string) => string): T {
  const copy = (one: unknown): unknown => {
    if (typeof one === "string") return mask(one);
    if (Array.isArray(one)) return one.map(copy);
    if (one === null || typeof one !== "object" || Object.getPrototypeOf(one) !== Object.prototype) return one;
    return Object.fromEntries(Object.entries(one).map(([name, item]) => [name, copy(item)]));
  };
  return copy(value) as T;
}
