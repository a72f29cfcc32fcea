import { prepareBrowserTests, runBrowserTests } from './browser-tests.mjs';
import { runChecks } from './checks.mjs';
import { install } from './install.mjs';
import { startTemporaryPostgres } from './postgres.mjs';
import { runScript } from './shutdown.mjs';
import { measure, success, sumUp } from './tally.mjs';
import { runVitest, vitestSuites } from './vitest-suites.mjs';

await runScript(async () => sumUp(await test()), { interruptedCode: 130 });

/** Every check and every suite, whatever became of those before. Without dependencies there is nothing to run. */
async function test() {
  const installed = await measure('install', async () => {
    await install();
    return success();
  });
  if (installed.failed) return [installed];

  const results = await runChecks();
  const server = await startTemporaryPostgres();
  const env = { TEST_DATABASE_URL: server.url('postgres', 'postgres') };
  for (const folder of vitestSuites) results.push(await measure(folder, () => runVitest(folder, env)));
  results.push(await measure('e2e', async () => runBrowserTests(await prepareBrowserTests(server))));
  return results;
}
