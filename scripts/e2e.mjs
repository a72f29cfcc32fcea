import { playwright, prepareBrowserTests } from './browser-tests.mjs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { startTemporaryPostgres } from './postgres.mjs';
import { runScript } from './shutdown.mjs';

/**
 * The browser tests alone. Arguments go on to Playwright: npm run e2e -- --grep "double click". With --twice two runs of
 * them share one app and one database, at the same time: whatever a test takes for its own must be its own.
 */
const work = async () => {
  const args = process.argv.slice(2);
  await install();
  await build();
  const env = await prepareBrowserTests(await startTemporaryPostgres());
  const code = args.includes('--twice')
    ? await runTwice(
        args.filter((arg) => arg !== '--twice'),
        env,
      )
    : (await playwright(args, env, 'show')).code;
  if (code !== 0)
    console.log('What a failed test did: npm run e2e -- --trace retain-on-failure --grep "its title"');
  return { code };
};

/**
 * The first run is on the terminal, the second is printed when it has ended.
 * @param {string[]} args @param {NodeJS.ProcessEnv} env
 */
async function runTwice(args, env) {
  // One worker each: together they want no more of the machine than one run does.
  const runs = [1, 2].map((number) => {
    const own = ['--workers=1', `--output=test-results/${number}`, ...args];
    return playwright(own, env, number === 1 ? 'show' : 'capture');
  });
  const [first, second] = await Promise.all(runs);
  console.log(`The second run:\n${second?.output}`);
  return first?.code || second?.code || 0;
}

await runScript(work, { interruptedCode: 130 });
