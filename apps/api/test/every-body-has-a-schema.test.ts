import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(`${source}/${name}`, 'utf8') }));
const controllers = files.filter(({ text }) => text.includes('@Controller('));

it('Every controller is looked at', () => {
  expect(controllers.length).toBeGreaterThan(5);
  expect(controllers.filter(({ text }) => /@(Post|Put|Patch)\(/.test(text)).length).toBeGreaterThan(3);
});

// The pipe lets a body through, unread, when its decorator names no schema.
it.each(controllers)('$name validates each body that it takes', ({ text }) => {
  const bodies = text.match(/@Body\([^)]*\)/g) ?? [];
  expect(bodies.filter((body) => !/^@Body\(\{ schema: \w+ \}\)$/.test(body))).toEqual([]);
});

it('Nobody reads a body past the pipe', () => {
  const readers = files.filter(({ text }) => /\b(request|req)\.body\b|@RawBody\(/.test(text));
  expect(readers.map(({ name }) => name)).toEqual([]);
});
