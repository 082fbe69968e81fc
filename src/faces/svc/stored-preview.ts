/** Sessions and previews as the documents hold them: decimals are text there. */
import { z } from "zod";
import { ACTION_KINDS } from "../../desk/action.ts";
import type { AutomationSession } from "../../desk/session.ts";
import type { Preview } from "../../desk/preview.ts";
import type { Order } from "../../domain/order.ts";
import type { Position } from "../../domain/position.ts";
import { DECIMAL } from "../../rows/fields.ts";
import { storedSession } from "../../rows/session.ts";
import { params } from "../../rows/wire-out.ts";
import type { StoredDocument } from "../contract/documents.ts";
import { storedBody } from "../contract/stored-body.ts";

const storedOrder: z.ZodType<Order> = z.object({
  orderId: z.string(),
  clientOrderId: z.string(),
  symbol: z.string(),
  side: z.enum(["BUY", "SELL"]),
  positionSide: z.enum(["LONG", "SHORT", "NONE"]),
  orderType: z.enum(["LIMIT", "MARKET"]),
  timeInForce: z.enum(["GTC", "IOC", "FOK", "GTX"]),
  qty: DECIMAL,
  limitPrice: DECIMAL.nullable(),
  state: z.enum(["NEW", "OPEN", "PARTIALLY_FILLED", "FILLED", "CANCELLED", "REJECTED"]),
  executedQty: DECIMAL,
  avgPrice: DECIMAL,
  fee: DECIMAL,
  reduceOnly: z.boolean(),
  reason: z.string(),
  cancelPending: z.boolean(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});

const storedPosition: z.ZodType<Position> = z.object({
  symbol: z.string(),
  side: z.enum(["LONG", "SHORT"]),
  qty: DECIMAL,
  avgPrice: DECIMAL,
  markPrice: DECIMAL,
  unrealizedPnl: DECIMAL,
  leverage: z.number(),
  liquidationPrice: DECIMAL.nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});

const storedBinding = z.object({
  automationSessionId: z.string(),
  confirmationMode: z.literal("automation-session"),
  expiresAtMs: z.number(),
  maxNotionalPerOrder: DECIMAL,
  maxTotalNotional: DECIMAL,
  usedNotional: DECIMAL,
});

const storedConsent = z.object({
  enabled: z.literal(true),
  confirmationMode: z.literal("automation-preview"),
  scope: z.literal("single-preview"),
  maxNotional: z.string(),
});

const storedPreview: z.ZodType<Preview> = z.object({
  previewId: z.string(),
  capabilityId: z.string(),
  action: z.enum(ACTION_KINDS),
  paramsHash: z.string(),
  businessParams: params(),
  requestSummary: params(),
  riskNotes: z.array(z.string()),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  submitted: z.boolean(),
  status: z.literal("PASS"),
  confirmation: z.object({
    submitToken: z.string(),
    requiredFields: z.tuple([z.literal("previewId"), z.literal("continueConsentId")]),
    instruction: z.string(),
  }),
  runtime: z.string(),
  decisionId: z.string().nullable(),
  automationSession: storedBinding.nullable(),
  automation: storedConsent.nullable(),
  orderReadback: storedOrder.nullable(),
  positionReadback: storedPosition.nullable(),
  countedNotional: DECIMAL,
});

/** Throws an `UnfitDocument`: an operator's consent is read exactly or not at all. */
export const readSession = (found: StoredDocument): AutomationSession =>
  storedBody(storedSession, "automation session", found, "move svc.db away and start another");

/** Throws an `UnfitDocument`. */
export const readPreview = (found: StoredDocument): Preview =>
  storedBody(storedPreview, "preview", found, "preview again");
