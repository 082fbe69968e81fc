/** A decision from its trigger to what it came to, with what a model was asked and what it replied. */
import type { DeckStory } from "../../deck/shapes.ts";
import { Dialog } from "./dialog.tsx";
import { usePolled } from "./live.ts";

const STORY_EVERY_MS = 15_000;

export function Story({ decisionId, onClose }: { readonly decisionId: string; readonly onClose: () => void }) {
  const story = usePolled<DeckStory>(`/deck/decisions/${encodeURIComponent(decisionId)}`, STORY_EVERY_MS);
  return (
    <Dialog title={`Decision ${decisionId}`} onClose={onClose}>
      {story === null ? <p class="quiet">Reading.</p> : <pre tabIndex={0}>{story.text}</pre>}
      {story?.asked.map(({ prompt, question, reply }, at) => (
        <details key={at}>
          <summary>Asked with {prompt}</summary>
          <h3>Prompt</h3>
          <pre tabIndex={0}>{question}</pre>
          <h3>Reply</h3>
          <pre tabIndex={0}>{reply}</pre>
        </details>
      ))}
    </Dialog>
  );
}
