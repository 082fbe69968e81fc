/**
 * The configuration with which a model's host starts the tool server, in each host's format. Secrets appear only as
 * the host's own reference to a variable or a prompt. Spec: 3 §5.
 */

/** How to start this program from anywhere, and the environment it needs. */
export interface Launch {
  /** Absolute. */
  readonly command: string;
  /** Arguments before `mcp serve`; absolute paths. */
  readonly args: readonly string[];
  /** Values that are not secret: folders, limits, addresses, files that contain a secret. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of variables that the owner fills in. */
  readonly open: readonly string[];
}

/** The snippet, and instructions for it. */
export interface Snippet {
  readonly text: string;
  readonly place: string;
}

/** Documented tool names have slashes; these hosts accept only letters, digits, dashes and underscores. */
const UNDERSCORES = ["--tool-names", "underscore"];
const args = ({ args: before }: Launch, more: readonly string[] = UNDERSCORES): readonly string[] => [
  ...before,
  "mcp",
  "serve",
  ...more,
];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function environment({ environment: known, open }: Launch, fillIn: (name: string) => string): Record<string, string> {
  return { ...Object.fromEntries(open.map((name) => [name, fillIn(name)])), ...known };
}

const placeholder = (name: string): string => `<your ${name}>`;
const FILL_IN = "and replace the placeholders in <> with your own values";

const mcpServers = (launch: Launch, fillIn: (name: string) => string, more?: readonly string[]): string =>
  json({
    mcpServers: {
      svc: { command: launch.command, args: args(launch, more), env: environment(launch, fillIn) },
    },
  });

const inputId = (name: string): string => name.toLowerCase().replaceAll("_", "-");

const vscode = (launch: Launch): string =>
  json({
    inputs: launch.open.map((name) => ({
      type: "promptString",
      id: inputId(name),
      description: name,
      password: true,
    })),
    servers: {
      svc: {
        type: "stdio",
        command: launch.command,
        args: args(launch),
        env: environment(launch, (name) => `\${input:${inputId(name)}}`),
      },
    },
  });

/** A JSON string is a TOML string except for DEL, which paths do not contain. */
const toml = (value: unknown): string => JSON.stringify(value);

function codex(launch: Launch): string {
  const list = (values: readonly string[]): string => `[${values.map(toml).join(", ")}]`;
  const lines = [
    "[mcp_servers.svc]",
    `command = ${toml(launch.command)}`,
    `args = ${list(args(launch))}`,
    ...(launch.open.length > 0 ? [`env_vars = ${list(launch.open)}`] : []),
    "",
    "[mcp_servers.svc.env]",
    ...Object.entries(launch.environment).map(([name, value]) => `${name} = ${toml(value)}`),
  ];
  return `${lines.join("\n")}\n`;
}

const HOSTS: Readonly<Record<string, (launch: Launch) => Snippet>> = {
  claude: (launch) => ({
    text: mcpServers(launch, (name) => `\${${name}}`),
    place: "put it into .mcp.json of your project; the host reads the variables from its environment",
  }),
  "claude-desktop": (launch) => ({
    text: mcpServers(launch, placeholder),
    place: `put it into claude_desktop_config.json, ${FILL_IN}`,
  }),
  cursor: (launch) => ({
    text: mcpServers(launch, (name) => `\${env:${name}}`),
    place: "put it into .cursor/mcp.json or ~/.cursor/mcp.json; the host reads the variables from its environment",
  }),
  vscode: (launch) => ({
    text: vscode(launch),
    place: "put it into .vscode/mcp.json; the host asks for the secrets once",
  }),
  codex: (launch) => ({
    text: codex(launch),
    place: "put it into ~/.codex/config.toml; the host reads the variables of env_vars from its environment",
  }),
  generic: (launch) => ({
    text: mcpServers(launch, placeholder, []),
    place: `put it into your host's server configuration, ${FILL_IN}; add --tool-names underscore to args if the host refuses names with slashes`,
  }),
};

/** Accepted names of `--host`. */
export const MCP_HOSTS: readonly string[] = Object.keys(HOSTS);

/** Null for an unknown host. */
export const mcpSnippet = (host: string, launch: Launch): Snippet | null =>
  Object.hasOwn(HOSTS, host) ? (HOSTS[host]?.(launch) ?? null) : null;
