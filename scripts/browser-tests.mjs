import { migrate, startApp } from './app.mjs';
import { findBrowser } from './browser.mjs';
import { openDatabases } from './database.mjs';
import { freePort } from './ports.mjs';
import { run } from './processes.mjs';
import { freshFile } from './tally.mjs';
import { command, inRoot, readText } from './workspace.mjs';

/** Tests and load make more sandboxes and requests than people do. */
export const raisedLimits = { SANDBOX_REQUESTS_MAX: '100000', ADDRESS_SANDBOXES_MAX: '100000' };

/**
 * Finds a browser, and starts an app with a database of its own on `server`. Returns what the tests must know of both.
 * @param {import('./postgres.mjs').PostgresServer} server
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function prepareBrowserTests(server) {
  const browser = await findBrowser();
  console.log(`Browser: ${browser.name} (${browser.path})`);
  const databases = await openDatabases(server, 'pay_once_browser_tests');
  await migrate(databases);
  const log = freshFile('browser-tests-app.log');
  const app = await startApp({ databases, port: await freePort(), log, admin: 'on', env: raisedLimits });
  return {
    BASE_URL: await app.listening,
    CARD_NETWORK_DATABASE_URL: databases.cardNetwork.MIGRATION_DATABASE_URL,
    CARD_NETWORK_URL: app.cardNetworkUrl,
    E2E_CHROMIUM: browser.path,
    TEST_DATABASE_URL: databases.shop.MIGRATION_DATABASE_URL,
  };
}

/**
 * Runs Playwright in `e2e`.
 * @param {string[]} args @param {NodeJS.ProcessEnv} env @param {'show' | 'capture'} output
 */
export const playwright = (args, env, output) =>
  run({
    program: command('e2e', 'playwright'),
    args: ['test', ...args],
    cwd: inRoot('e2e'),
    env,
    output,
    // Whoever watches it ends it when it takes too long.
    ...(output === 'show' && { timeoutMs: 86_400_000 }),
    // It closes its browsers then, and does not on SIGTERM.
    stopSignal: 'SIGINT',
  });

/**
 * Runs the browser tests and counts them.
 * @param {NodeJS.ProcessEnv} env as prepared above
 * @returns {Promise<import('./tally.mjs').Outcome>}
 */
export async function runBrowserTests(env) {
  const report = freshFile('browser-tests.json');
  const reporting = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const { code, output } = await playwright(['--reporter=list,json'], reporting, 'capture');
  return { ...countPlaywright(readText(report), code), output };
}

/**
 * Counts a JSON report of Playwright. A test that passes only when it is tried again counts as failed; so does a run
 * without a report, and an error outside of every test.
 * @param {string | undefined} report
 * @param {number} code the exit code of Playwright
 */
export function countPlaywright(report, code) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  /** @type {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } }} */
  const { stats } = JSON.parse(report);
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: failed || (code === 0 ? 0 : 1), skipped: stats.skipped };
}
