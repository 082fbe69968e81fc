/** A process that runs seeds one after the other, as `scripts/seeds.ts` hands them out. */
import { liveSeed, warmUp } from "./live.ts";
import { serve } from "./serve.ts";

await warmUp();
serve(liveSeed);
