/** The hand-written part of docs/SVC.md. */
export const INTRODUCTION = `# svc: the client

One client for the trading service, as a command and as tools for a model's host. Everything below the heading "All
capabilities" is read off the capability records; \`npm run docs\` writes this page.

## Set up

\`\`\`sh
export SVC_ACCESS_KEY=... SVC_SECRET_KEY=... SVC_API_HOST=https://...    # each also as NAME_FILE
svc self-check --json
\`\`\`

To practise without an account, leave \`npx ballast sim --port 8700\` running: it prints \`restUrl\`, \`accessKey\` and
\`secretKey\` of a service of its own, which go into the same three variables. Openings are refused there as they are in the
competition, so set the leverage first: \`svc position set-leverage --help\`.

| variable | use |
|---|---|
| \`SVC_ACCESS_KEY\`, \`SVC_SECRET_KEY\`, \`SVC_API_HOST\` | credentials and REST address |
| \`SVC_MARKET_WS_URL\` | market stream; the REST host with \`/marketdata/v2/public\` when absent |
| \`SVC_EXCHANGES\` | exchange identifiers, the first completes bare pairs and coins; \`EXCHANGE_A,EXCHANGE_B\` when absent |
| \`SVC_STATE_DIR\` | folder of previews, sessions, rules and the audit log (\`svc.db\`, mode 0600); \`.svc\` when absent |
| \`SVC_READ_ONLY\`, \`SVC_TRADING_ENABLED\` | switch all writes off; a word that is neither yes nor no does so too |
| \`SVC_MAX_NOTIONAL\` | a ceiling of yours over that of every order placed |
| \`SVC_CANDLE_DIR\` | folder of candles (docs/DATA-FORMAT.md), such as \`ballast data import\` makes, for \`market get-klines\`; what \`ballast run\` recorded of this service in \`BALLAST_DATA_DIR\` is read besides |
| \`SVC_CANDLE_URL\` | a public candle source with \`{symbol}\` \`{base}\` \`{quote}\` \`{interval}\` (\`1H\`) or \`{step}\` (\`1h\`) \`{limit}\` \`{before}\`; never asked unless set |
| \`SVC_RELEASE_MANIFEST_URL\` | release manifest for \`update check\`, https |
| \`SVC_LOG=1\` | log lines on standard error |

\`readOnly\`, \`maxNotional\`, \`candleDir\`, \`candleUrl\` and \`manifestUrl\` can be kept with \`svc config set\` instead.

## Talking to it

\`svc <domain> <action>\` takes \`--input\` with a JSON object, \`@file\` or \`-\`, then named options on top
(\`--position-side long\`). Without \`--json\` it prints tables for people. \`--help\` after any command shows its fields and an
example. \`svc completion bash|zsh|fish\` prints a completion script. Misspelt commands, options, symbols and capability ids
are answered with the nearest known one.

A known coin (\`BTC\`) or a bare pair (\`BTCUSDT\`) means the perpetual on the first exchange of \`SVC_EXCHANGES\`. How it was
read is said on standard error, and with \`--json\` as a second entry of \`evidence\`.

With \`--json\` one line comes on standard output, the envelope: \`ok\`, \`status\`, \`data\`, \`code\`, \`message\`, \`details\`,
\`auditId\`, \`evidence\`. The exit code is 0 when \`ok\` is true and 1 otherwise. Reads and writes that are one REST call hold
the service's own envelope as it came, so that the payload is at \`data.data\`; \`order cancel\` and \`position close\` hold it
at \`data.response\`. What the client adds stands beside it.

| status | meaning |
|---|---|
| PASS | done |
| FAIL | failed here, on the way, or at the service |
| BLOCKED | refused here, before anything was sent; the message begins with the reason |
| NOT_VERIFIED | no trustworthy answer: a write may have happened, and \`data.lookedUp\` says what was found by its id; also where something breaks here after the write has left |
| EXPECTED_ERROR | a probe failed as it had to |
| INVALID_INPUT | the input is wrong; all problems are named |
| BUSINESS_ERROR | the service said no; its code is in \`details.upstreamCode\` |
| NOT_FOUND | there is no such thing |
| PERMISSION_SCOPE_ERROR | the key lacks the permission |

## Preview, then submit

Every write is previewed: \`order place-preview\`, \`replace-preview\`, \`cancel-preview\`, and \`trade preview\` with
\`targetCapabilityId\` for all of them. The answer holds \`previewId\` and \`confirmation.submitToken\`. The submit repeats the
same parameters with \`previewId\` and the token as \`continueConsentId\`, within five minutes, once, through the same face.
Any difference is BLOCKED with the names of the fields that differ. A preview of an order that does not exist is NOT_FOUND.
\`orderReadback\` and \`positionReadback\` of a preview, and \`data.readback\` of a write, are the service's own records; what
could not be read is null there, with the reason under \`notRead\`. \`order cancel\` waits for the terminal state and says
whether it saw it. A MARKET order may have a price: it is ignored, and the preview says so.

Without \`--json\` the preview ends with the line that carries it out, and a new order needs no \`clientOrderId\`: one is made,
shown, and taken from the preview at the submit. Programs (\`--json\`) and models bring their own, because they look an order
up by it when they do not know whether it was placed.

\`maxNotional\` bounds MARKET orders too: they are priced by walking the book to their quantity, and again at the submit.

## Automation sessions

\`automation start\` takes the owner's consent with symbols, actions, order types, a cap per order and one in total. A preview
names the session, or is bound to the only one that fits. A placement uses its \`maxNotional\`, a replacement the value of the new order, a cancel
nothing. An action that cannot open and that the session does not list, such as a close, is an ordinary preview even if it
names the session; so is one that names an unknown or ended session. What is used is counted in one transaction before the order leaves, and given back only when the service refused
it: under any number of processes, and through a kill, the caps hold. Stopping a session cancels no orders.

For a single preview the owner's words can stand in for a session: \`automationMode\` true and \`automationConsentText\` with
the exact symbol, the \`maxNotional\` value and the intent to automate.

## Tools for a model's host

\`\`\`sh
svc mcp config --host claude|claude-desktop|cursor|vscode|codex|generic
\`\`\`

prints what the host needs, in its own form and with absolute paths: how this very program is started, the state folder, and
the limits that are set here (\`SVC_READ_ONLY\`, \`SVC_MAX_NOTIONAL\` ...). Secrets are never printed: the snippet refers to the
variable, to the file of \`NAME_FILE\`, to a question of the host, or has a place to fill in. Where it goes is said on standard
error. By hand it is

\`\`\`json
{ "mcpServers": { "svc": { "command": "svc", "args": ["mcp", "serve"],
  "env": { "SVC_ACCESS_KEY": "...", "SVC_SECRET_KEY": "...", "SVC_API_HOST": "https://..." } } } }
\`\`\`

Tools are named \`svc/<domain>/<action>\`. For hosts that refuse slashes add \`"--tool-names", "underscore"\` to \`args\`; calls
under either spelling are understood. Resources: \`svc://positions\`, \`svc://orders\`, \`svc://audit\`. Prompts: \`place-order\`,
\`close-position\`, \`start-session\`, \`account-review\`. Preview and submit through the same face: a preview of the command is
no preview of the tools.

## Where market data comes from

Funding, mark price and symbol rules come by REST. Ticker, order book, open interest and the running candle come from a short
authenticated subscription to the service's own stream. The service has no call for candle history: it is read from
\`SVC_CANDLE_DIR\` and \`SVC_CANDLE_URL\` where set, and from what a daemon has recorded of the same service; \`sources\` names what
was used. Fewer candles than asked for are NOT_VERIFIED, with those that there are in \`data\`. The ticker's \`quoteVolume\` is an estimate from the day's range, because the stream states none.

## Audit

\`svc audit list\` and \`svc audit show <auditId>\` read what was called: who (masked), through which face, with which
parameters (secrets masked), and how it ended. Every call has its row, under the \`auditId\` of its answer: reads, previews and
refused submits too; only an input that is no JSON and an unknown tool have none. A write that was killed on its way stands
there as STARTED. With \`--json\` writes and previews, refused ones too, leave their row on standard error as one line of JSON.
`;
