import { timingSafeEqual } from 'node:crypto'
import type { KeyedHash } from '#server/platform/crypto/secrets.ts'

const mark = 'a'

/** Checks the form of the id only; `read` checks that it is one of ours. */
export const isActionId = (id: string): boolean => id.startsWith(`${mark}.`)

/**
 * Ids of action buttons. The action is stored with the message; the id is signed with the installation's secret. @param
 * former hashes by earlier secrets, because buttons stay in chats for years
 */
export function createActionIds(hash: KeyedHash, former: readonly KeyedHash[] = []) {
  const madeBy = (one: KeyedHash, orgId: string, messageId: string): string =>
    `${mark}.${messageId}.${one(`button of a message ${orgId} ${messageId}`)}`
  const idOf = (orgId: string, messageId: string): string => madeBy(hash, orgId, messageId)
  return {
    idOf,
    /** The message whose button it is. Undefined: we never issued it in this organization. */
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
