/** The hand-written part of docs/SVC.md. */
export const INTRODUCTION = `# svc: the client

One client for the trading service, as a command and as tools for a model's host. Everything below the heading "All
capabilities" is generated from the capability records; \`npm run docs\` writes this page.

## Set up

\`\`\`sh
export SVC_ACCESS_KEY=... SVC_SECRET_KEY=... SVC_API_HOST=https://...    # each also as NAME_FILE
svc self-check --json
\`\`\`

To practise without an account, keep \`npx ballast sim --port 8700\` running: it prints \`restUrl\`, \`accessKey\` and \`secretKey\` of its
own service for the same three variables. As in the competition, it refuses openings until the leverage is low enough:
\`svc position set-leverage --help\`.

| variable | use |
|---|---|
| \`SVC_ACCESS_KEY\`, \`SVC_SECRET_KEY\`, \`SVC_API_HOST\` | credentials and REST address |
| \`SVC_MARKET_WS_URL\` | market stream; default: the REST host with \`/marketdata/v2/public\` |
| \`SVC_EXCHANGES\` | exchange identifiers, the first completes bare pairs and coins; default \`EXCHANGE_A,EXCHANGE_B\` |
| \`SVC_STATE_DIR\` | folder of previews, sessions, rules and the audit log (\`svc.db\`, mode 0600); default \`.svc\` |
| \`SVC_READ_ONLY\`, \`SVC_TRADING_ENABLED\` | switch all writes off; so does a word that is neither yes nor no |
| \`SVC_MAX_NOTIONAL\` | your own ceiling for the value of every order |
| \`SVC_CANDLE_DIR\` | folder of candles (docs/DATA-FORMAT.md), such as \`ballast data import\` writes, for \`market get-klines\`; the recording of this service by \`ballast run\` in \`BALLAST_DATA_DIR\` is read as well |
| \`SVC_CANDLE_URL\` | a public candle source with \`{symbol}\` \`{base}\` \`{quote}\` \`{interval}\` (\`1H\`) or \`{step}\` (\`1h\`) \`{limit}\` \`{before}\`; used only if set |
| \`SVC_RELEASE_MANIFEST_URL\` | release manifest for \`update check\`, https |
| \`SVC_LOG=1\` | log lines on standard error |

\`readOnly\`, \`maxNotional\`, \`candleDir\`, \`candleUrl\` and \`manifestUrl\` can be stored with \`svc config set\` instead.

## Calling it

\`svc <domain> <action>\` takes \`--input\` with a JSON object, \`@file\` or \`-\`, and named options that
override it (\`--position-side long\`). Without \`--json\` it prints tables for people. \`--help\` after any command shows its fields and an
example. \`svc completion bash|zsh|fish\` prints a completion script. The answer to a misspelt command, option, symbol or
capability id suggests the nearest known one.

A known coin (\`BTC\`) or a bare pair (\`BTCUSDT\`) means the perpetual on the first exchange of \`SVC_EXCHANGES\`. The
interpretation is printed on standard error, and with \`--json\` as a second entry of \`evidence\`.

With \`--json\` the command prints one line on standard output, the envelope: \`ok\`, \`status\`, \`data\`, \`code\`, \`message\`, \`details\`,
\`auditId\`, \`evidence\`. The exit code is 0 if \`ok\` is true and 1 otherwise. Reads and writes that are one REST call return
the service's own envelope unchanged, so that the payload is at \`data.data\`; \`order cancel\` and \`position close\` return it at
\`data.response\`. Fields of the client stand beside it.

| status | meaning |
|---|---|
| PASS | done |
| FAIL | failed here, in transit, or at the service |
| BLOCKED | refused here, before anything was sent; the message begins with the reason |
| NOT_VERIFIED | no trustworthy answer: a write may have happened, and \`data.lookedUp\` contains the result of a look-up by its id; also if the client fails after the write was sent |
| EXPECTED_ERROR | a probe failed as expected |
| INVALID_INPUT | the input is invalid; the message lists all problems |
| BUSINESS_ERROR | the service refused; its code is in \`details.upstreamCode\` |
| NOT_FOUND | the requested object does not exist |
| PERMISSION_SCOPE_ERROR | the key lacks the permission |

## Preview, then submit

Every write is previewed: \`order place-preview\`, \`replace-preview\`, \`cancel-preview\`, and \`trade preview\` with
\`targetCapabilityId\` for all of them. The answer contains \`previewId\` and \`confirmation.submitToken\`. The submit repeats the
same parameters with \`previewId\` and the token as \`continueConsentId\`, within five minutes, once, through the same face.
Any difference is BLOCKED with the names of the fields that differ. A preview of an order that does not exist is NOT_FOUND.
\`orderReadback\` and \`positionReadback\` of a preview, and \`data.readback\` of a write, are the service's own records; a
record that could not be read is null, with the reason under \`notRead\`. \`order cancel\` waits for the terminal state and reports
whether it was seen. A MARKET order may have a price: it is ignored, and the preview says so.

Without \`--json\` the preview ends with the command that submits it, and a new order needs no \`clientOrderId\`: the client creates
and shows one, and the submit reuses it. Programs (\`--json\`) and models supply their own, because they look an order up by it
when they do not know whether it was placed.

\`maxNotional\` bounds MARKET orders too: they are priced by walking the book to their quantity, and again at the submit.

## Automation sessions

\`automation start\` records the owner's consent with symbols, actions, order types, a cap per order and one in total. A preview
names the session, or is bound to the only one that fits. A placement uses its \`maxNotional\`, a replacement the value of the new
order, a cancel nothing. An action that cannot open and that the session does not list, such as a close, becomes an ordinary
preview even if it names the session; so does an action that names an unknown or ended session. The used amount is counted in
one transaction before the order is sent, and returned only if the service refused the order: the caps hold with any number of
processes, and through a kill. Stopping a session cancels no orders.

For a single preview the owner's words can replace a session: \`automationMode\` true and \`automationConsentText\` with
the exact symbol, the \`maxNotional\` value and the intent to automate.

## Tools for a model's host

\`\`\`sh
svc mcp config --host claude|claude-desktop|cursor|vscode|codex|generic
\`\`\`

prints the host's configuration, in its own format and with absolute paths: the start command of this program, the state folder,
and the limits set here (\`SVC_READ_ONLY\`, \`SVC_MAX_NOTIONAL\` ...). Secrets are never printed: the snippet refers to the variable,
to the file of \`NAME_FILE\`, to a prompt of the host, or has a placeholder. Standard error says where to put it. By hand it is

\`\`\`json
{ "mcpServers": { "svc": { "command": "svc", "args": ["mcp", "serve"],
  "env": { "SVC_ACCESS_KEY": "...", "SVC_SECRET_KEY": "...", "SVC_API_HOST": "https://..." } } } }
\`\`\`

Tools are named \`svc/<domain>/<action>\`. For hosts that refuse slashes add \`"--tool-names", "underscore"\` to \`args\`; calls
under either spelling work. Resources: \`svc://positions\`, \`svc://orders\`, \`svc://audit\`. Prompts: \`place-order\`,
\`close-position\`, \`start-session\`, \`account-review\`. Preview and submit through the same interface: a
preview by the command cannot be submitted by a tool.

## Where market data comes from

Funding, mark price and symbol rules come by REST. Ticker, order book, open interest and the running candle come from a short
authenticated subscription to the service's own stream. The service has no call for candle history: it is read from
\`SVC_CANDLE_DIR\` and \`SVC_CANDLE_URL\` if set, and from a daemon's recording of the same service; \`sources\` names the sources
used. Fewer candles than requested are NOT_VERIFIED, with the available ones in \`data\`. The ticker's \`quoteVolume\` is an
estimate from the day's range, because the stream has none.

## Audit

\`svc audit list\` and \`svc audit show <auditId>\` show the calls: who (masked), by command or tool, with which
parameters (secrets masked), and the result. Every call has a row under the \`auditId\` of its answer, including reads, previews and
refused submits; only an input that is not JSON and an unknown tool have none. A write that was killed on its way stays there as
STARTED. With \`--json\` writes and previews, refused ones included, print their row on standard error as one line of JSON.
`;
