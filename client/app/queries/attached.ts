interface Attached<T extends object, V> {
  of(owner: T): V | undefined
  attach(owner: T, value: V): void
}

/**
 * A value that lives as long as another object, stored in a hidden property that copies, comparisons and JSON ignore.
 * Not a WeakMap: V8 frees the keys of an old WeakMap only in a full garbage collection, so on the server every page
 * would stay in memory until then, and that collection delays other requests.
 */
export const createAttached = <T extends object, V>(): Attached<T, V> => {
  const key = Symbol('attached')
  return {
    of: owner => (owner as { readonly [key]?: V })[key],
    attach: (owner, value) =>
      void Object.defineProperty(owner, key, { value, writable: true, configurable: true, enumerable: false }),
  }
}
