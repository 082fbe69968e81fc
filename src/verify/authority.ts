/** What a run was permitted and what it used, from its own rows: one journal's part of non-interference (I22). */
import { eq, num } from "./decimal.ts";
import { isRec, list, type Rec, rec, recs, text, texts } from "./fields.ts";
import { type Finding, finding } from "./history.ts";
import type { Row } from "./rows.ts";

/** Actions that a run may send; any other is a finding of I22. */
export const ORDINARY_WRITES: ReadonlySet<string> = new Set([
  "order.place",
  "order.cancel",
  "position.close",
  "position.set-leverage",
  "portfolio.set-position-mode",
  "algo.place",
  "algo.replace",
  "algo.cancel",
  "order.replace",
]);

/** Who may change the configuration; a model, a headline or a strategy may not. */
const CHANGES_BY: ReadonlySet<string> = new Set(["file", "operator", "schedule", "phase"]);
/** Allowed parameter values of a write: names, enumerations, decimals, times. Free text does not match. */
const PARAMETER = /^[A-Za-z0-9_.:|-]{1,80}$/;

/** Authority that no configuration granted, row by row. */
export const authorityAlone = (rows: readonly Row[]): readonly Finding[] => [
  ...configChanges(rows),
  ...sessionTerms(rows),
  ...models(rows),
  ...contacts(rows),
  ...rows.filter(({ kind }) => kind === "wire-out").flatMap(writeProblems),
];

function configChanges(rows: readonly Row[]): readonly Finding[] {
  return rows.flatMap(({ kind, seq, body }): readonly Finding[] => {
    const by = text(body, "by");
    if (kind !== "config" || !isRec(body["config"]) || by === null || CHANGES_BY.has(by)) return [];
    return [finding(seq, `the configuration was changed by ${by}`)];
  });
}

/** Every session must have the caps of an earlier configuration, and no symbol outside its universe. */
function sessionTerms(rows: readonly Row[]): readonly Finding[] {
  const configs: Rec[] = [];
  return rows.flatMap(({ kind, seq, body }): readonly Finding[] => {
    const config = kind === "config" ? rec(body, "config") : null;
    if (config) configs.push(config);
    const session = kind === "session" ? rec(body, "session") : null;
    const given = configs.map((each) => rec(each, "session")).filter((terms) => terms !== null);
    if (!session || given.length === 0) return [];
    const capped = given.some(
      (terms) => equal(session, terms, "maxNotionalPerOrder") && equal(session, terms, "maxTotalNotional"),
    );
    const universes = configs.map((each) =>
      Array.isArray(each["universe"]) ? new Set(texts(each, "universe")) : null,
    );
    const strange = texts(session, "symbols").filter(
      (symbol) =>
        !universes.some((known) => known === null || known.has(symbol) || known.has(symbol.split("_").at(-2) ?? "")),
    );
    return [
      ...(capped
        ? []
        : [
            finding(
              seq,
              `a session up to ${text(session, "maxNotionalPerOrder") ?? "?"} an order and ${text(session, "maxTotalNotional") ?? "?"} in all, which no configuration allows`,
            ),
          ]),
      ...strange.map((symbol) => finding(seq, `a session with ${symbol}, which no configuration's universe has`)),
    ];
  });
}

const equal = (a: Rec, b: Rec, name: string): boolean => {
  const [x, y] = [num(a[name]), num(b[name])];
  return x !== null && y !== null && eq(x, y);
};

function models(rows: readonly Row[]): readonly Finding[] {
  const known = new Set<string>();
  return rows.flatMap(({ kind, seq, body }): readonly Finding[] => {
    if (kind === "config") for (const name of modelsIn(body)) known.add(name);
    const model = kind === "model-reserve" ? text(body, "model") : null;
    return model === null || known.size === 0 || known.has(model)
      ? []
      : [finding(seq, `the model ${model} was asked, which no configuration names`)];
  });
}

function modelsIn(body: Rec): readonly string[] {
  const model = rec(rec(body, "config") ?? {}, "model");
  return model ? recs(model, "names").flatMap((entry) => text(entry, "name") ?? []) : [];
}

/** Only hosts on the boot row's list may be contacted. */
function contacts(rows: readonly Row[]): readonly Finding[] {
  const hosts = new Map<string, readonly string[]>();
  return rows.flatMap(({ kind, runId, seq, body }): readonly Finding[] => {
    if (kind === "boot" && Array.isArray(body["hosts"])) hosts.set(runId, texts(body, "hosts"));
    if (kind !== "beat" && kind !== "stop") return [];
    const allowed = hosts.get(runId);
    const met = allowed ? texts(body, "met").filter((host) => !allowed.includes(host)) : [];
    return met.map((host) => finding(seq, `it talked to ${host}, which the environment does not name`));
  });
}

function writeProblems({ seq, body }: Row): readonly Finding[] {
  const action = text(body, "action") ?? "";
  const odd = ORDINARY_WRITES.has(action) ? [] : [finding(seq, `a write of another kind: ${action}`)];
  return [
    ...odd,
    ...valuesIn(rec(body, "params") ?? {})
      .filter((value) => !PARAMETER.test(value))
      .map((value) => finding(seq, `a parameter of ${action} is free text: ${JSON.stringify(value.slice(0, 60))}`)),
  ];
}

function valuesIn(params: Rec): readonly string[] {
  return Object.keys(params).flatMap((name): readonly string[] => {
    const value = params[name];
    if (isRec(value)) return valuesIn(value);
    if (Array.isArray(value)) return list(params, name).filter((item) => typeof item === "string");
    return typeof value === "string" && value !== "" ? [value] : [];
  });
}
