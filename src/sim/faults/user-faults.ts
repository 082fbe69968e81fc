/** Faults of the user stream: account pushes lost, doubled or late, logins refused, orders from elsewhere. Faults U1 to U7. */
import { z } from "zod";
import type { Entropy } from "../../core/entropy.ts";
import {
  type AnyFault,
  type Begun,
  cutEveryMs,
  fault,
  type FaultWorld,
  repeated,
  share,
  shareOf,
  spanMs,
} from "./fault.ts";
import type { UserPush } from "./hooks.ts";
import { namedSymbol } from "./match.ts";

type Replace = (push: UserPush) => readonly UserPush[];

/** Replaces a share of the pushes of one channel, or of all for "*". */
const replaced = (channel: string, hit: number, entropy: Entropy, replace: Replace): Begun => ({
  hooks: {
    userPush: (push) =>
      (channel === "*" || channel === push.channel) && entropy.chance("fault:push", hit) ? replace(push) : [push],
  },
});

const anyAccount = z.string().default("*").describe('portfolio id, or "*" for every account');

const accountsOf = ({ exchange }: FaultWorld, accountId: string): readonly string[] =>
  accountId === "*" ? exchange.accountIds() : [accountId];

export const USER_FAULTS: readonly AnyFault[] = [
  // `channel` is one of the user stream, or "*".
  fault({
    name: "push-drop",
    group: "user",
    description: "A share of the account pushes is lost; pongs continue.",
    params: { channel: z.string().default("*"), share: shareOf(0.5) },
    start: (_world, params, entropy) => replaced(params.channel, params.share, entropy, () => []),
  }),
  fault({
    name: "push-duplicate",
    group: "user",
    description: "Account pushes are duplicated.",
    params: { share },
    start: (_world, params, entropy) => replaced("*", params.share, entropy, (push) => [push, push]),
  }),
  // An older state of an order arrives after a newer one. Pushes that are still held at the end of the fault are sent
  // then.
  fault({
    name: "push-reorder",
    group: "user",
    description: "A share of the account pushes is held back, so that later ones overtake them.",
    params: { holdMs: spanMs(1_500), share: shareOf(0.3) },
    start: (world, params, entropy) => {
      const held = new Set<UserPush>();
      const letGo = (push: UserPush): void => {
        if (held.delete(push)) world.releaseUserPush(push);
      };
      const hold = (push: UserPush): readonly UserPush[] => {
        if (!entropy.chance("fault:push", params.share)) return [push];
        held.add(push);
        world.env.clock.after(params.holdMs, () => letGo(push));
        return [];
      };
      return { hooks: { userPush: hold }, stop: () => [...held].forEach(letGo) };
    },
  }),
  // `word` replaces the state. With `bare` the state stays, and only the five guaranteed fields are sent.
  fault({
    name: "unknown-state",
    group: "user",
    description:
      "Orders pushes have an undocumented state, or, with `bare`, their own state and no more than the " +
      "promised fields.",
    params: {
      word: z.string().default("PENDING_REVIEW"),
      share: shareOf(0.3),
      bare: z.boolean().default(false).describe("only the five fields that document 1 promises, the state as it is"),
    },
    start: (_world, { word, share, bare }, entropy) =>
      replaced("Orders", share, entropy, (push) => {
        const { orderId, clientOrderId, orderState, executedQty, executedAvgPrice } = push.data;
        const promised = { orderId, clientOrderId, orderState, executedQty, executedAvgPrice };
        return [{ ...push, data: bare ? promised : { ...push.data, orderState: word } }];
      }),
  }),
  fault({
    name: "sparse-push",
    group: "user",
    description: "Pushes of a channel lack fields that clients may have relied on.",
    params: {
      channel: z.string().default("Orders"),
      fields: z.array(z.string()).default(["updateAt"]).describe("the names of the fields that are left out"),
      share: shareOf(1),
    },
    start: (_world, { channel, fields, share }, entropy) =>
      replaced(channel, share, entropy, (push) => {
        const kept = Object.entries(push.data).filter(([name]) => !fields.includes(name));
        return [{ ...push, data: Object.fromEntries(kept) }];
      }),
  }),
  // Sockets already logged in stay so.
  fault({
    name: "login-refused",
    group: "user",
    description: "Logins on the user stream fail with 601009.",
    params: { message: z.string().default("login failed") },
    start: (_world, { message }) => ({ hooks: { refuseUserLogin: () => message } }),
  }),
  // All sockets at once; clients may reconnect at once.
  fault({
    name: "user-disconnect",
    group: "user",
    description: "User sockets are cut, once or repeatedly; events in between are not replayed.",
    params: { everyMs: cutEveryMs },
    start: (world, { everyMs }) => repeated(world, everyMs, () => world.cutUserSockets()),
  }),
  // If `applied` is true, only the reply is lost, otherwise also the action.
  fault({
    name: "action-lost",
    group: "user",
    description: "Actions on the user stream get no answer, before or after they took effect.",
    params: { applied: z.boolean().default(true), share },
    start: (_world, params, entropy) => {
      const fate = params.applied ? "drop-after-apply" : "drop-before-apply";
      return { hooks: { userAction: () => (entropy.chance("fault:action", params.share) ? fate : null) } };
    },
  }),
  // Stands for a manual order or one of the organiser. Acts once; a refusal by the exchange is not reported.
  fault({
    name: "external-order",
    group: "user",
    description: "Places an order for an account, or for every account, outside its own program.",
    params: {
      accountId: anyAccount,
      symbol: z.string().describe("symbol, or a base such as BTC"),
      side: z.enum(["BUY", "SELL"]).default("BUY"),
      positionSide: z.enum(["LONG", "SHORT", "NONE"]).default("LONG"),
      orderType: z.enum(["MARKET", "LIMIT"]).default("MARKET"),
      orderQty: z.string().default("0.001"),
      limitPrice: z.string().optional(),
      slTriggerPrice: z.string().optional().describe("a stop that comes with its first fill"),
    },
    start: (world, { accountId, symbol: name, ...order }) => {
      const sym = namedSymbol(world, name);
      const nowMs = Math.floor(world.env.clock.nowMs());
      for (const account of accountsOf(world, accountId)) world.exchange.place(account, { sym, ...order }, nowMs);
      return { hooks: {} };
    },
  }),
  // As somebody would do in the exchange's own window. Acts once; a refusal by the exchange is not reported.
  fault({
    name: "external-cancel",
    group: "user",
    description: "Cancels the orders or stops of an account, or closes its positions, outside its own program.",
    params: {
      accountId: anyAccount,
      what: z.enum(["orders", "stops", "positions"]).default("stops").describe("positions are closed at the market"),
    },
    start: (world, { accountId, what }) => {
      const { exchange } = world;
      const nowMs = Math.floor(world.env.clock.nowMs());
      for (const account of accountsOf(world, accountId)) {
        if (what === "orders") exchange.cancelAll(account, {}, nowMs);
        else if (what === "stops") exchange.cancelAllAlgos(account, {}, nowMs);
        else exchange.closeAllPositions(account, { closeAllPos: "true" }, nowMs);
      }
      return { hooks: {} };
    },
  }),
];
