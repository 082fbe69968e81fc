/**
 * Rules across settings. A breach that could cost money or the competition is an error: `config check`, the start and a running
 * agent refuse the file. A merely odd setting is a warning.
 */
import type { Config } from "./config.ts";
import { ceilingBreaches, type SettingBreach } from "./ceilings.ts";
import { toWire } from "../core/decimal.ts";
import { instantText } from "../core/setting-fields.ts";
import { exactSpan } from "../core/time.ts";

/** The lowest rung leaves 10 USDT above the floor of 800 for the cost of closing everything. Spec: 3 §8. */
const LOWEST_RUNG_USDT = 810;
/** Equal questions may share an answer for five minutes. Spec: 3 §8. */
const CACHE_MAX_MS = 300_000;
/** Placeholders in shipped files for the organiser's model. */
export const PLACEHOLDER_MODELS: ReadonlySet<string> = new Set(["model-1", "your-model"]);

const RUNGS = ["flattenUsdt", "holdUsdt", "warnUsdt"] as const;

type Rule = (config: Config) => readonly SettingBreach[];

const rungsAboveFloor: Rule = ({ risk }) =>
  RUNGS.filter((name) => risk[name].lt(LOWEST_RUNG_USDT)).map((name) => ({
    severity: "error",
    path: `risk.${name}`,
    value: toWire(risk[name]),
    rule: `must be at least ${LOWEST_RUNG_USDT} USDT: closing everything costs money, and below 800 the account is eliminated`,
    remedy: `write "${LOWEST_RUNG_USDT}" or more, or omit it`,
  }));

const rungsInOrder: Rule = ({ risk }) =>
  RUNGS.slice(1).flatMap((name, index) => {
    const lower = RUNGS[index] ?? "flattenUsdt";
    if (risk[name].gte(risk[lower])) return [];
    return [
      {
        severity: "error" as const,
        path: `risk.${name}`,
        value: toWire(risk[name]),
        rule: `must not be below risk.${lower} (${toWire(risk[lower])}): the rungs go flattenUsdt, holdUsdt, warnUsdt upwards`,
        remedy: `write ${toWire(risk[lower])} or more`,
      },
    ];
  });

const capsInOrder: Rule = ({ session: { maxNotionalPerOrder, maxTotalNotional } }) =>
  maxNotionalPerOrder.lte(maxTotalNotional)
    ? []
    : [
        {
          severity: "error",
          path: "session.maxNotionalPerOrder",
          value: toWire(maxNotionalPerOrder),
          rule: `must not be above session.maxTotalNotional (${toWire(maxTotalNotional)}): one order would be larger than all together`,
          remedy: "raise the total or lower the cap of one order, and name both in the consent",
        },
      ];

const stopsInOrder: Rule = ({ risk: { defaultStopDistance, maxStopDistance } }) =>
  defaultStopDistance.gt(0) && defaultStopDistance.lte(maxStopDistance)
    ? []
    : [
        {
          severity: "error",
          path: "risk.defaultStopDistance",
          value: toWire(defaultStopDistance),
          rule: `must be above 0 and not above risk.maxStopDistance (${toWire(maxStopDistance)}): every opening would be refused for its stop`,
          remedy: `write ${toWire(maxStopDistance)} or less`,
        },
      ];

const floorBelowLimit: Rule = ({ model: { floorUsd, dayLimitUsd } }) =>
  floorUsd === undefined || floorUsd.lt(dayLimitUsd)
    ? []
    : [
        {
          severity: "error",
          path: "model.floorUsd",
          value: toWire(floorUsd),
          rule: `must be below model.dayLimitUsd (${toWire(dayLimitUsd)}): it is the lower end of the day's band`,
          remedy: "lower it, or omit it",
        },
      ];

const gapWithinRhythm: Rule = ({ cadence: { every, minGap } }) =>
  minGap <= every
    ? []
    : [
        {
          severity: "warning",
          path: "cadence.minGap",
          value: exactSpan(minGap),
          rule: `above cadence.every (${exactSpan(every)}), so decisions come every ${exactSpan(minGap)} and not every ${exactSpan(every)}`,
          remedy: "make minGap smaller than every",
        },
      ];

const phasesInOrder: Rule = ({ competition: { start, phaseTwo } }) => {
  if (start === undefined || phaseTwo === undefined || phaseTwo >= start) return [];
  return [
    {
      severity: "error",
      path: "competition.phaseTwo",
      value: instantText(phaseTwo),
      rule: `must not be before competition.start (${instantText(start)}): Phase II's leverage would apply from the first minute`,
      remedy: "write the organiser's date of Phase II",
    },
  ];
};

const cacheWithinRule: Rule = ({ model: { cache } }) =>
  cache <= CACHE_MAX_MS
    ? []
    : [
        {
          severity: "error",
          path: "model.cache",
          value: exactSpan(cache),
          rule: "must be at most 5m: the competition allows no older answer, and an older answer trades on old prices",
          remedy: "write 5m or less",
        },
      ];

const modelIsNamed: Rule = ({ venue, model: { names } }) =>
  names.flatMap(({ name }, index) =>
    venue.kind !== "embedded" && PLACEHOLDER_MODELS.has(name)
      ? [
          {
            severity: "error" as const,
            path: `model.names.${index}.name`,
            value: name,
            rule: "a placeholder for the organiser's model and its prices",
            remedy: "write the model's own name and prices; `ballast doctor` lists the gateway's models",
          },
        ]
      : [],
  );

const RULES: readonly Rule[] = [
  ceilingBreaches,
  stopsInOrder,
  floorBelowLimit,
  rungsAboveFloor,
  rungsInOrder,
  capsInOrder,
  gapWithinRhythm,
  phasesInOrder,
  cacheWithinRule,
  modelIsNamed,
];

/** Every rule across settings that this configuration breaks. */
export const ruleBreaches = (config: Config): readonly SettingBreach[] => RULES.flatMap((rule) => rule(config));

/** `900: must be ...; write ...` */
export const describeBreach = ({ value, rule, remedy }: SettingBreach): string => `${value}: ${rule}; ${remedy}`;
