/** Decisions as they come: the trigger, the targets, the review by the limits, and the outcome. */
import { useMemo } from "preact/hooks";
import type { DeckRow, DeckStep } from "../../deck/shapes.ts";
import { decisionsOf, outcomeOf, type ShownDecision } from "./decision-list.ts";
import { coin, prose, timeOfDay } from "../parts/format.ts";

const SHOWN = 40;

interface Props {
  readonly rows: readonly DeckRow[];
  readonly onStory: (decisionId: string, why?: boolean) => void;
}

export function Decisions({ rows, onStory }: Props) {
  const decisions = useMemo(() => decisionsOf(rows), [rows]);
  if (decisions.length === 0) return <p class="quiet">No decision yet.</p>;
  return (
    <ol class="decisions">
      {decisions.slice(0, SHOWN).map((made) => (
        <Decision key={made.id} {...{ made, onStory }} />
      ))}
    </ol>
  );
}

function Decision({ made, onStory }: { readonly made: ShownDecision } & Pick<Props, "onStory">) {
  const { id, atMs, steps, alike, sinceMs } = made;
  const trigger = steps.find((step) => step.is === "triggered");
  const [word, tone] = outcomeOf(steps);
  const ordered = steps.some((step) => step.is === "judged");
  return (
    <li>
      <time dateTime={new Date(atMs).toISOString()}>{timeOfDay(atMs)}</time>
      <div>
        <p>
          <strong class={tone}>{word}</strong>
          {trigger ? <span class="quiet"> on {prose(trigger.by.join("; "))}</span> : null}
          <button type="button" class="plain" onClick={() => onStory(id)}>
            story
          </button>
          {alike > 0 ? (
            <span class="quiet">
              and {alike} more without a trade since {timeOfDay(sinceMs)}
            </span>
          ) : null}
          {ordered ? (
            <button type="button" class="plain" onClick={() => onStory(id, true)}>
              why
            </button>
          ) : null}
        </p>
        {steps.map((step, at) => (
          <Step key={at} step={step} />
        ))}
      </div>
    </li>
  );
}

function Step({ step }: { readonly step: DeckStep }) {
  switch (step.is) {
    case "triggered":
      return null;
    case "failed":
      return <p class="warn">no decision: {prose(step.reason)}</p>;
    case "decided":
      return (
        <>
          {step.wanted.length === 0 ? <p>{prose(step.note)}</p> : null}
          {step.wanted.map(({ symbol, leg, size, reason }) => (
            <p key={`${symbol} ${leg}`}>
              wants {size === 0 ? "no" : leg.toLowerCase()} {coin(symbol)}
              {size === 0 ? "" : ` at ${Math.round(size * 100)} % of its share`}
              <span class="quiet">: {prose(reason)}</span>
            </p>
          ))}
        </>
      );
    case "skipped":
      return (
        <p class="quiet">
          {coin(step.symbol)}: no order, {prose(step.reason)}
        </p>
      );
    case "judged":
      return (
        <p class={step.approved ? "quiet" : "warn"}>
          {step.side.toLowerCase()} {coin(step.symbol)}:{" "}
          {step.against.length === 0
            ? step.asked === 1
              ? "the one limit agrees"
              : `all ${step.asked} limits agree`
            : step.against
                .map(({ limit, kind, reason }) => `${limit} ${SAID[kind] ?? kind}, ${prose(reason)}`)
                .join("; ")}
        </p>
      );
    case "filled":
      return (
        <p>
          filled: {step.side.toLowerCase()} {step.qty} {coin(step.symbol)} at {step.price}
        </p>
      );
  }
}

const SAID: Readonly<Record<string, string>> = { deny: "denies", shrink: "shrinks" };
