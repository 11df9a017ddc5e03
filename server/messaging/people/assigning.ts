import { decideControl } from '#server/messaging/conversations/control.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, nameOf } from '#server/messaging/conversations/shown/present.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import type { Control } from '#server/messaging/events.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { findAssignee, findTeamName, setAssignment } from './assignment-store.ts'

/** Absent: unchanged. Null: unassigned. */
export interface AssignmentChange {
  readonly userId?: string | null | undefined
  readonly teamId?: string | null | undefined
  /** The control of an unassigned conversation afterwards. Absent: unchanged. */
  readonly control?: 'bot' | 'needsHuman' | undefined
  /** The request's field that named the person. */
  readonly field?: string
}

/** @throws INBOX_ASSIGNEE_NOT_FOUND for `field`, if the person is no member or may not answer customers */
const nameOfAssignee = async ({ db, orgId }: OrgWrite, userId: string, field: string): Promise<string> => {
  const person = await findAssignee(db, orgId, userId)
  if (!person || !roleCan(effectiveRole(person.role), 'chat:reply'))
    throw inboxErrors.ASSIGNEE_NOT_FOUND({ fields: [field] })
  return person.name
}

/** @throws INBOX_TEAM_NOT_FOUND */
const nameOfTeam = async ({ db, orgId }: OrgWrite, teamId: string): Promise<string> => {
  const name = await findTeamName(db, orgId, teamId)
  if (name === undefined) throw inboxErrors.TEAM_NOT_FOUND({ fields: ['body.teamId'] })
  return name
}

/**
 * Assigns conversations. A person they are assigned to controls them, and customers no longer wait. Returns all rows
 * after the change. Emits `conversation.assigned`, and `conversation.controlChanged` where control changed;
 * `conversation.changed` is the caller's.
 */
export async function assignMany(
  write: OrgWrite,
  rows: readonly ListRow[],
  { userId, teamId, control: next, field = 'body.userId' }: AssignmentChange,
): Promise<ListRow[]> {
  const { db, orgId, by, emit } = write
  const isNewPerson = userId !== undefined && rows.some(row => row.assignee_id !== userId)
  const isNewTeam = teamId !== undefined && rows.some(row => row.team_id !== teamId)
  const person = { id: userId ?? null, name: isNewPerson && userId ? await nameOfAssignee(write, userId, field) : null }
  const team = { id: teamId ?? null, name: isNewTeam && teamId ? await nameOfTeam(write, teamId) : null }
  const alike = new Map<Control, string[]>()
  const after = rows.map(row => {
    const isOther = userId !== undefined && row.assignee_id !== person.id
    const isOtherTeam = teamId !== undefined && row.team_id !== team.id
    if (!isOther && !isOtherTeam) return row
    const isTaken = isOther && person.id !== null
    const isLeft = isOther && person.id === null && next !== undefined
    const held = { control: row.control, assigneeId: person.id }
    const control = isTaken
      ? decideControl(held, { kind: 'taken' })
      : isLeft
        ? decideControl(held, { kind: next === 'bot' ? 'released' : 'waitsAgain' })
        : row.control
    alike.set(control, [...(alike.get(control) ?? []), row.id])
    return {
      ...row,
      ...(isOther ? { assignee_id: person.id, assignee_name: person.name } : {}),
      ...(isOtherTeam ? { team_id: team.id, team_name: team.name } : {}),
      control,
    }
  })
  for (const [control, ids] of alike)
    await setAssignment(db, orgId, ids, {
      ...(userId === undefined ? {} : { assignee_id: person.id }),
      ...(teamId === undefined ? {} : { team_id: team.id }),
      control,
    })
  for (const [place, row] of rows.entries()) {
    const now = after[place] as ListRow
    if (now === row) continue
    const data = { ...conversationRef(row), by }
    const from = { userId: row.assignee_id, teamId: row.team_id }
    const to = { userId: now.assignee_id, teamId: now.team_id }
    emit({ type: 'conversation.assigned', data: { ...data, name: nameOf(row), from, to } })
    if (now.control !== row.control)
      emit({ type: 'conversation.controlChanged', data: { ...data, from: row.control, to: now.control } })
  }
  return after
}

/** Assigns one conversation. @see assignMany */
export async function assign(write: OrgWrite, row: ListRow, change: AssignmentChange): Promise<ListRow> {
  const [after = row] = await assignMany(write, [row], change)
  return after
}
