/**
 * Stands for `typebox` in bundles: a page calls endpoints but checks no schemas, so every `Type.…()` is an empty
 * object there.
 */
export const Type: unknown = new Proxy({}, { get: () => () => ({}) })
