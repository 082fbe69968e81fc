// Writes the reference pages that are generated from the code. Run `npm run docs` after a change; a test compares them.
import { mkdirSync, writeFileSync } from "node:fs";
import { journalPage } from "../src/faces/docs/journal-page.ts";
import { metricsPage } from "../src/faces/docs/metrics-page.ts";
import { METRICS } from "../src/daemon/metrics.ts";
import { configurationPage, logEventsPage } from "../src/faces/docs/pages.ts";
import { svcPage } from "../src/faces/docs/svc-page.ts";
import { ConfigSchema, FIXED_AT_START } from "../src/config/config.ts";
import { ceilingTexts } from "../src/config/ceilings.ts";
import { CONFIG_SCHEMA_FILE, configSchema, configSchemaText } from "../src/control/config-schema.ts";
import { SCORING_SCHEMA_FILE, scoringFileSchema } from "../src/control/scoring-file.ts";
import { ALL_FAULTS } from "../src/sim/faults/all.ts";
import { z } from "zod";
import { SCENARIO_SCHEMA_FILE, scenarioFileSchema } from "../src/sim/faults/scenario.ts";

mkdirSync("docs", { recursive: true });
writeFileSync("docs/LOG-EVENTS.md", logEventsPage());
writeFileSync(
  "docs/CONFIGURATION.md",
  configurationPage(z.toJSONSchema(ConfigSchema, { io: "input" }), FIXED_AT_START, ceilingTexts()),
);
writeFileSync("docs/SVC.md", svcPage());
writeFileSync("docs/JOURNAL.md", journalPage());
writeFileSync("docs/METRICS.md", metricsPage(METRICS));
writeFileSync(`config/${CONFIG_SCHEMA_FILE}`, configSchemaText(await configSchema()));
writeFileSync(`config/${SCENARIO_SCHEMA_FILE}`, configSchemaText(scenarioFileSchema(ALL_FAULTS)));
writeFileSync(`config/${SCORING_SCHEMA_FILE}`, configSchemaText(scoringFileSchema()));
