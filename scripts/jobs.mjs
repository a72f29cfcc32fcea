import { runOnApp } from './running-app.mjs';
import { runScript } from './shutdown.mjs';

/** Lists the parked jobs of the app that is running here, or has them tried again: npm run jobs -- retry all */
await runScript(() => runOnApp('jobs-command.js'), { interruptedCode: 130 });
