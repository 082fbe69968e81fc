import { z } from "zod";
import { parseSymbol } from "../../domain/symbol.ts";
import { endpoint } from "../endpoint.ts";
import { asText, inOrder, lowerCased, renamed, upperCased } from "../normalize.ts";
import { flagMaybe, idMaybe, textMaybe } from "../reply-fields.ts";
import { exchange, flagText, positionSide, SYMBOL_RULE } from "../request-fields.ts";

/** Closes many positions by market orders; returns one row for each. */
export const closeAllPositions = endpoint({
  method: "DELETE",
  path: "/api/v1/trading/positions",
  section: "1 §4.4, §8.1; records §7.4",
  limit: { requests: 1, perMs: 10_000 },
  permission: "trade",
  successStatus: 202,
  normalize: inOrder(
    renamed({ exchange: "exchangeType" }),
    asText("closeAllPos"),
    lowerCased("closeAllPos"),
    upperCased("exchangeType", "symList", "positionSide"),
  ),
  request: z
    .strictObject({
      exchangeType: exchange.optional(),
      /** The text "true". */
      closeAllPos: flagText.optional(),
      /** Comma list of symbols. */
      symList: z
        .string()
        .refine((list) => list.split(",").every((text) => parseSymbol(text.trim()).ok), {
          error: `a comma list, each ${SYMBOL_RULE}`,
        })
        .optional(),
      positionSide: positionSide.optional(),
    })
    .check((context) => {
      if (context.value.closeAllPos === "true" || context.value.symList !== undefined) return;
      const found = context.value.closeAllPos;
      context.issues.push({
        code: "custom",
        input: found,
        path: ["closeAllPos"],
        message: "true, unless symList is given",
      });
    }),
  reply: z.union([
    z.array(
      z.looseObject({
        sym: z.string().min(1),
        positionSide: textMaybe,
        orderId: idMaybe,
        /** "true" or "false" as text. */
        success: flagMaybe,
        errorMsg: textMaybe,
      }),
    ),
    z.looseObject({}),
  ]),
});
