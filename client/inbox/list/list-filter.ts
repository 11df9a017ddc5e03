import { type Conversation, maxTagsOfFilter, nobody, searchMaxChars } from '#shared/inbox/conversations.ts'
import { chatAddressForm, digitsOf } from '#shared/kernel/phone.ts'

/** What the list shows, as the address says it. All of it at once. */
export interface ListFilter {
  readonly archived: boolean
  readonly search: string
  /** The address of the chat that alone is searched; without words it means nothing. */
  readonly within?: string | undefined
  /** Digits of one of our numbers: only its conversations. */
  readonly number?: string | undefined
  /** Ids of tags a contact must have, all of them. */
  readonly tags?: readonly string[]
  readonly unread?: boolean
  readonly needsHuman?: boolean
  readonly metaAgent?: boolean
  readonly failed?: boolean
  readonly closing?: boolean
  /** Whose they are: the reader's own, or nobody's. */
  readonly assignee?: 'me' | 'none' | undefined
}

/** What is on or off in an address. */
export const switches = ['archived', 'unread', 'needsHuman', 'metaAgent', 'failed', 'closing'] as const
export type Switch = (typeof switches)[number]

/** `?q=…&within=…&archived=1&unread=1&needsHuman=1&metaAgent=1&failed=1&closing=1&assignee=me&tag=…&tag=…&number=…`; what it does not know is nothing. */
export const filterOf = (address: URLSearchParams): ListFilter => {
  const assignee = address.get('assignee')
  const within = address.get('within') ?? ''
  const isOn = (name: Switch) => address.get(name) === '1'
  return {
    archived: isOn('archived'),
    unread: isOn('unread'),
    needsHuman: isOn('needsHuman'),
    metaAgent: isOn('metaAgent'),
    failed: isOn('failed'),
    closing: isOn('closing'),
    search: (address.get('q') ?? '').slice(0, searchMaxChars),
    within: chatAddressForm.test(within) ? within : undefined,
    number: digitsOf(address.get('number') ?? '').slice(0, 15) || undefined,
    assignee: assignee === 'me' || assignee === nobody ? assignee : undefined,
    tags: [...new Set(address.getAll('tag'))].filter(id => id && id.length <= 64).slice(0, maxTagsOfFilter),
  }
}

/** What the server is asked for a filter; of what is off it is not told. */
export interface ListQuery {
  readonly archived: boolean
  readonly search?: string
  readonly number?: string
  readonly tag?: string[]
  readonly unread?: true
  readonly needsHuman?: true
  readonly metaAgent?: true
  readonly failed?: true
  readonly closing?: true
  readonly assignee?: string
}

/** `userId`: the reader's, for what is their own. */
export const queryOf = (filter: ListFilter, userId: string): ListQuery => ({
  archived: filter.archived,
  ...(filter.search ? { search: filter.search } : {}),
  ...(filter.number ? { number: filter.number } : {}),
  ...(filter.tags?.length ? { tag: [...filter.tags] } : {}),
  ...(filter.unread ? { unread: true } : {}),
  ...(filter.needsHuman ? { needsHuman: true } : {}),
  ...(filter.metaAgent ? { metaAgent: true } : {}),
  ...(filter.failed ? { failed: true } : {}),
  ...(filter.closing ? { closing: true } : {}),
  ...(filter.assignee ? { assignee: filter.assignee === 'me' ? userId : nobody } : {}),
})

/** Whether it is narrowed by anything but words. */
export const isNarrowed = (filter: ListFilter): boolean =>
  switches.some(name => filter[name]) || Boolean(filter.number || filter.assignee || filter.tags?.length)

/** Words alone ask for everything ever said; with more, the list is narrowed by them, too. */
export const isSearch = (filter: ListFilter): boolean => filter.search.trim() !== '' && !isNarrowed(filter)

/**
 * Whether a row that changed stands in the list of a query; `was`: as it stood there. Words are the server's to find:
 * never in a search. So is the time: a window that closes soon does so until it is another one.
 */
export const belongsTo = (row: Conversation, query: Partial<ListQuery>, was?: Conversation): boolean =>
  !query.search &&
  row.archived === (query.archived ?? false) &&
  (!row.bulkOnly || row.archived || (query.assignee !== undefined && query.assignee !== nobody)) &&
  (query.number === undefined || query.number === row.number) &&
  (!query.unread || row.unread > 0) &&
  (!query.needsHuman || row.control === 'needsHuman') &&
  (!query.metaAgent || row.control === 'metaAgent') &&
  (!query.failed || row.lastMessage?.status === 'failed') &&
  (!query.closing || (was !== undefined && was.windowClosesAt === row.windowClosesAt)) &&
  (query.assignee === undefined || query.assignee === (row.assignee?.id ?? nobody)) &&
  (query.tag ?? []).every(id => row.tags.some(tag => tag.id === id))

const activityOf = ({ activityAt, lastMessage }: Conversation): string => activityAt ?? lastMessage?.at ?? ''

/** The order of a query's list, as the server keeps it: latest first, or the window that closes first; equals by id. */
export const comesBefore = (a: Conversation, b: Conversation, query: Partial<ListQuery>): boolean => {
  if (query.closing) {
    const [x, y] = [a.windowClosesAt ?? '', b.windowClosesAt ?? '']
    return x === y ? a.id < b.id : x < y
  }
  const [x, y] = [activityOf(a), activityOf(b)]
  return x === y ? a.id > b.id : x > y
}
