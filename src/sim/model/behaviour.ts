/** How the practice gateway can misbehave. Each switch is a behaviour that was seen at live gateways. */
import type { Overridable } from "../../core/overridable.ts";
import type { ModelMessage } from "./answer.ts";

/** Read for each call, so a switch applies from the next call on. */
export interface Behaviour {
  /** Added to the time of every answer. */
  readonly extraLatencyMs: number;
  /** The form that the model's text is changed into; "normal" leaves it unchanged. */
  readonly reply: "normal" | "prose" | "garbage" | "cut" | "empty" | "wrong-shape" | "fenced";
  /** Every completion fails with this HTTP status after its latency, uncharged; null for none. */
  readonly failStatus: number | null;
  /** Every completion is refused as over budget. */
  readonly overBudget: boolean;
  readonly rateLimit: boolean;
  /** Every key is treated as expired. */
  readonly expireKey: boolean;
  /** The key report shows the spend of this long ago. */
  readonly staleSpendMs: number;
  /** Completions carry no cost headers. */
  readonly hideCost: boolean;
}

/** The initial behaviour of a gateway, restored when no fault is active. */
export const GOOD_BEHAVIOUR: Behaviour = {
  extraLatencyMs: 0,
  reply: "normal",
  failStatus: null,
  overBudget: false,
  rateLimit: false,
  expireKey: false,
  staleSpendMs: 0,
  hideCost: false,
};

/** Set by faults through `FaultWorld.model`, read by the gateway. */
export type BehaviourBoard = Overridable<Behaviour>;

function spoiltText(text: string, reply: Behaviour["reply"]): string {
  switch (reply) {
    case "normal":
      return text;
    case "prose":
      return "The market looks undecided to me. I would rather wait and see how the next hours go before I commit.";
    case "garbage":
      return `\u0000{]]${text.split("").reverse().join("").slice(0, 200)}`;
    case "cut":
      return text.slice(0, Math.floor(text.length * 0.6));
    case "empty":
      return "";
    case "wrong-shape":
      return JSON.stringify({ answer: { action: "buy", how_much: "a lot" } });
    case "fenced":
      return `Here is my answer:\n\`\`\`json\n${text}\n\`\`\`\nGood luck!`;
  }
}

/** The answer as a misbehaving gateway returns it. */
export function spoil(made: ModelMessage, behaviour: Behaviour): ModelMessage {
  if (behaviour.reply === "normal") return made;
  if (made.tool) return { text: null, tool: { ...made.tool, args: spoiltText(made.tool.args, behaviour.reply) } };
  return { text: spoiltText(made.text ?? "", behaviour.reply), tool: null };
}
