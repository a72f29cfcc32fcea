import { rmSync } from 'node:fs';
import { migrate } from './app.mjs';
import { build } from './build.mjs';
import { holdDataFolder } from './data-folder.mjs';
import { databasesFromEnvironment } from './database.mjs';
import { install } from './install.mjs';
import { stopLeftoverServer } from './postgres.mjs';
import { dataDirectoryFor } from './postgres-place.mjs';
import { runScript } from './shutdown.mjs';
import { shown } from './workspace.mjs';

await runScript(reset, { interruptedCode: 130 });

/** Empties the data: on the server that `DATABASE_URL` names, else in the data folder, which no app may be using. */
async function reset() {
  const outside = databasesFromEnvironment();
  if (outside) {
    await install();
    await build();
    await migrate(outside, ['--reset']);
    return { code: 0, line: 'The databases are as they were at the first start.' };
  }
  const folder = await holdDataFolder();
  const directory = dataDirectoryFor(folder.database);
  await stopLeftoverServer(directory);
  rmSync(directory, { recursive: true, force: true });
  return { code: 0, line: `${shown(directory)} is gone. The next start makes it anew.` };
}
