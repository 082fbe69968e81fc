/** The versions that the client layer claims and checks. A client re-reads the schema when these change. Spec: 3 §9. */
export const SCHEMA_VERSION = "2026-09-11";
/** A preview whose caller claims another version is refused (30001). */
export const SKILLS_VERSION = "1.0.17";
/** Claimed and compared like the skills version. */
export const SKILLS_SCHEMA_VERSION = "1.0.0";
