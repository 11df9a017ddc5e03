import { effectiveRole, roleCan } from '#shared/permissions.ts'
import type { OrgWrite } from '../../events/writes.ts'
import type { ListRow } from '../conversations/list-row.ts'
import { inboxErrors } from '../errors.ts'
import { nameOf, placeOf } from '../present.ts'
import { findAssignee, findTeamName, setAssignment } from './assignment-store.ts'
import { decideControl } from './control.ts'

/** What is left out stays; null: nobody's, no team's. */
export interface AssignmentChange {
  readonly userId?: string | null
  readonly teamId?: string | null
}

/** @throws INBOX_ASSIGNEE_NOT_FOUND for somebody who is no member or may not answer customers */
const assigneeOf = async ({ db, orgId }: OrgWrite, row: ListRow, userId: string | null | undefined) => {
  if (userId === undefined || userId === row.assignee_id) return { id: row.assignee_id, name: row.assignee_name }
  if (userId === null) return { id: null, name: null }
  const person = await findAssignee(db, orgId, userId)
  if (!person || !roleCan(effectiveRole(person.role), 'chat:reply'))
    throw inboxErrors.ASSIGNEE_NOT_FOUND({ fields: ['body.userId'] })
  return { id: userId, name: person.name }
}

/** @throws INBOX_TEAM_NOT_FOUND */
const teamOf = async ({ db, orgId }: OrgWrite, row: ListRow, teamId: string | null | undefined) => {
  if (teamId === undefined || teamId === row.team_id) return { id: row.team_id, name: row.team_name }
  if (teamId === null) return { id: null, name: null }
  const name = await findTeamName(db, orgId, teamId)
  if (name === undefined) throw inboxErrors.TEAM_NOT_FOUND({ fields: ['body.teamId'] })
  return { id: teamId, name }
}

/**
 * Says whose a conversation is; a person it is given to has it, and nobody is waited for any more. Answers the row as it
 * is then; the same again changes nothing. Emits `conversation.assigned`, and `conversation.controlChanged` where that
 * is so; `conversation.changed` is the caller's.
 */
export async function assign(write: OrgWrite, row: ListRow, change: AssignmentChange): Promise<ListRow> {
  const { db, orgId, by, emit } = write
  const person = await assigneeOf(write, row, change.userId)
  const team = await teamOf(write, row, change.teamId)
  if (person.id === row.assignee_id && team.id === row.team_id) return row
  const isTaken = person.id !== null && person.id !== row.assignee_id
  const held = { control: row.control, assigneeId: person.id }
  const control = isTaken ? decideControl(held, { kind: 'taken' }) : row.control
  await setAssignment(db, orgId, row.id, { assignee_id: person.id, team_id: team.id, control })
  const place = placeOf(row)
  const from = { userId: row.assignee_id, teamId: row.team_id }
  const to = { userId: person.id, teamId: team.id }
  emit({ type: 'conversation.assigned', data: { ...place, name: nameOf(row), from, to, by } })
  if (control !== row.control)
    emit({ type: 'conversation.controlChanged', data: { ...place, from: row.control, to: control, by } })
  return { ...row, assignee_id: person.id, assignee_name: person.name, team_id: team.id, team_name: team.name, control }
}
