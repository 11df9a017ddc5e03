import type { OrgDb, OrgWrite } from '#server/platform/events/write.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { blankRecipients, isAnyPrepared, listRecipientPage, saveStates } from './sending/recipient-store.ts'
import { addToCounts } from './store.ts'

/** Identifies rows by the given number or the conversation. */
interface Forgotten {
  readonly conversationIds: readonly string[]
  isTheirs(given: string): boolean
}

const rowsPerPage = 500

/**
 * Removes a person from the rows of every send, in batches. Sent messages still count; queued ones are not sent.
 * Returns the last key. Undefined: the end was reached. `wait`: a plan is being written.
 */
export const createForgetting =
  ({ clock }: { clock: Clock }) =>
  async ({ db, orgId }: OrgWrite, after: string, { conversationIds, isTheirs }: Forgotten) => {
    if (after === '' && (await isAnyPrepared(db, orgId))) return 'wait' as const
    const page = await listRecipientPage(db, after, rowsPerPage)
    const rows = page.filter(
      ({ org_id, given, conversation_id: id }) =>
        org_id === orgId && (isTheirs(given) || (id !== null && conversationIds.includes(id))),
    )
    const planned = rows.filter(({ state }) => state === 'planned')
    await omit(db, orgId, planned, isoNow(clock))
    await blankRecipients(
      db,
      orgId,
      rows.map(({ id }) => id),
    )
    return page.at(-1)?.id
  }

const omit = async (
  db: OrgDb,
  orgId: string,
  rows: readonly { id: string; send_id: string }[],
  at: string,
): Promise<void> => {
  await saveStates(
    db,
    rows.map(({ id }) => ({ id, state: 'omitted', reason: 'erased' })),
    { orgId, at },
  )
  for (const [sendId, own] of Map.groupBy(rows, row => row.send_id))
    await addToCounts(db, orgId, sendId, { planned: -own.length, omitted: own.length })
}
