import { cardNetworkUrl, runOnApp } from './running-app.mjs';
import { runScript } from './shutdown.mjs';

/** Compares the card network's record with that of the app that is running here, and prints what differs. */
const work = async () => {
  const env = { CARD_NETWORK_URL: cardNetworkUrl() };
  return runOnApp('reconcile-command.js', env);
};
await runScript(work, { interruptedCode: 130 });
