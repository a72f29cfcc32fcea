import { build } from './build.mjs';
import { install } from './install.mjs';
import { runScript } from './shutdown.mjs';

/** Installs and builds, and starts nothing. */
const work = async () => {
  await install();
  await build();
  return { code: 0 };
};
await runScript(work, { interruptedCode: 130 });
