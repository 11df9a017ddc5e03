import { type RawBuilder, sql } from 'kysely'
import { neverActive } from './list-row-store.ts'

/** What the list is narrowed by, all of it at once. */
export interface ListFilter {
  readonly archived: boolean
  /** Id of one of our numbers; absent: all that the inbox shows. */
  readonly connectionId?: string | undefined
  /** Ids of tags; a conversation's contact must have all. */
  readonly tags?: readonly string[]
  readonly isUnread?: boolean | undefined
  /** A customer waits for a person. */
  readonly needsHuman?: boolean | undefined
  /** Meta's own agent answers. */
  readonly isMetaAgents?: boolean | undefined
  /** The last message was not sent. */
  readonly isFailed?: boolean | undefined
  /** Id of who has it; null: nobody. */
  readonly assigneeId?: string | null | undefined
  /** The window closes between these times. Such a list begins with what closes first. */
  readonly closing?: { readonly after: string; readonly until: string } | undefined
}

/**
 * The activity behind which the list of a filter begins. A conversation of nothing but bulk sends is in the archive when
 * somebody put it there, and among those of whom it was given to.
 */
export const activeAfter = ({ archived, assigneeId }: Pick<ListFilter, 'archived' | 'assigneeId'>): string =>
  archived || typeof assigneeId === 'string' ? '' : neverActive

/** The same as a condition; undefined where it says nothing: a window opens with a word of the customer. */
export const isActive = (filter: ListFilter): Condition | undefined => {
  const after = activeAfter(filter)
  return after && !filter.closing ? sql<boolean>`conversation.last_activity_at > ${after}` : undefined
}

type Condition = RawBuilder<boolean>

/** What is so of few comes first: the first that is asked for is the way in, by its index; literals, or it would not be used. */
const ways: readonly ((filter: ListFilter) => Condition | false | undefined)[] = [
  ({ closing }) =>
    closing &&
    sql<boolean>`conversation.window_closes_at > ${closing.after} and conversation.window_closes_at <= ${closing.until}`,
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

/** Whether the contact of a row of `conversation` has a tag. */
export const hasTag = (tagId: string) =>
  sql<boolean>`exists (select 1 from contact_tag
    where contact_tag.contact_id = conversation.contact_id and contact_tag.tag_id = ${tagId})`

/** The conditions of a filter beside organization and archive: the way into the list, if there is one, and the rest. */
export const conditionsOf = (filter: ListFilter): { way: Condition | undefined; rest: Condition[] } => {
  const [way, ...others] = ways.flatMap(condition => condition(filter) || [])
  return { way, rest: [...others, ...tagsOf(filter).map(hasTag)] }
}

/** All of these, as one condition; none: always so. */
export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : sql<boolean>`true`

export const tagsOf = ({ tags }: ListFilter): string[] => [...new Set(tags)]

/** Whether it is narrowed by more than archive and number. */
export const isNarrowed = (filter: ListFilter): boolean =>
  conditionsOf({ ...filter, connectionId: undefined }).way !== undefined || tagsOf(filter).length > 0
