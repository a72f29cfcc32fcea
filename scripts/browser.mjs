import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { npmChromiumStarts } from './npm-chromium.mjs';
import { run } from './processes.mjs';
import { command, inRoot, PlainError } from './workspace.mjs';

/** @typedef {{ name: string, path: string }} Browser */

/**
 * Finds a Chromium for the browser tests, and gets one when there is none. The first of these that works: the one
 * named by E2E_CHROMIUM, Playwright's own, one that is installed, the one that came with npm, apt's, Playwright's.
 * @returns {Promise<Browser>}
 */
export async function findBrowser() {
  const named = process.env['E2E_CHROMIUM'];
  if (named) {
    if (!existsSync(named)) throw new PlainError(`E2E_CHROMIUM names ${named}, which does not exist.`);
    return { name: 'E2E_CHROMIUM', path: named };
  }
  for (const find of [playwrightBrowser, installedBrowser, npmBrowser, aptBrowser, downloadedBrowser]) {
    const browser = await find();
    if (browser) return browser;
  }
  throw new PlainError(
    'There is no browser for the browser tests. Install Chromium, Chrome or Edge, or name one: E2E_CHROMIUM=/path/to/chrome',
  );
}

/** A file that is there may still not run: libraries can be missing, and Ubuntu has a stub. @param {string} path */
const works = (path) => spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;

/** @returns {Promise<Browser | undefined>} */
async function playwrightBrowser() {
  const { chromium } = createRequire(inRoot('e2e/package.json'))('@playwright/test');
  /** @type {string} */
  const path = chromium.executablePath();
  return existsSync(path) && works(path) ? { name: "Playwright's Chromium", path } : undefined;
}

/** @returns {Promise<Browser | undefined>} */
async function installedBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const applications = ['Chromium', 'Google Chrome', 'Microsoft Edge'];
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...applications.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  ];
  const path = candidates.find((candidate) => existsSync(candidate) && works(candidate));
  return path ? { name: path, path } : undefined;
}

/** @returns {Promise<Browser | undefined>} */
async function npmBrowser() {
  const path = npmChromiumStarts().find(works);
  return path ? { name: 'Chromium from npm', path } : undefined;
}

/** @returns {Promise<Browser | undefined>} */
async function aptBrowser() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.log('There is no browser for the browser tests; installing Chromium with apt-get.');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const install = /** @type {const} */ (['install', '-y', '--no-install-recommends', 'chromium']);
  for (const args of [install, ['update'], install]) {
    await run({ program: 'apt-get', args: [...args], env, output: 'capture' });
    const browser = await installedBrowser();
    if (browser) return browser;
  }
  return undefined;
}

/** @returns {Promise<Browser | undefined>} */
async function downloadedBrowser() {
  console.log('There is no browser for the browser tests; downloading the one of Playwright.');
  await run({ program: command('e2e', 'playwright'), args: ['install', 'chromium'], output: 'show' });
  return playwrightBrowser();
}
