import { inRoot, PlainError, readText } from './workspace.mjs';

/** Refuses a Node that `engines` in package.json leaves out. */
export function requireNodeVersion() {
  /** @type {{ engines: { node: string } }} */
  const { engines } = JSON.parse(readText(inRoot('package.json')) ?? '{}');
  if (isInRange(process.versions.node, engines.node)) return;
  throw new PlainError(
    `Pay Once needs Node ${engines.node}; this is Node ${process.versions.node}. See https://nodejs.org.`,
  );
}

/**
 * Whether `version` is in `range`, a list of `^a.b.c` and `>=a.b.c` joined by `||`.
 * @param {string} version @param {string} range
 */
export function isInRange(version, range) {
  const [major = 0, minor = 0] = numbers(version);
  return range.split('||').some((part) => {
    const [fromMajor = 0, fromMinor = 0] = numbers(part);
    if (major === fromMajor) return minor >= fromMinor;
    return part.includes('>=') && major > fromMajor;
  });
}

/** @param {string} text */
const numbers = (text) => (text.match(/\d+/g) ?? []).map(Number);
