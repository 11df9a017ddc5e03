import type { Backend } from '#server/wiring.ts'

/** The organization's connection with its decrypted secrets; undefined: no number is connected. */
export async function connectionKeys(backend: Backend, orgId: string) {
  const id = (await backend.numbers.findClient(orgId))?.connection.id
  return id === undefined ? undefined : backend.numbers.findByConnectionId(id)
}
