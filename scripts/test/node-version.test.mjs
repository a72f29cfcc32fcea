import { expect, test } from 'vitest';
import { isInRange } from '../node-version.mjs';

const range = '^20.19.0 || ^22.13.0 || >=24.11.0';

test.each(['20.19.0', '20.20.2', '22.13.0', '22.23.1', '24.11.0', '25.0.0'])(
  'Node %s is taken',
  (version) => {
    expect(isInRange(version, range)).toBe(true);
  },
);

test.each(['18.20.8', '20.18.3', '21.7.3', '22.12.0', '23.11.1', '24.10.0'])(
  'Node %s is refused',
  (version) => {
    expect(isInRange(version, range)).toBe(false);
  },
);
