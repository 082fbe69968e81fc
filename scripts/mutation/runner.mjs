/**
 * Stryker's vitest runner with two verdicts corrected. A run with missing tests proves nothing and is repeated: under
 * load that runner loses runs and reports their mutants as survived (stryker-js, issue 6073). And a test file that a
 * mutant keeps from loading counts as failed, though none of its tests ran.
 */
import { strykerPlugins as vitestPlugins } from "@stryker-mutator/vitest-runner";

export { strykerValidationSchema } from "@stryker-mutator/vitest-runner";

const TRIES = 5;
const [vitest] = vitestPlugins;

const notLoaded = (runner) =>
  runner.ctx.state.getFiles().find((file) => file.result?.state === "fail" && file.result.errors?.length > 0);

function judged(result, runner, { testFilter }) {
  if (result.status !== "survived") return result;
  const failed = notLoaded(runner);
  if (failed) {
    const failureMessage = `${failed.name} did not load: ${failed.result.errors[0].message}`;
    return { status: "killed", killedBy: [], failureMessage, nrOfTests: result.nrOfTests };
  }
  return result.nrOfTests < (testFilter?.length ?? 1) ? null : result;
}

function sureRunner(injector) {
  const runner = vitest.factory(injector);
  const mutantRun = runner.mutantRun.bind(runner);
  runner.mutantRun = async (options) => {
    for (let tries = 0; tries < TRIES; tries++) {
      const result = judged(await mutantRun(options), runner, options);
      if (result) return result;
    }
    return { status: "error", errorMessage: `tests were missing in each of ${TRIES} tries` };
  };
  return runner;
}
sureRunner.inject = vitest.factory.inject;

export const strykerPlugins = [{ ...vitest, name: "vitest-sure", factory: sureRunner }];
