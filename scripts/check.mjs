import { runChecks } from './checks.mjs';
import { install } from './install.mjs';
import { runScript } from './shutdown.mjs';
import { sumUp } from './tally.mjs';

const work = async () => {
  await install();
  return sumUp(await runChecks());
};
await runScript(work, { interruptedCode: 130 });
