/** Where the gateway's calls lie below `{ai_url}`. Spec: 3 §8; records §14. */

/** Called by POST (records §14.1). */
export const CHAT_COMPLETIONS_PATH = "/v1/chat/completions";
/** Called by GET, with no `/v1` before it (records §14.2). */
export const KEY_INFO_PATH = "/key/info";
