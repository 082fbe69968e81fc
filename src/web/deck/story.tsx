/** A decision from its trigger to its outcome, with the model's question and reply. */
import type { DeckStory } from "../../deck/shapes.ts";
import { Dialog } from "./dialog.tsx";
import { prose } from "../parts/format.ts";
import { usePolled } from "./live.ts";

const STORY_EVERY_MS = 15_000;

interface Props {
  readonly decisionId: string;
  /** Whether to begin with the reasons of its orders. */
  readonly why: boolean;
  readonly onClose: () => void;
}

export function Story({ decisionId, why, onClose }: Props) {
  const story = usePolled<DeckStory>(`/deck/decisions/${encodeURIComponent(decisionId)}`, STORY_EVERY_MS);
  return (
    <Dialog title={`Decision ${decisionId}`} onClose={onClose}>
      {story === null ? <p class="quiet">Reading.</p> : null}
      {story?.orders.map(({ name, why: reasons }, at) => (
        <details key={`order ${at}`} open={why}>
          <summary>Why: {prose(name)}</summary>
          <pre tabIndex={0}>{reasons}</pre>
        </details>
      ))}
      {story?.asked.map(({ prompt, question, reply }, at) => (
        <details key={at}>
          <summary>Asked with {prompt}</summary>
          {/* The reply first: it is short, and a prompt takes several screens. */}
          <h3>Reply</h3>
          <pre tabIndex={0}>{reply}</pre>
          <h3>Prompt</h3>
          <pre tabIndex={0}>{question}</pre>
        </details>
      ))}
      {story === null ? null : (
        <details open={!why}>
          <summary>The whole story</summary>
          <pre tabIndex={0}>{story.text}</pre>
        </details>
      )}
    </Dialog>
  );
}
