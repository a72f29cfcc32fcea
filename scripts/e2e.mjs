import { playwright, prepareBrowserTests } from './browser-tests.mjs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { startTemporaryPostgres } from './postgres.mjs';
import { runScript } from './shutdown.mjs';

/** The browser tests alone. Arguments go on to Playwright: npm run e2e -- --grep "double click" */
const work = async () => {
  await install();
  await build();
  const env = await prepareBrowserTests(await startTemporaryPostgres());
  return playwright(process.argv.slice(2), env, 'show');
};
await runScript(work, { interruptedCode: 130 });
