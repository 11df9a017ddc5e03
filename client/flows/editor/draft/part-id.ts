/** A random id for a node, an edge, an option or a trigger; only in handlers, never while rendering. */
export const newPartId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}
