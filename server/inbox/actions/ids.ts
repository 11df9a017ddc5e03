import { timingSafeEqual } from 'node:crypto'
import type { KeyedHash } from '../../secrets.ts'

const mark = 'a'

/** It looks like the id of a button behind which something happens; whether it is one of ours, `read` says. */
export const isActionId = (id: string): boolean => id.startsWith(`${mark}.`)

/** Ids of buttons: what they do stands with the message, and nobody makes one who has not the installation's secret. */
export function createActionIds(hash: KeyedHash) {
  const idOf = (orgId: string, messageId: string): string =>
    `${mark}.${messageId}.${hash(`button of a message ${orgId} ${messageId}`)}`
  return {
    idOf,
    /** The message whose button it is; undefined: we never gave it out in this organization. */
    read(orgId: string, id: string): string | undefined {
      const [, messageId = ''] = id.split('.')
      const given = Buffer.from(id)
      const ours = Buffer.from(idOf(orgId, messageId))
      return given.length === ours.length && timingSafeEqual(given, ours) ? messageId : undefined
    },
  }
}
export type ActionIds = ReturnType<typeof createActionIds>
