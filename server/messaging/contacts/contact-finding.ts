import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { findContacts } from '#server/messaging/search/contact-search.ts'
import type { Db } from '#server/platform/db/database.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { nextLook } from '#server/platform/work/next-look.ts'
import { type ContactQuery, type ContactSort, maxSortedMatches } from '#shared/contacts/api.ts'
import {
  type ContactFilter,
  countSelected,
  type FoundContact,
  findWindowStart,
  selectContacts,
} from './contact-list-store.ts'
import { listLatestIds, type SortedRow, type SortPlace, selectByActivity, selectByName } from './contact-sort-store.ts'
import { findSegment, wroteSinceOf } from './segment-store.ts'

/** Contacts in the order of the list that are then checked for the filters and the viewer's rights, at once. */
const maxPerQuery = 500
/** The search of a viewer who sees few conversations stops after this many contacts. */
const maxChecked = 10_000
/** Contacts that are checked to count those that match, and how many at once. */
const maxCheckedToCount = 20_000
const countedAtOnce = 1000

/** `ids`: only these, whatever they are called. */
export type ListQuery = ContactQuery & { readonly ids?: readonly string[]; readonly sort?: ContactSort }

interface Part {
  readonly rows: readonly FoundContact[]
  /** Cursor of the next page. Null: there is none. */
  readonly next: string | null
}

/** A place in the order of the list, before its contact is checked. `cursor` continues after it. */
interface Candidate {
  /** Undefined: no contact stands here. */
  readonly contactId: string | undefined
  readonly cursor: string
}

type Walk = (after: string | undefined, size: number) => Promise<readonly Candidate[]>

/** Makes a page from rows of which one more than the limit was read. */
const cutPart = (rows: readonly FoundContact[], limit: number): Part => ({
  rows: rows.slice(0, limit),
  next: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null,
})

/** Holds the value that the list is sorted by, so that a page stays where it is when its last contact moves. */
const cursorOf = ({ id, key }: SortPlace): string => `${id}.${Buffer.from(key).toString('base64url')}`

/** @throws InvalidInput for a cursor of another order */
const placeOf = (cursor: string | undefined): SortPlace | undefined => {
  if (cursor === undefined) return undefined
  const [, id, key] = /^([0-9A-Za-z_-]+)\.([\w-]*)$/.exec(cursor) ?? []
  if (id === undefined || key === undefined)
    throw new InvalidInput([{ field: 'query.after', code: 'invalid', params: {} }])
  return { id, key: Buffer.from(key, 'base64url').toString('utf8') }
}

interface FindingParts {
  readonly read: Db
  readonly clock: Clock
  /** The calling code that members of an organization omit. */
  readCallingCode?(orgId: string): Promise<string>
}

/** Finds the contacts of a list, a page at a time, and counts them. */
export function createContactFinding({ read, clock, readCallingCode }: FindingParts) {
  /** @throws InvalidInput for a segment that is not there */
  const requireSegment = async (orgId: string, id: string): Promise<NonNullable<ContactFilter['segment']>> => {
    const segment = await findSegment(read, orgId, id)
    if (!segment) throw new InvalidInput([{ field: 'query.segment', code: 'invalid', params: {} }])
    return { filter: segment.filter, wroteSince: wroteSinceOf(segment.filter, clock) }
  }

  const contactFilterOf = async (orgId: string, query: ListQuery): Promise<ContactFilter> => ({
    tagId: query.tag,
    optedOut: query.optedOut,
    ids: query.ids,
    segment: query.segment === undefined ? undefined : await requireSegment(orgId, query.segment),
  })

  /** Ids of the contacts that match by name, newest first. Undefined: nothing is searched. */
  const searchOf = async (orgId: string, { search, ids }: ListQuery) => {
    const typed = search?.trim()
    if (!typed || ids) return undefined
    const home = await readCallingCode?.(orgId)
    return (after: string | undefined, limit: number) => findContacts(read, orgId, { typed, home, after, limit })
  }

  /** The contacts of a walk that meet the filter and that the viewer sees. */
  const findAlong = async (
    viewer: Viewer,
    filter: ContactFilter,
    walk: Walk,
    { after: first, limit }: { after: string | undefined; limit: number },
  ): Promise<Part> => {
    const found: { row: FoundContact; cursor: string }[] = []
    const cut = (next: string | null): Part => ({ rows: found.slice(0, limit).map(({ row }) => row), next })
    let after = first
    for (let checked = 0, look = limit + 1; checked < maxChecked; ) {
      const candidates = await walk(after, look)
      const ids = [...new Set(candidates.flatMap(({ contactId }) => contactId ?? []))]
      const rows = ids.length ? await selectContacts(read, viewer, { ...filter, ids }, look).execute() : []
      const byId = new Map(rows.map(row => [row.id, row]))
      for (const { contactId, cursor } of candidates) {
        const row = contactId === undefined ? undefined : byId.get(contactId)
        if (row) found.push({ row, cursor })
      }
      if (found.length > limit) return cut(found[limit - 1]?.cursor ?? null)
      if (candidates.length < look) return cut(null)
      after = candidates.at(-1)?.cursor
      checked += look
      look = Math.min(
        nextLook({ found: found.length, wanted: limit + 1, looked: checked, least: limit + 1 }),
        maxPerQuery,
      )
      await nextTurn()
    }
    return cut(after ?? null)
  }

  /** Contacts of a segment, a window of contacts at a time: few of many may meet its conditions. */
  const findOfSegment = async (viewer: Viewer, filter: ContactFilter, limit: number): Promise<Part> => {
    const rows: FoundContact[] = []
    let { after } = filter
    for (let checked = 0; checked < maxChecked; checked += maxPerQuery) {
      const from = await findWindowStart(read, viewer.orgId, { after, size: maxPerQuery })
      rows.push(...(await selectContacts(read, viewer, { ...filter, after, from }, limit + 1 - rows.length).execute()))
      if (rows.length > limit || from === undefined) return cutPart(rows, limit)
      after = from
      await nextTurn()
    }
    return { rows, next: after ?? null }
  }

  const candidateOf = (row: SortedRow): Candidate => ({ contactId: row.contactId, cursor: cursorOf(row) })

  /** Contacts in an order other than newest first. `ids`: only these. */
  const walkSorted =
    (viewer: Viewer, sort: Exclude<ContactSort, 'newest'>, ids: readonly string[] | undefined): Walk =>
    async (cursor, size) => {
      const window = { after: placeOf(cursor), ids, size }
      if (sort === 'name') return (await selectByName(read, viewer.orgId, window).execute()).map(candidateOf)
      const rows = await selectByActivity(read, viewer.orgId, window).execute()
      const latest = await listLatestIds(read, viewer, [...new Set(rows.map(row => row.contactId))])
      // An earlier conversation of a contact is not its place, but may be the last of the window.
      return rows.map(row =>
        latest.get(row.contactId) === row.id ? candidateOf(row) : { contactId: undefined, cursor: cursorOf(row) },
      )
    }

  /**
   * Ids of the contacts with the filter's tag, or that opted out: few of many contacts would be looked for in vain along
   * the whole order. Undefined: there is no such filter, or they are many.
   */
  const fewOf = async (viewer: Viewer, { tagId, optedOut }: ContactFilter): Promise<readonly string[] | undefined> => {
    if (tagId === undefined && !optedOut) return undefined
    const rows = await selectContacts(read, viewer, { tagId, optedOut }, maxSortedMatches + 1).execute()
    return rows.length > maxSortedMatches ? undefined : rows.map(({ id }) => id)
  }

  const find = async (viewer: Viewer, query: ListQuery, limit: number): Promise<Part> => {
    const { sort = 'newest', after } = query
    const filter = await contactFilterOf(viewer.orgId, query)
    const search = await searchOf(viewer.orgId, query)
    if (sort !== 'newest') {
      const ids = search ? await search(undefined, maxSortedMatches + 1) : (query.ids ?? (await fewOf(viewer, filter)))
      if (ids?.length === 0) return { rows: [], next: null }
      if ((ids?.length ?? 0) <= maxSortedMatches)
        return findAlong(viewer, filter, walkSorted(viewer, sort, ids), { after, limit })
    }
    if (search) {
      const walk: Walk = async (from, size) => (await search(from, size)).map(id => ({ contactId: id, cursor: id }))
      return findAlong(viewer, filter, walk, { after, limit })
    }
    if (filter.segment) return findOfSegment(viewer, { ...filter, after }, limit)
    return cutPart(await selectContacts(read, viewer, { ...filter, after }, limit + 1).execute(), limit)
  }

  /** Counts the contacts that match. `isMore`: not all contacts were checked, so there may be more. */
  const count = async (viewer: Viewer, query: ContactQuery): Promise<{ count: number; isMore: boolean }> => {
    const filter = await contactFilterOf(viewer.orgId, query)
    const search = await searchOf(viewer.orgId, query)
    const size = countedAtOnce
    let counted = 0
    let after: string | undefined
    for (let checked = 0; checked < maxCheckedToCount; checked += size) {
      const ids = await search?.(after, size)
      const from = ids ? ids[size - 1] : await findWindowStart(read, viewer.orgId, { after, size })
      if (ids?.length !== 0)
        counted += await countSelected(read, viewer, ids ? { ...filter, ids } : { ...filter, after, from }, size)
      if (from === undefined) return { count: counted, isMore: false }
      after = from
      await nextTurn()
    }
    return { count: counted, isMore: true }
  }

  return { find, count }
}
