import { archiveStates } from '#server/messaging/archive-states.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { customerWindowMs } from '#shared/kernel/limits.ts'
import { decideControl } from '../control.ts'
import type { ListRow } from '../rows/list-row-store.ts'
import { conversationRef } from '../shown/present.ts'
import { emitChanged } from './emit-changed.ts'
import { type Flags, setFlags } from './flags-store.ts'
import { emitSnoozeEnded } from './snooze-ended.ts'

/** Meta does not mark older messages as read. */
const receiptMaxAgeMs = 30 * 24 * 60 * 60 * 1000

/** Changes flags. Returns the rows after the change, and those that differ. Equal flags change nothing. */
async function changeFlags(
  write: OrgWrite,
  rows: readonly ListRow[],
  decide: (row: ListRow) => Flags,
): Promise<{ rows: ListRow[]; changed: ListRow[] }> {
  const { db, orgId } = write
  const changed: ListRow[] = []
  const alike = new Map<string, { flags: Flags; ids: string[] }>()
  const after = rows.map(row => {
    const flags = decide(row)
    const isNews = Object.entries(flags).some(([name, value]) => row[name as keyof Flags] !== value)
    if (!isNews) return row
    changed.push(row)
    const key = JSON.stringify(flags)
    const group = alike.get(key) ?? { flags, ids: [] }
    alike.set(key, group)
    group.ids.push(row.id)
    return { ...row, ...flags }
  })
  for (const { flags, ids } of alike.values()) await setFlags(db, orgId, ids, flags)
  const changedIds = new Set(changed.map(row => row.id))
  await emitChanged(
    write,
    after.filter(row => changedIds.has(row.id)),
  )
  return { rows: after, changed }
}

/** A bot does not continue after archiving. The customer's next message decides. */
const controlAfterReturn = ({ archived, control, control_before_archive: before }: ListRow) =>
  archived === archiveStates.archived && control === 'none' && (before === 'human' || before === 'needsHuman')
    ? before
    : control

const flagsOfArchive = (row: ListRow, isArchived: boolean): Flags => {
  if (!isArchived)
    return { archived: archiveStates.open, control: controlAfterReturn(row), control_before_archive: null }
  const control = decideControl({ control: row.control, assigneeId: row.assignee_id }, { kind: 'archived' })
  const before =
    row.archived === archiveStates.archived && row.control === 'none' ? row.control_before_archive : row.control
  return { archived: archiveStates.archived, control, control_before_archive: before }
}

/**
 * An archived conversation is controlled by nobody. When the customer writes, it returns and waits for a person.
 * Unarchived by a member, it is controlled as before.
 */
export async function archive(write: OrgWrite, rows: readonly ListRow[], isArchived: boolean): Promise<ListRow[]> {
  const { emit, by } = write
  const { rows: after, changed } = await changeFlags(write, rows, row => flagsOfArchive(row, isArchived))
  const byId = new Map(after.map(row => [row.id, row]))
  for (const row of changed) {
    const data = conversationRef(row)
    if (row.archived === archiveStates.snoozed) emitSnoozeEnded(write, row, { why: 'ended', by })
    const isTurned = (row.archived === archiveStates.archived) !== isArchived
    if (isTurned)
      emit({ type: isArchived ? 'conversation.archived' : 'conversation.unarchived', data: { ...data, by } })
    const from = row.control
    const to = byId.get(row.id)?.control ?? from
    const returned = isArchived ? {} : { returned: true as const }
    if (from !== to) emit({ type: 'conversation.controlChanged', data: { ...data, from, to, by, ...returned } })
  }
  return after
}

interface ReadParts {
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'enqueueReads'>
}

/** Marks conversations as read and sends read receipts. */
export async function markRead(
  write: OrgWrite,
  all: readonly ListRow[],
  { clock, outbox }: ReadParts,
): Promise<ListRow[]> {
  const { rows, changed } = await changeFlags(write, all, () => ({ unread: 0 }))
  const now = clock.now().getTime()
  const receipts = changed.flatMap(row => {
    write.emit({ type: 'conversation.read', data: conversationRef(row) })
    const wamid = row.last_inbound_wamid
    const wroteAt = Date.parse(row.window_closes_at ?? '') - customerWindowMs
    if (wamid === null || !(now - wroteAt < receiptMaxAgeMs)) return []
    return [{ conversationId: row.id, connectionId: row.connection_id, wamid }]
  })
  await outbox.enqueueReads(write, receipts)
  return rows
}

export async function markUnread(write: OrgWrite, all: readonly ListRow[]): Promise<ListRow[]> {
  const { rows, changed } = await changeFlags(write, all, row => ({ unread: Math.max(row.unread, 1) }))
  for (const row of changed) write.emit({ type: 'conversation.unread', data: conversationRef(row) })
  return rows
}
