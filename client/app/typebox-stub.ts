/** What a schema is in a bundle; so are its parts, since contracts are made of one another's. */
const part: object = new Proxy({}, { get: (_, key) => (typeof key === 'string' && key !== 'then' ? part : undefined) })

/** Stands for `typebox` in bundles: a page calls endpoints but checks no schemas, so every `Type.…()` is empty there. */
export const Type: unknown = new Proxy({}, { get: () => () => part })
