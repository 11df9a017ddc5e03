import { type Conversation, maxTagsOfFilter, nobody, searchMaxChars } from '#shared/inbox/conversations.ts'
import { chatAddressForm, digitsOf } from '#shared/kernel/phone.ts'

const maxIdChars = 64

/** Filters of the list from the address. All must hold. */
export interface ListFilter {
  readonly archived: boolean
  /** Snoozed ones instead of open ones. */
  readonly snoozed?: boolean
  readonly search: string
  /** The address of the only chat to search. Ignored without search words. */
  readonly within?: string | undefined
  /** Digits of one of our numbers. */
  readonly number?: string | undefined
  /** Tag ids. The contact has all of them. */
  readonly tags?: readonly string[]
  readonly unread?: boolean
  readonly needsHuman?: boolean
  readonly metaAgent?: boolean
  readonly failed?: boolean
  /** The promised first response is overdue, the longest first. */
  readonly overdue?: boolean
  readonly closing?: boolean
  /** Customers who wait, the longest first. */
  readonly waiting?: boolean
  /** `me`: assigned to the reader. `none`: unassigned. Otherwise the id of a member. */
  readonly assignee?: string | undefined
}

/** The on/off filters of an address. */
export const switches = [
  'archived',
  'snoozed',
  'unread',
  'needsHuman',
  'metaAgent',
  'failed',
  'overdue',
  'closing',
  'waiting',
] as const
export type Switch = (typeof switches)[number]

/**
 * Parses
 * `?q=…&within=…&archived=1&snoozed=1&unread=1&needsHuman=1&metaAgent=1&failed=1&overdue=1&closing=1&waiting=1&assignee=me&tag=…&tag=…&number=…`.
 * Unknown parameters are ignored.
 */
export const readListFilter = (address: URLSearchParams): ListFilter => {
  const assignee = address.get('assignee')
  const within = address.get('within') ?? ''
  const isOn = (name: Switch) => address.get(name) === '1'
  return {
    archived: isOn('archived'),
    snoozed: isOn('snoozed'),
    unread: isOn('unread'),
    needsHuman: isOn('needsHuman'),
    metaAgent: isOn('metaAgent'),
    failed: isOn('failed'),
    overdue: isOn('overdue'),
    closing: isOn('closing'),
    waiting: isOn('waiting'),
    search: (address.get('q') ?? '').slice(0, searchMaxChars),
    within: chatAddressForm.test(within) ? within : undefined,
    number: digitsOf(address.get('number') ?? '').slice(0, 15) || undefined,
    assignee: assignee && assignee.length <= maxIdChars ? assignee : undefined,
    tags: [...new Set(address.getAll('tag'))].filter(id => id && id.length <= maxIdChars).slice(0, maxTagsOfFilter),
  }
}

/** A filter's query to the server. Filters that are off are omitted. */
export interface ListQuery {
  readonly archived: boolean
  readonly snoozed?: true
  readonly search?: string
  readonly number?: string
  readonly tag?: string[]
  readonly unread?: true
  readonly needsHuman?: true
  readonly metaAgent?: true
  readonly failed?: true
  readonly overdue?: true
  readonly closing?: true
  readonly waiting?: true
  readonly assignee?: string
}

/** `userId`: the reader's, for their own conversations. */
export const queryOf = (filter: ListFilter, userId: string): ListQuery => ({
  archived: filter.archived,
  ...(filter.snoozed ? { snoozed: true } : {}),
  ...(filter.search ? { search: filter.search } : {}),
  ...(filter.number ? { number: filter.number } : {}),
  ...(filter.tags?.length ? { tag: [...filter.tags] } : {}),
  ...(filter.unread ? { unread: true } : {}),
  ...(filter.needsHuman ? { needsHuman: true } : {}),
  ...(filter.metaAgent ? { metaAgent: true } : {}),
  ...(filter.failed ? { failed: true } : {}),
  ...(filter.overdue ? { overdue: true } : {}),
  ...(filter.closing ? { closing: true } : {}),
  ...(filter.waiting ? { waiting: true } : {}),
  ...(filter.assignee ? { assignee: filter.assignee === 'me' ? userId : filter.assignee } : {}),
})

/** True if there is a filter. Words alone do not count. */
export const isNarrowed = (filter: ListFilter): boolean =>
  switches.some(name => filter[name]) || Boolean(filter.number || filter.assignee || filter.tags?.length)

/** Words alone search everything. With other filters, they narrow the list. */
export const isSearch = (filter: ListFilter): boolean => filter.search.trim() !== '' && !isNarrowed(filter)

/**
 * True if a changed row belongs to a query's list; `was`: the row before. Never for searches, which only the server
 * evaluates. A row with a closing window or an overdue response stays until the window or its due time changes.
 */
export const belongsTo = (row: Conversation, query: Partial<ListQuery>, was?: Conversation): boolean =>
  !query.search &&
  row.archived === (query.archived ?? false) &&
  (row.snoozedUntil !== undefined) === (query.snoozed ?? false) &&
  (!row.bulkOnly || row.archived || query.snoozed || (query.assignee !== undefined && query.assignee !== nobody)) &&
  (query.number === undefined || query.number === row.number) &&
  (!query.unread || row.unread > 0) &&
  (!query.needsHuman || row.control === 'needsHuman') &&
  (!query.metaAgent || row.control === 'metaAgent') &&
  (!query.waiting || row.waitingSince !== undefined) &&
  (!query.failed || row.lastMessage?.status === 'failed') &&
  (!query.overdue || (was?.answerDueAt !== undefined && was.answerDueAt === row.answerDueAt)) &&
  (!query.closing || (was !== undefined && was.windowClosesAt === row.windowClosesAt)) &&
  (query.assignee === undefined || query.assignee === (row.assignee?.id ?? nobody)) &&
  (query.tag ?? []).every(id => row.tags.some(tag => tag.id === id))

const activityOf = ({ activityAt, lastMessage }: Conversation): string => activityAt ?? lastMessage?.at ?? ''

type Key = 'snoozedUntil' | 'answerDueAt' | 'windowClosesAt' | 'waitingSince'

/** The time by which a query's list is sorted, earliest first. Undefined: by last activity, latest first. */
const orderOf = ({ snoozed, overdue, closing, waiting }: Partial<ListQuery>): Key | undefined => {
  if (snoozed) return 'snoozedUntil'
  if (overdue) return 'answerDueAt'
  if (closing) return 'windowClosesAt'
  return waiting ? 'waitingSince' : undefined
}

/** The order of a query's list, as on the server; rows with equal times by id. */
export const comesBefore = (a: Conversation, b: Conversation, query: Partial<ListQuery>): boolean => {
  const key = orderOf(query)
  if (key) {
    const [x, y] = [a[key] ?? '', b[key] ?? '']
    return x === y ? a.id < b.id : x < y
  }
  const [x, y] = [activityOf(a), activityOf(b)]
  return x === y ? a.id > b.id : x > y
}
