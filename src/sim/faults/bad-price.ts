/** Impossible prices: zero, negative, not a number, or off by a factor. Faults M9. */
import { z } from "zod";
import { fault, shareOf } from "./fault.ts";
import { frameMatch, matches } from "./match.ts";

const PRICE_FIELDS: ReadonlySet<string> = new Set([
  "last",
  "bid",
  "ask",
  "price",
  "markpx",
  "indexpx",
  "high24h",
  "low24h",
]);
const BOOK_SIDES: ReadonlySet<string> = new Set(["Bids", "Asks"]);
const KINDS = ["zero", "negative", "nan", "tenfold", "thousandfold", "thirty-percent"] as const;
type Kind = (typeof KINDS)[number];

/** Also damages book levels, but no quantities. Bars are unchanged, because they are rows without field names. */
export const badPrice = fault({
  name: "bad-price",
  group: "market",
  description: "Prices in pushes are zero, negative, not numbers, or off by a factor.",
  params: { kind: z.enum(KINDS).default("tenfold"), ...frameMatch, share: shareOf(0.1) },
  start: (_world, params, entropy) => ({
    hooks: {
      marketFrame: (frame) =>
        matches(params, frame, entropy) ? [{ ...frame, data: spoilt(frame.data, params.kind) }] : [frame],
    },
  }),
});

function spoilt(data: unknown, kind: Kind): unknown {
  if (Array.isArray(data)) return data.map((item) => spoilt(item, kind));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([field, value]: [string, unknown]) => {
      if (PRICE_FIELDS.has(field)) return [field, spoiltPrice(String(value), kind)];
      if (!BOOK_SIDES.has(field) || !Array.isArray(value)) return [field, value];
      return [field, (value as string[][]).map(([price = "0", qty = "0"]) => [spoiltPrice(price, kind), qty])];
    }),
  );
}

function spoiltPrice(price: string, kind: Kind): string {
  switch (kind) {
    case "zero":
      return "0";
    case "negative":
      return `-${price}`;
    case "nan":
      return "NaN";
    case "tenfold":
      return shifted(price, 1);
    case "thousandfold":
      return shifted(price, 3);
    case "thirty-percent":
      return (Number(price) * 1.3).toFixed(2);
  }
}

/** Moves the decimal point to the right. */
function shifted(price: string, places: number): string {
  const [integer = "0", fraction = ""] = price.split(".");
  const digits = fraction.padEnd(places, "0");
  const rest = digits.slice(places);
  const whole = `${integer}${digits.slice(0, places)}`.replace(/^0+(?=\d)/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}
