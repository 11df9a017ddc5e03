import type { House } from '#server/wiring.ts'

/** The organization's connection with its secrets open, as the server itself holds it; undefined: none is connected. */
export async function connectionKeys(house: House, orgId: string) {
  const id = (await house.numbers.clientOf(orgId))?.connection.id
  return id === undefined ? undefined : house.numbers.findByConnectionId(id)
}
