/** Halt, resume, flatten, switch: each asks for the token and for a confirmation that says what will happen. */
import { useState } from "preact/hooks";
import type { DeckNow } from "../../deck/shapes.ts";
import { coin, signedUsdt } from "../parts/format.ts";
import { Dialog } from "./dialog.tsx";

const TOKEN = "ballast-token";
const HANDOVERS = {
  adopt: "the new strategy takes over the open positions",
  "wind-down": "open positions run out under their stops",
  close: "open positions are closed",
} as const;
type Handover = keyof typeof HANDOVERS;

type Asked = "halt" | "resume" | "flatten" | "use";

export function Controls({ now }: { readonly now: DeckNow }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [said, setSaid] = useState("");
  if (!now.commands)
    return (
      <p class="quiet">
        This page only reads: set BALLAST_STATUS_TOKEN and restart to halt, resume, flatten or switch from here.
      </p>
    );
  const halted = now.floorState === "HALT";
  return (
    <div class="controls" role="group" aria-label="Commands">
      <button type="button" disabled={halted} onClick={() => setAsked("halt")}>
        Halt
      </button>
      <button type="button" disabled={!halted} onClick={() => setAsked("resume")}>
        Resume
      </button>
      <button type="button" class="danger" onClick={() => setAsked("flatten")}>
        Flatten
      </button>
      <button type="button" onClick={() => setAsked("use")}>
        Switch strategy
      </button>
      <output aria-live="polite">{said}</output>
      {asked ? <Confirm asked={asked} now={now} onDone={setSaid} onClose={() => setAsked(null)} /> : null}
    </div>
  );
}

interface ConfirmProps {
  readonly asked: Asked;
  readonly now: DeckNow;
  readonly onDone: (said: string) => void;
  readonly onClose: () => void;
}

const TITLES: Record<Asked, string> = {
  halt: "Halt the agent",
  resume: "Let it open positions again",
  flatten: "Close everything",
  use: "Switch the strategy",
};

function Confirm({ asked, now, onDone, onClose }: ConfirmProps) {
  const [token, setToken] = useState(sessionStorage.getItem(TOKEN) ?? "");
  const [strategy, setStrategy] = useState(now.strategies.find((name) => name !== now.strategy) ?? now.strategy);
  const [handover, setHandover] = useState<Handover>("adopt");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    const answer = await command(token, asked === "use" ? { command: asked, strategy, handover } : { command: asked });
    setBusy(false);
    if (answer.problem !== null) return setProblem(answer.problem);
    sessionStorage.setItem(TOKEN, token);
    onDone(answer.said);
    onClose();
  };
  return (
    <Dialog title={TITLES[asked]} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        <Consequence asked={asked} now={now} />
        {asked === "use" ? (
          <>
            <label>
              Strategy{" "}
              <select value={strategy} onChange={({ currentTarget }) => setStrategy(currentTarget.value)}>
                {now.strategies.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <label>
              Handover{" "}
              <select value={handover} onChange={({ currentTarget }) => setHandover(currentTarget.value as Handover)}>
                {(Object.keys(HANDOVERS) as Handover[]).map((name) => (
                  <option key={name} value={name}>
                    {name}: {HANDOVERS[name]}
                  </option>
                ))}
              </select>
            </label>
          </>
        ) : null}
        <label>
          Token (BALLAST_STATUS_TOKEN){" "}
          <input
            type="password"
            autocomplete="off"
            required
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        {problem ? (
          <p class="loss" role="alert">
            {problem}
          </p>
        ) : null}
        <button type="submit" class={asked === "flatten" ? "danger" : ""} disabled={busy}>
          {busy ? "Waiting for the agent" : `Yes, ${asked === "use" ? "switch" : asked}`}
        </button>
      </form>
    </Dialog>
  );
}

function Consequence({ asked, now }: { readonly asked: Asked; readonly now: DeckNow }) {
  if (asked === "halt")
    return (
      <p>Nothing more is opened, and the agent's own opening orders are withdrawn. Positions and their stops stay.</p>
    );
  if (asked === "resume") return <p>The account is read again first; then the agent may open positions.</p>;
  if (asked === "use")
    return (
      <p>
        The switch is made at the next safe point. Opening orders of {now.strategy} are withdrawn unless they are
        adopted.
      </p>
    );
  return (
    <>
      <p>
        Every opening order is withdrawn, also those of others, and the agent stays halted. These positions are closed
        at the market:
      </p>
      <ul>
        {now.positions.map(({ symbol, side, qty, unrealizedUsdt }) => (
          <li key={`${symbol} ${side}`}>
            {side.toLowerCase()} {qty} {coin(symbol)}, {signedUsdt(Number(unrealizedUsdt))} USDT
          </li>
        ))}
        {now.positions.length === 0 ? <li>none is held</li> : null}
      </ul>
    </>
  );
}

async function command(
  token: string,
  body: object,
): Promise<{ readonly said: string; readonly problem: string | null }> {
  try {
    const reply = await fetch("/deck/commands", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...body, confirm: true }),
    });
    const answer = (await reply.json()) as { readonly said?: string; readonly error?: string };
    return reply.ok
      ? { said: answer.said ?? "", problem: null }
      : { said: "", problem: answer.error ?? `refused (${reply.status})` };
  } catch {
    return { said: "", problem: "The agent does not answer." };
  }
}
