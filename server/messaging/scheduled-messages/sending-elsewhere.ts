import { createHash } from 'node:crypto'
import { filledFor } from '#server/messaging/sending/filled-text.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { OrgVariables } from '#shared/orgs/variables.ts'
import { emitScheduled } from './changes.ts'
import type { SendingElsewhere, SentElsewhere } from './elsewhere.ts'
import { scheduledErrors } from './errors.ts'
import { findScheduled, type ScheduledRow, saveScheduled, takeScheduled } from './store.ts'

export const uncertainCode = 'SCHEDULED_UNCERTAIN'
const heldCodes: Partial<Record<SentElsewhere['kind'], string>> = {
  refused: 'SCHEDULED_REFUSED',
  uncertain: uncertainCode,
}

interface Parts {
  readonly databases: Pick<Databases, 'read'>
  readonly writes: Pick<Writes, 'run'>
  readonly elsewhere: Pick<SendingElsewhere, 'refresh' | 'send'>
  readOrgVariables(orgId: string, db: Db): Promise<OrgVariables>
  /** @throws SCHEDULED_CONTACT_BLOCKED */
  requireNotBlocked(write: OrgWrite, conversationId: string): Promise<void>
}

/** Sends scheduled messages through the system that operates the number. */
export function createSendingElsewhere({ databases, writes, readOrgVariables, elsewhere, requireNotBlocked }: Parts) {
  /**
   * Marks the message as perhaps sent before anybody is asked to send it, so that a crash never sends it twice.
   * @returns the text to send @throws SCHEDULED_NOT_FOUND, SCHEDULED_CONTACT_BLOCKED
   */
  const claim = (caller: OrgCaller, { id, due_at }: ScheduledRow) =>
    writes.run(caller.orgId, actorOf(caller), async write => {
      const row = await findScheduled(write.db, write.orgId, id)
      if (row?.due_at !== due_at) throw scheduledErrors.NOT_FOUND()
      const { conversation_id: conversationId, text, author_name: agent } = row
      await requireNotBlocked(write, conversationId)
      await saveScheduled(write.db, write.orgId, id, { held_code: uncertainCode })
      return filledFor(write, { conversationId, text, agent }, readOrgVariables)
    })

  return {
    /**
     * Deletes the row once the other system has the message. Otherwise the row says why it is still there.
     * @throws SCHEDULED_NOT_FOUND, SCHEDULED_CONTACT_BLOCKED, and UPSTREAM_… if nobody knows whether the customer wrote
     */
    async send(caller: OrgCaller, row: ScheduledRow): Promise<SentElsewhere> {
      if (row.ends_on_reply === 1 && row.held_code === null) {
        await elsewhere.refresh(caller, row.conversation_id)
        if (!(await findScheduled(databases.read, caller.orgId, row.id))) throw scheduledErrors.NOT_FOUND()
      }
      const text = await claim(caller, row)
      const key = `${row.id}.${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`
      const outcome = await elsewhere.send(caller, { conversationId: row.conversation_id, text, key })
      await writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        if (outcome.kind === 'sent') await takeScheduled(db, orgId, row.id)
        else await saveScheduled(db, orgId, row.id, { held_code: heldCodes[outcome.kind] ?? row.held_code })
        if (outcome.kind !== 'notYet') await emitScheduled(write, row, outcome.kind === 'sent' ? 'sent' : 'held')
      })
      return outcome
    },
  }
}
