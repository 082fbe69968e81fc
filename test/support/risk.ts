/** The limits of a configuration that sets none. */
import { riskSection, riskSettings } from "../../src/risk/settings.ts";

export const RISK = riskSettings(riskSection.parse({}));
