// Reads the parts of the Dockerfile syntax that this project uses, so that the image check executes the file itself.

/** Without comments, with continued lines joined. */
function instructions(text) {
  const lines = text.split("\n").filter((line) => !/^\s*#/.test(line));
  const joined = lines.join("\n").replace(/\\\n\s*/g, " ");
  return joined
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => ({ name: line.split(/\s+/, 1)[0].toUpperCase(), rest: line.replace(/^\S+\s*/, "") }));
}

const words = (text) => text.split(/\s+/).filter((word) => word !== "");

function variables(text) {
  return Object.fromEntries(
    words(text).map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

/**
 * Stages in order: `base` is an image (`image: true`) or an earlier stage, `steps` are RUN and COPY with their working
 * directory, and `settings` are the final image settings. Throws for an unknown instruction.
 */
export function readDockerfile(text) {
  const args = {};
  const stages = [];
  const fill = (value) => value.replace(/\$\{(\w+)\}/g, (_, name) => args[name] ?? "");
  for (const { name, rest } of instructions(text)) {
    const stage = stages.at(-1);
    if (name === "ARG" && !stage) args[rest.split("=")[0]] = rest.split("=")[1] ?? "";
    else if (name === "FROM") stages.push(begun(fill(rest), stages));
    else if (!stage) throw new Error(`${name} stands before FROM`);
    else take(stage, name, rest);
  }
  return stages;
}

function begun(rest, stages) {
  const [base, , name = `stage-${stages.length}`] = words(rest);
  const earlier = stages.find((stage) => stage.name === base);
  const settings = earlier ? structuredClone(earlier.settings) : { folder: "/", env: {}, user: "root", volumes: [] };
  return { name, base, image: earlier === undefined, steps: [], settings };
}

function take({ steps, settings }, name, rest) {
  switch (name) {
    case "RUN":
      return steps.push({ kind: "run", command: rest, folder: settings.folder, env: { ...settings.env } });
    case "COPY": {
      const from = /^--from=(\S+)\s+/.exec(rest);
      const paths = words(rest.replace(/^--from=\S+\s+/, ""));
      const to = paths.pop();
      return steps.push({ kind: "copy", from: from?.[1] ?? null, paths, to, folder: settings.folder });
    }
    case "WORKDIR":
      return (settings.folder = rest);
    case "ENV":
      return Object.assign(settings.env, variables(rest));
    case "USER":
      return (settings.user = rest);
    case "VOLUME":
      return settings.volumes.push(rest);
    case "STOPSIGNAL":
      return (settings.stopSignal = rest);
    case "HEALTHCHECK":
      return (settings.health = JSON.parse(rest.slice(rest.indexOf("CMD") + 3)));
    case "ENTRYPOINT":
      return (settings.entrypoint = JSON.parse(rest));
    case "CMD":
      return (settings.command = JSON.parse(rest));
    default:
      throw new Error(`${name} is unknown; add it to scripts/image/dockerfile.mjs`);
  }
}
