/** Counts one document up, many times, in a process of its own. */
import { openDocumentStore } from "../../src/journal/document-store.ts";

const [file = "", times = "0"] = process.argv.slice(2);
const store = openDocumentStore(file);
for (let done = 0; done < Number(times); done++) {
  store.atomically(() => {
    const count = Number(store.get("count", "one")?.body ?? 0);
    store.put("count", { id: "one", body: count + 1, atMs: 1 });
  });
}
store.close();
