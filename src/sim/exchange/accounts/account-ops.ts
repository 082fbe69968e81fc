/** Opening portfolios, moving money between exchange accounts, position mode and leverage. Spec: records §4.3, §5.9, §7.5. */
import { Decimal, toWire, ZERO } from "../../../core/decimal.ts";
import { invariant } from "../../../core/invariant.ts";
import { ok } from "../../../core/result.ts";
import type { VenueResult, OpenAccount } from "../contract/api.ts";
import { Executions } from "../state/executions.ts";
import { valueOf } from "../state/figures.ts";
import { ownAccount } from "../matching/fills.ts";
import { ledgerAccount, move } from "../state/ledger.ts";
import { availableUsdt, heldOf, leverageOf, touch, walletFigures } from "../positions/margin.ts";
import { openingSums } from "../positions/tally.ts";
import { lookAt } from "../state/notes.ts";
import { pushAsset, pushPosition } from "../records/push.ts";
import { badField, readInstrument, readPositive, readWhole, readWord } from "../orders/read-request.ts";
import { refuse } from "../contract/refuse.ts";
import { newScored } from "../records/scored.ts";
import type { RequestOf, Transfer } from "../contract/requests.ts";
import type { Exposure, Portfolio, Wallet, World } from "../state/state.ts";
import { writeStatement } from "../records/statements.ts";

/** A new wallet, not yet in a portfolio. */
export function newWallet(world: World, portfolio: Portfolio, exchange: string, mode: "BOTH" | "NET"): Wallet {
  const usdt = ledgerAccount(world.ledger, `cash/${portfolio.accountId}/${exchange}`, "USDT");
  return {
    portfolio,
    exchange,
    mode,
    usdt,
    coins: new Map([["USDT", usdt]]),
    exposures: new Map(),
    figures: null,
    counterparty: ownAccount(world, exchange, "counterparty"),
    fees: ownAccount(world, exchange, "fees"),
    atRisk: false,
    status: "NORMAL",
    marginCallAtMs: null,
    createdAtMs: world.nowMs,
    updatedAtMs: world.nowMs,
  };
}

/** A new portfolio without wallets, not yet registered. */
export function newPortfolio(world: World, given: OpenAccount): Portfolio {
  return {
    no: world.byOwner.length + 1,
    accountId: given.accountId,
    teamName: given.teamName ?? `team-${world.byOwner.length + 1}`,
    feeTier: given.feeTier ?? "5",
    initialUsdt: given.initialUsdt,
    wallets: new Map(),
    leverage: new Map(),
    orders: [],
    byClientId: new Map(),
    executions: new Executions(),
    statements: [],
    closedPositions: [],
    algos: [],
    liveAlgos: new Set(),
    algosByClientId: new Map(),
    navs: [],
    scored: newScored(0),
    frozen: false,
    eliminatedAtMs: null,
  };
}

/** The venue issues the initial money, which arrives as one MODIFY_ASSET line on the first exchange account. */
function credit(world: World, wallet: Wallet, amount: Decimal): void {
  const from = ledgerAccount(world.ledger, "equity-issue", "USDT");
  const why = { kind: "initial-credit", ref: wallet.portfolio.accountId, atMs: world.nowMs } as const;
  const before = wallet.usdt.balance;
  move(world.ledger, amount, { from, to: wallet.usdt }, why);
  writeStatement(world, wallet, { type: "MODIFY_ASSET", sym: "", before });
  pushAsset(world, wallet);
}

/**
 * The amount with which each exchange account of the portfolio begins the phase; the first also gets the indivisible
 * remainder.
 */
export function initialCredits(world: World, { wallets, initialUsdt }: Portfolio): readonly [Wallet, Decimal][] {
  const all = [...wallets.values()];
  const parts = world.phase === 2 && world.settings.phaseTwoEverywhere ? all.length : 1;
  const part = initialUsdt.div(parts).toDecimalPlaces(2, Decimal.ROUND_DOWN);
  return all.map((wallet, at) => [wallet, at === 0 ? initialUsdt.sub(part.mul(parts - 1)) : at < parts ? part : ZERO]);
}

/** Throws for an invalid or taken id, or an exchange without a symbol: errors of the operator. */
export function openAccount(world: World, given: OpenAccount): void {
  invariant(/^\d{16}$/.test(given.accountId), `an account id has 16 digits, found ${given.accountId}`);
  invariant(!world.portfolios.has(given.accountId), `account ${given.accountId} is already open`);
  invariant(given.exchanges.length > 0, "an account needs an exchange");
  const portfolio = newPortfolio(world, given);
  for (const exchange of given.exchanges) {
    invariant(world.exchanges.includes(exchange), `exchange ${exchange} has no symbol`);
    portfolio.wallets.set(exchange, newWallet(world, portfolio, exchange, given.mode));
  }
  world.portfolios.set(given.accountId, portfolio);
  world.byOwner.push(portfolio);
  for (const [wallet, usdt] of initialCredits(world, portfolio)) if (usdt.gt(0)) credit(world, wallet, usdt);
  portfolio.navs.push({ atMs: world.nowMs, equity: given.initialUsdt });
}

/** The venue issues the insurance fund of each exchange once. */
export function fundInsurance(world: World): void {
  for (const exchange of world.exchanges) {
    const way = {
      from: ledgerAccount(world.ledger, "equity-issue", "USDT"),
      to: ledgerAccount(world.ledger, `insurance/${exchange}`, "USDT"),
    };
    ownAccount(world, exchange, "counterparty");
    const why = { kind: "initial-credit", ref: `insurance/${exchange}`, atMs: world.nowMs } as const;
    move(world.ledger, world.settings.insuranceFundUsdt, way, why);
  }
}

function readWallet(portfolio: Portfolio, field: string, exchange: string): VenueResult<Wallet> {
  const wallet = portfolio.wallets.get(exchange);
  return wallet ? ok(wallet) : badField(field, exchange, [...portfolio.wallets.keys()].join(" or "));
}

/** USDT only. 400001 for an exchange without an account or a bad amount, 401023 for more than is free. */
export function transfer(world: World, portfolio: Portfolio, request: Transfer): VenueResult<null> {
  const from = readWallet(portfolio, "from", request.from);
  if (!from.ok) return from;
  const to = readWallet(portfolio, "to", request.to);
  if (!to.ok) return to;
  const amount = readPositive("amount", request.amount);
  if (!amount.ok) return amount;
  const free = availableUsdt(world, from.value);
  const margin = walletFigures(world, from.value).availableMargin;
  if (amount.value.gt(free) || amount.value.gt(margin)) return refuse(401023, `${toWire(free)} may be moved`);
  const before = [from.value.usdt.balance, to.value.usdt.balance] as const;
  const why = { kind: "transfer", ref: portfolio.accountId, atMs: world.nowMs } as const;
  move(world.ledger, amount.value, { from: from.value.usdt, to: to.value.usdt }, why);
  writeStatement(world, from.value, { type: "TRANSFER", sym: "", before: before[0] });
  writeStatement(world, to.value, { type: "TRANSFER", sym: "", before: before[1] });
  pushAsset(world, from.value);
  pushAsset(world, to.value);
  lookAt(world, from.value);
  return ok(null);
}

/** Open positions, plain orders and algo orders of perpetuals block the change. Spot does not. */
function isBusy(wallet: Wallet): boolean {
  for (const exposure of wallet.exposures.values()) {
    if (exposure.instrument.spot) continue;
    if (exposure.positions.size > 0 || exposure.open.size > 0) return true;
  }
  return [...wallet.portfolio.liveAlgos].some((algo) => algo.exposure.wallet === wallet);
}

/** 406012 while positions or orders are open; setting the current mode has no effect. */
export function setPositionMode(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"setPositionMode">,
): VenueResult<null> {
  const wallet = readWallet(portfolio, "exchange", request.exchange);
  if (!wallet.ok) return wallet;
  const mode = readWord("mode", request.mode, ["BOTH", "NET"]);
  if (!mode.ok) return mode;
  if (mode.value === wallet.value.mode) return ok(null);
  if (isBusy(wallet.value)) return refuse(406012);
  wallet.value.mode = mode.value;
  wallet.value.updatedAtMs = world.nowMs;
  return ok(null);
}

/** The margin that the exposure locks at a leverage: positions and opening orders. */
function boundAt(exposure: Exposure, leverage: number): Decimal {
  const value = heldOf(exposure).positionValue.add(valueOf(exposure.instrument, openingSums(exposure).units));
  return value.div(leverage);
}

/** An integer from 1 to the symbol's maximum (400001); with a position only if the margin still suffices (401023). */
export function setLeverage(world: World, portfolio: Portfolio, request: RequestOf<"setLeverage">): VenueResult<null> {
  const instrument = readInstrument(world, request.sym);
  if (!instrument.ok) return instrument;
  const { parts, spec, spot } = instrument.value;
  const wallet = portfolio.wallets.get(parts.exchange);
  if (spot) return badField("sym", request.sym, "a perpetual");
  if (wallet === undefined) return refuse(401011, request.sym);
  const leverage = readWhole("leverage", request.leverage);
  if (!leverage.ok) return leverage;
  if (leverage.value > spec.maxLeverage) return badField("leverage", request.leverage, `1 to ${spec.maxLeverage}`);
  const exposure = wallet.exposures.get(request.sym);
  if (exposure !== undefined) {
    const more = boundAt(exposure, leverage.value).sub(boundAt(exposure, leverageOf(portfolio, instrument.value)));
    const { availableMargin } = walletFigures(world, wallet);
    if (more.gt(0) && more.gt(availableMargin)) return refuse(401023, `${toWire(more)} more margin would be locked`);
    touch(exposure);
  }
  portfolio.leverage.set(request.sym, leverage.value);
  if (exposure === undefined) return ok(null);
  for (const side of exposure.positions.keys()) pushPosition(world, exposure, side);
  lookAt(world, wallet);
  return ok(null);
}
