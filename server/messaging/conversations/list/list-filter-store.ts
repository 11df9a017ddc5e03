import { type RawBuilder, sql } from 'kysely'
import { archiveStates } from '#server/messaging/archive-states.ts'
import { neverActive } from '../rows/list-row-store.ts'

/** Conditions of the list. All must hold. */
export interface ListFilter {
  readonly archived: boolean
  /** Snoozed ones instead of open ones. Such a list is sorted by the time at which they come back. */
  readonly isSnoozed?: boolean | undefined
  /** One of our numbers. Absent: all numbers of the inbox. */
  readonly connectionId?: string | undefined
  /** Tag ids. The contact must have all of them. */
  readonly tags?: readonly string[]
  readonly isUnread?: boolean | undefined
  /** A customer waits for a person. */
  readonly needsHuman?: boolean | undefined
  /** Meta's agent answers. */
  readonly isMetaAgents?: boolean | undefined
  /** The last message failed. */
  readonly isFailed?: boolean | undefined
  /** The member it is assigned to. Null: nobody. */
  readonly assigneeId?: string | null | undefined
  /** The customer waits for an answer. Such a list is sorted by who waits longest. */
  readonly isWaiting?: boolean | undefined
  /**
   * The promised first response was due at this time or before. Such a list is sorted by when it was due, unless it is
   * one of snoozed conversations.
   */
  readonly overdueAt?: string | undefined
  /** The window closes between these times. Such a list is sorted by closing time. */
  readonly closing?: { readonly after: string; readonly until: string } | undefined
}

/** The value of `conversation.archived` of a list. */
export const archiveStateOfList = ({ archived, isSnoozed }: Pick<ListFilter, 'archived' | 'isSnoozed'>): number =>
  isSnoozed ? archiveStates.snoozed : archived ? archiveStates.archived : archiveStates.open

/**
 * The list shows conversations with activity after this time. A conversation of only bulk sends (`neverActive`) appears
 * only when it is archived, snoozed or assigned.
 */
export const activeAfter = ({
  archived,
  isSnoozed,
  assigneeId,
}: Pick<ListFilter, 'archived' | 'isSnoozed' | 'assigneeId'>): string =>
  archived || isSnoozed || typeof assigneeId === 'string' ? '' : neverActive

/**
 * The condition of `activeAfter`. Undefined: none is needed, because an open window or a wait implies a message of the customer.
 */
export const isActive = (filter: ListFilter): Condition | undefined => {
  const after = activeAfter(filter)
  return after && !filter.closing && !filter.isWaiting && !filter.overdueAt
    ? sql<boolean>`conversation.last_activity_at > ${after}`
    : undefined
}

type Condition = RawBuilder<boolean>

/**
 * Conditions that few conversations meet, rarest first. The first one that is used selects the index; literals are
 * needed for that.
 */
const ways: readonly ((filter: ListFilter) => Condition | false | undefined)[] = [
  ({ closing }) =>
    closing &&
    sql<boolean>`conversation.window_closes_at > ${closing.after} and conversation.window_closes_at <= ${closing.until}`,
  ({ isWaiting }) => isWaiting && sql<boolean>`conversation.waiting_since is not null`,
  ({ isFailed }) => isFailed && sql<boolean>`conversation.last_message_status = 'failed'`,
  ({ needsHuman }) => needsHuman && sql<boolean>`conversation.control = 'needsHuman'`,
  ({ isMetaAgents }) => isMetaAgents && sql<boolean>`conversation.control = 'metaAgent'`,
  ({ isUnread }) => isUnread && sql<boolean>`conversation.unread > 0`,
  ({ assigneeId }) =>
    assigneeId === undefined
      ? undefined
      : assigneeId === null
        ? sql<boolean>`conversation.assignee_id is null`
        : sql<boolean>`conversation.assignee_id = ${assigneeId}`,
  ({ connectionId }) => connectionId !== undefined && sql<boolean>`conversation.connection_id = ${connectionId}`,
]

/** SQL: the conversation's contact has the tag. */
export const hasTag = (tagId: string) =>
  sql<boolean>`exists (select 1 from contact_tag
    where contact_tag.contact_id = conversation.contact_id and contact_tag.tag_id = ${tagId})`

const isOverdue = (at: string): Condition =>
  sql<boolean>`exists (select 1 from answer_due
    where answer_due.conversation_id = conversation.id and answer_due.due_at <= ${at})`

/** The conditions besides organization and archive: the one that selects the index, if any, and the others. */
export const conditionsOf = (filter: ListFilter): { way: Condition | undefined; rest: Condition[] } => {
  const [way, ...others] = ways.flatMap(condition => condition(filter) || [])
  const overdue = filter.overdueAt === undefined ? [] : [isOverdue(filter.overdueAt)]
  return { way, rest: [...others, ...overdue, ...filteredTags(filter).map(hasTag)] }
}

/** Joins conditions with `and`. None: always true. */
export const allConditions = (conditions: readonly Condition[]): Condition =>
  conditions.length ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : sql<boolean>`true`

export const filteredTags = ({ tags }: ListFilter): string[] => [...new Set(tags)]

/** Archive and number do not count. */
export const isNarrowed = (filter: ListFilter): boolean => {
  const { way, rest } = conditionsOf({ ...filter, connectionId: undefined })
  return way !== undefined || rest.length > 0
}
