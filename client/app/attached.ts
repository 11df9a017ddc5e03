interface Attached<T extends object, V> {
  of(owner: T): V | undefined
  attach(owner: T, value: V): void
}

/**
 * What lives exactly as long as another object, on a hidden property of it: copies, comparisons and JSON do not see it.
 * Not in a WeakMap: V8 frees what an old WeakMap has as keys only when it collects all garbage, so on the server each
 * page would stay, with everything it refers to, until the next full collection, which delays whoever asks meanwhile.
 */
export const createAttached = <T extends object, V>(): Attached<T, V> => {
  const key = Symbol('attached')
  return {
    of: owner => (owner as { readonly [key]?: V })[key],
    attach: (owner, value) =>
      void Object.defineProperty(owner, key, { value, writable: true, configurable: true, enumerable: false }),
  }
}
