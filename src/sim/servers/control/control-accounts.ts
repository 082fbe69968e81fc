/** Manual changes of accounts and keys: opening, freezing, moving money, trading outside an account's own program. */
import { z } from "zod";
import { dec, toWire } from "../../../core/decimal.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { placeOrder } from "../../../protocol/trading/place-order.ts";
import { describeFault, parseRequest } from "../../../protocol/parse-request.ts";
import { accountOfSeed, accountSchema, type AccountSetup, kycLevel } from "../service/accounts.ts";
import { type ControlRoute, nothing, nowOf, route } from "./control-route.ts";

const accountId = z.string().regex(/^\d{16}$/, "16 digits");

/** Part of `CONTROL_ROUTES`. Refusals of the exchange are returned as "code: message". */
export const ACCOUNT_ROUTES: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "/control/accounts",
    description: "The accounts and their keys. Practice keys only, so the secrets are shown.",
    input: nothing,
    run: ({ keys }) => ok({ keys: keys.all() }),
  }),
  route({
    method: "POST",
    path: "/control/accounts",
    description: "Opens an account. Missing fields are generated. It has no model key of its own.",
    input: accountSchema.omit({ aiKey: true }).partial(),
    run: (options, input) => {
      const serial = options.world.exchange.accountIds().length + 1;
      const made = accountOfSeed(options.entropy.int("control:account", 0, 2 ** 31), serial);
      const account = accountSchema.omit({ aiKey: true }).parse({ ...wireForm(made), ...wireForm(input) });
      if (options.world.exchange.accountIds().includes(account.id)) return err(`account ${account.id} exists`);
      options.openAccount(account);
      return ok({ ...account, initialUsdt: toWire(account.initialUsdt) });
    },
  }),
  route({
    method: "POST",
    path: "/control/freeze",
    description:
      "Freezes an account, or unfreezes it: while it is frozen, every call of its keys answers 100041, reads included.",
    input: z.strictObject({ accountId, frozen: z.boolean().default(true) }),
    run: ({ world }, input) => {
      if (!world.exchange.accountIds().includes(input.accountId)) return err(`no account ${input.accountId}`);
      world.exchange.setFrozen(input.accountId, input.frozen);
      return ok({});
    },
  }),
  route({
    method: "POST",
    path: "/control/keys",
    description: "Makes one API key active, disabled (100018) or frozen (100041).",
    input: z.strictObject({ accessKey: z.string(), status: z.enum(["active", "disabled", "frozen"]) }),
    run: ({ keys }, { accessKey, status }) => {
      const key = keys.find(accessKey);
      if (!key) return err("no such key");
      key.status = status;
      return ok({});
    },
  }),
  route({
    method: "POST",
    path: "/control/kyc",
    description: "Sets the identity level of an account's owner; at 0 the news queries answer 1010.",
    input: z.strictObject({ accountId, level: kycLevel }),
    run: ({ keys }, input) => {
      const own = keys.ofAccount(input.accountId);
      for (const key of own) key.kyc = input.level;
      return own.length > 0 ? ok({}) : err(`account ${input.accountId} has no key`);
    },
  }),
  route({
    method: "POST",
    path: "/control/transfer",
    description: "Moves USDT between the exchange accounts of one portfolio.",
    input: z.strictObject({ accountId, from: z.string(), to: z.string(), amount: z.string() }),
    run: (options, { accountId: id, ...request }) =>
      spoken(options.world.exchange.transfer(id, request, nowOf(options))),
  }),
  route({
    method: "POST",
    path: "/control/order",
    description: "Places an order for an account from outside its own program, like a manual order.",
    input: z.strictObject({ accountId, order: z.record(z.string(), z.string()) }),
    run: (options, { accountId: id, order }) => {
      const asked = parseRequest(placeOrder, order);
      if (!asked.ok) return err(`${asked.error.code}: ${describeFault(asked.error)}`);
      return spoken(options.world.exchange.place(id, asked.value, nowOf(options)));
    },
  }),
];

const spoken = (answer: Result<unknown, { code: number; message: string }>): Result<unknown, string> =>
  answer.ok ? answer : err(`${answer.error.code}: ${answer.error.message}`);

/** Back to the schema's input: amounts as text, absent members left out. */
const wireForm = (account: { readonly [Name in keyof AccountSetup]?: AccountSetup[Name] | undefined }): Record<
  string,
  unknown
> => {
  const { initialUsdt, ...rest } = account;
  const defined = Object.entries(rest).filter(([name, value]) => name !== "aiKey" && value !== undefined);
  return { ...Object.fromEntries(defined), ...(initialUsdt ? { initialUsdt: toWire(dec(initialUsdt)) } : {}) };
};
