/** `ballast notify --test`: one message through each configured target, without an agent. */
import { planNotifications } from "../control/notifications.ts";
import { loadConfig } from "../control/watch-config.ts";
import { systemClock } from "../core/clock.ts";
import { redactor } from "../core/secret.ts";
import type { NotifyOptions } from "../faces/cli/notify-command.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { complain, print } from "../ops/complaint.ts";

/** Exit code 1 if a target did not accept it, 2 without `--test`. */
export async function notifyProgram({ config: file, test, json }: NotifyOptions): Promise<number> {
  if (!test) return complain("say what to send: ballast notify --test", EXIT.usage);
  const loaded = loadConfig(file);
  if (!loaded.ok) return complain(loaded.error.join("; "), EXIT.config);
  const { targets, problems, secrets } = planNotifications(loaded.value.notifications, process.env);
  const clean = redactor(secrets);
  if (targets.length + problems.length === 0)
    return complain(`${file} names no target under notifications.targets; docs/NOTIFICATIONS.md has an example`);
  const message = { event: "run", level: "notice", atMs: systemClock().nowMs(), text: "a test message" } as const;
  const results = await Promise.all(
    targets.map(async ({ settings: { name }, send }) => {
      try {
        await send([message]);
        return { name, ok: true, text: "accepted the message" };
      } catch (cause) {
        return { name, ok: false, text: cause instanceof Error ? cause.message : String(cause) };
      }
    }),
  );
  const ok = problems.length === 0 && results.every((result) => result.ok);
  const lines = [
    ...results.map(({ name, ok: took, text }) => `${took ? "ok" : "FAILED"}  ${name}: ${text}`),
    ...problems,
  ];
  print(clean(json ? JSON.stringify({ ok, results, problems }) : lines.join("\n")));
  return ok ? EXIT.ok : EXIT.failed;
}
