import { cardNetworkUrl, runOnApp } from './running-app.mjs';
import { runScript } from './shutdown.mjs';

/** Compares the card network's record with that of the app that is running here, and prints what differs. */
const work = async () => {
  const env = { CARD_NETWORK_URL: cardNetworkUrl() };
  const { code } = await runOnApp('reconcile-command.js', env);
  return { code, ...(code === 0 && { line: 'Nothing differs.' }) };
};
await runScript(work, { interruptedCode: 130 });
