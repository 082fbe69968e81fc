/** All control calls, by which an operator or a test acts on the running service. Architecture §7. */
import { z } from "zod";
import { err, ok } from "../../../core/result.ts";
import { parseSpan } from "../../../core/time.ts";
import { ACCOUNT_ROUTES } from "./control-accounts.ts";
import { READ_ROUTES } from "./control-reads.ts";
import { type ControlRoute, nothing, nowOf, route } from "./control-route.ts";

const span = z.string().refine((text) => parseSpan(text) !== null, "a span such as 500ms, 30s, 5m");

const faultRoutes: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "/control/faults",
    description: "Every fault with its parameters, and those that are on.",
    input: nothing,
    run: ({ faults }) =>
      ok({
        active: faults.active(),
        catalogue: faults.catalogue().map(({ name, group, description, paramsSchema }) => ({
          name,
          group,
          description,
          params: paramsSchema,
        })),
      }),
  }),
  route({
    method: "POST",
    path: "/control/faults",
    description: "Switches a fault on, for a span or until it is switched off.",
    input: z.strictObject({
      name: z.string(),
      params: z.record(z.string(), z.unknown()).default({}),
      for: span.optional(),
    }),
    run: ({ faults }, input) => faults.start(input.name, input.params, parseSpan(input.for ?? "")),
  }),
  route({
    method: "DELETE",
    path: "/control/faults",
    description: "Switches a fault off, or all of them when no name is given.",
    input: z.strictObject({ name: z.string().optional() }),
    run: ({ faults }, { name }) => ok({ stopped: faults.stop(name) }),
  }),
];

const marketRoutes: readonly ControlRoute[] = [
  route({
    method: "POST",
    path: "/control/price-path",
    description: 'Moves the price of a symbol ("*" for all) by a fraction of itself over a span.',
    input: z.strictObject({
      symbol: z.string().min(1),
      move: z.number().gt(-0.99).lt(10),
      overMs: z.number().min(0).max(86_400_000).default(1_000),
    }),
    run: ({ world }, { symbol, move, overMs }) =>
      world.pushPrice(symbol, move, overMs) ? ok({}) : err(`the market cannot move ${symbol}`),
  }),
  route({
    method: "POST",
    path: "/control/symbol-state",
    description: "Halts a symbol or makes it live again.",
    input: z.strictObject({ symbol: z.string(), state: z.enum(["live", "halted"]) }),
    run: ({ world }, { symbol, state }) => {
      if (!world.exchange.symbols.some(({ rules }) => rules.symbol === symbol)) return err(`no symbol ${symbol}`);
      world.exchange.market.setState(symbol, state);
      return ok({});
    },
  }),
  route({
    method: "POST",
    path: "/control/news",
    description: "Adds an item to the news feed, for the stream and the queries.",
    input: z.strictObject({
      kind: z.enum(["news", "hot", "featured"]).default("news"),
      title: z.string().nullable().default(null),
      content: z.string().nullable().default(null),
      category: z.number().int().nullable().default(null),
      currencies: z.array(z.string()).nullable().default(null),
      publishTimeMs: z.number().int().nullable().optional(),
    }),
    run: ({ world }, { publishTimeMs, ...injection }) => {
      world.injectNews({ ...injection, ...(publishTimeMs === undefined ? {} : { publishTimeMs }) });
      return ok({});
    },
  }),
];

const POLICIES = ["refuse-always", "refuse-recent", "refuse-while-open", "accept"] as const;
const delay = z.number().min(0).max(600_000).optional();

const ruleRoutes: readonly ControlRoute[] = [
  route({
    method: "POST",
    path: "/control/phase",
    description:
      "Begins a phase: all orders are cancelled, positions closed at the mark, accounts reset to their initial " +
      "capital, history kept, leverage cap and tradable instruments switched. The symbols stay those of the start.",
    input: z.strictObject({ phase: z.union([z.literal(1), z.literal(2)]) }),
    run: (options, { phase }) => {
      options.world.exchange.beginPhase(phase, nowOf(options));
      return ok({ phase });
    },
  }),
  route({
    method: "POST",
    path: "/control/duplicate-policy",
    description: "How a reused clientOrderId is treated.",
    input: z.strictObject({ policy: z.enum(POLICIES) }),
    run: ({ world }, { policy }) => {
      world.exchange.setDuplicatePolicy(policy);
      return ok({});
    },
  }),
  route({
    method: "POST",
    path: "/control/leverage-cap",
    description: "Whether opening orders over the phase's leverage are refused.",
    input: z.strictObject({ enforce: z.boolean() }),
    run: ({ world }, { enforce }) => {
      world.exchange.setEnforceLeverageCap(enforce);
      return ok({});
    },
  }),
  route({
    method: "POST",
    path: "/control/delays",
    description: "How long placing, cancelling and amending take after they were accepted, in milliseconds.",
    input: z.strictObject({ placeMs: delay, cancelMs: delay, amendMs: delay }),
    run: ({ world }, { placeMs, cancelMs, amendMs }) => {
      world.exchange.setDelays({
        ...(placeMs === undefined ? {} : { placeMs }),
        ...(cancelMs === undefined ? {} : { cancelMs }),
        ...(amendMs === undefined ? {} : { amendMs }),
      });
      return ok({});
    },
  }),
];

/** Served on their own port and without keys; participants cannot reach them. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...READ_ROUTES,
  ...faultRoutes,
  ...marketRoutes,
  ...ACCOUNT_ROUTES,
  ...ruleRoutes,
];
