import { timingSafeEqual } from 'node:crypto'
import type { KeyedHash } from '#server/platform/crypto/secrets.ts'

const mark = 'a'

/** It looks like the id of a button behind which something happens; whether it is one of ours, `read` says. */
export const isActionId = (id: string): boolean => id.startsWith(`${mark}.`)

/**
 * Ids of buttons: what they do stands with the message, and nobody makes one who has not the installation's secret.
 * @param former hashes by secrets of before: buttons stay in chats for years
 */
export function createActionIds(hash: KeyedHash, former: readonly KeyedHash[] = []) {
  const madeBy = (one: KeyedHash, orgId: string, messageId: string): string =>
    `${mark}.${messageId}.${one(`button of a message ${orgId} ${messageId}`)}`
  const idOf = (orgId: string, messageId: string): string => madeBy(hash, orgId, messageId)
  return {
    idOf,
    /** The message whose button it is; undefined: we never gave it out in this organization. */
    read(orgId: string, id: string): string | undefined {
      const [, messageId = ''] = id.split('.')
      const given = Buffer.from(id)
      const isOurs = [hash, ...former].some(one => {
        const ours = Buffer.from(madeBy(one, orgId, messageId))
        return given.length === ours.length && timingSafeEqual(given, ours)
      })
      return isOurs ? messageId : undefined
    },
  }
}
export type ActionIds = ReturnType<typeof createActionIds>
