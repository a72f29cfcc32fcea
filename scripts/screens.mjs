import { playwright, prepareBrowserTests } from './browser-tests.mjs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { startTemporaryPostgres } from './postgres.mjs';
import { runScript } from './shutdown.mjs';

/** Takes a picture of every screen, in both languages, both themes and three widths. Arguments go on to Playwright. */
const work = async () => {
  await install();
  await build();
  const env = await prepareBrowserTests(await startTemporaryPostgres());
  const ended = await playwright(
    ['--config=playwright.screens.config.ts', ...process.argv.slice(2)],
    env,
    'show',
  );
  console.log('The pictures are in e2e/screens/pictures.');
  return ended;
};
await runScript(work, { interruptedCode: 130 });
