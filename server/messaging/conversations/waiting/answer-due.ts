import type { OfConversation } from '#server/messaging/events.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isPersons } from '../control.ts'
import { findRows } from '../rows/list-row-store.ts'
import { conversationRef, nameOf, shortName } from '../shown/present.ts'
import { deleteAnswerDues, findAnswerDues, listAnswerDues, markWarned, saveAnswerDues } from './answer-due-store.ts'

export type { AnswerDue } from './answer-due-store.ts'
export { isPersonsConversation } from './answer-due-store.ts'

/** A conversation whose customer may wait for a first response. */
export interface AwaitingConversation {
  readonly ref: OfConversation
  /** The customer, as notifications name them. Formatting a number takes time. */
  name(): string
  readonly assigneeId: string | null
  readonly teamId: string | null
  /**
   * It is open, a person has it or is needed, and the contact is neither blocked nor a group.
   * @see isPersonsConversation
   */
  readonly isPersons: boolean
}

/** Times at which promised first responses are due. The statistics write the rows; lists and chats show them. */
export const answerDues = {
  find: findAnswerDues,
  list: listAnswerDues,
  save: saveAnswerDues,
  delete: deleteAnswerDues,
  markWarned,
  /** The conversations by id, without deleted ones. */
  async describe(db: Db, orgId: string, ids: readonly string[]): Promise<ReadonlyMap<string, AwaitingConversation>> {
    const rows = ids.length ? await findRows.byId(db, ids, { orgId }) : []
    return new Map(
      rows.map(row => [
        row.id,
        {
          ref: conversationRef(row),
          name: () => shortName(nameOf(row)),
          assigneeId: row.assignee_id,
          teamId: row.team_id,
          isPersons: row.archived === 0 && row.blocked_at === null && row.is_group === 0 && isPersons(row.control),
        },
      ]),
    )
  },
}
