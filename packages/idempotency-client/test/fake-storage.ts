type StorageLike = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What a browser tab sees of `localStorage`: several stores over one of these are several tabs, or a reload. */
export function createStorage(): StorageLike & { items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
}

function refuse(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError');
}

/** Each is a way in which browsers let `localStorage` fail. */
export const hostileStorages: Record<string, () => StorageLike> = {
  'that is blocked as soon as it is looked at': refuse,
  'that does not exist': () => undefined as unknown as StorageLike,
  'that throws on every access': () => ({ getItem: refuse, setItem: refuse, removeItem: refuse }),
  'that is full': () => ({ ...createStorage(), setItem: refuse }),
  'that forgets everything at once': () => ({ ...createStorage(), setItem: () => {} }),
  'that holds garbage': () => ({ ...createStorage(), getItem: () => '{"key":' }),
  'that holds JSON of another kind': () => ({ ...createStorage(), getItem: () => '[1, "two"]' }),
  'that holds an intent with a key no header can carry': () => ({
    ...createStorage(),
    getItem: () =>
      JSON.stringify({
        key: 'a\nb',
        operation: 'o',
        body: '{}',
        createdAt: '2026-01-01',
        expiresAt: '2099-01-01',
      }),
  }),
};
