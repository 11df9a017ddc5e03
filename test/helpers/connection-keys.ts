import type { Backend } from '#server/wiring.ts'

/** The organization's connection with its secrets open, as the server itself holds it; undefined: none is connected. */
export async function connectionKeys(backend: Backend, orgId: string) {
  const id = (await backend.numbers.clientOf(orgId))?.connection.id
  return id === undefined ? undefined : backend.numbers.findByConnectionId(id)
}
