/** A promise and the function that resolves it. */
export function signal<Value>(): { promise: Promise<Value>; fire: (value: Value) => void } {
  let fire: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}
