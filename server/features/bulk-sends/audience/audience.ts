import type { CountryCode } from 'libphonenumber-js/max'
import { findSegment } from '#server/messaging/contacts/segments.ts'
import type { Db } from '#server/platform/db/database.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { findPhoneColumns, readPeopleFile } from '#server/platform/text/people-file.ts'
import { firstPhone, splitNumbers } from '#server/platform/text/phone-lists.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { Audience } from '#shared/bulk-sends/audience.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { readPhone } from '#shared/kernel/phone-reader.ts'
import type { CsvFile, CsvRow } from '#shared/people-files/csv.ts'
import type { Candidate } from '../planning/planner.ts'
import { listUnanswered } from '../reports/report-store.ts'
import { findTags, type GrantedTags, isGranted } from '../rights/rights.ts'
import { listAgain } from './again-store.ts'
import { type ContactRow, findByPhone, listTagged } from './audience-store.ts'
import type { FindFacts } from './contact-facts.ts'
import { nameInRow } from './name-in-row.ts'
import { walkSegment } from './segments.ts'

/** Batch size: reading and planning takes a few milliseconds, more for the first batch. */
const atOnce = 50

interface AudienceParts {
  readonly db: Db
  readonly clock: Clock
  readonly orgId: string
  readonly granted: GrantedTags
  /** Tags are needed even if they do not decide anything. */
  readonly withTags: boolean
  /** The country of numbers without a country code. */
  readonly country: CountryCode
  /** Returns the contacts that reached the marketing limit. */
  findCapped(contactIds: readonly string[]): Promise<ReadonlySet<string>>
  readonly findFacts: FindFacts
  /** Returns the opt-out and block of erased people, by phone key. */
  findKept(phoneKeys: readonly string[]): Promise<KeptByPhone>
}

const nameOf = (contact: ContactRow): string | null =>
  contact.name || contact.profile_name || (contact.username ? `@${contact.username}` : null)

/** Facts about erased people, by phone key. */
export type KeptByPhone = ReadonlyMap<string, { readonly optOut: object | null; readonly block: object | null }>

interface Typed {
  readonly text: string
  readonly row?: CsvRow
}

/** Yielded after reading much without finding anybody. */
const nobody = undefined

const none: readonly string[] = []

/** Tags of each contact. Empty if nobody needs them. */
const tagsAmong = async (
  { db, orgId, granted, withTags }: Pick<AudienceParts, 'db' | 'orgId' | 'granted' | 'withTags'>,
  ids: readonly string[],
) => {
  const known = granted || withTags ? await findTags(db, orgId, ids) : new Map<string, readonly string[]>()
  return (id: string) => known.get(id) ?? none
}

/** Candidates of contacts that were not found by number. */
const candidatesAmong = async (parts: AudienceParts, contacts: readonly ContactRow[]) => {
  const { granted, findCapped, findFacts } = parts
  const ids = contacts.map(({ id }) => id)
  const tagsOf = await tagsAmong(parts, ids)
  const capped = await findCapped(ids)
  const facts = await findFacts(ids)
  return contacts.map(
    (contact): Candidate => ({
      given: contact.wa_id ?? nameOf(contact) ?? contact.bsuid ?? '',
      phone: contact.wa_id,
      hidesNumber: contact.wa_id === null,
      name: nameOf(contact),
      isPermitted: isGranted(granted, tagsOf(contact.id)),
      tagIds: tagsOf(contact.id),
      isBlocked: contact.blocked_at !== null,
      isOptedOut: contact.opt_out !== null,
      isCapped: capped.has(contact.id),
      facts: facts.get(contact.id),
    }),
  )
}

async function* tagged(parts: AudienceParts, tags: NonNullable<Audience['tags']>) {
  const { db, orgId } = parts
  const ids = [...new Set(tags.ids)]
  const seen = new Set<string>()
  const ways =
    tags.match === 'any' ? ids.map(tagId => ({ tagId, also: [] })) : [{ tagId: ids[0] as string, also: ids.slice(1) }]
  for (const way of ways)
    for (let after = ''; ; ) {
      const found = await listTagged(db, orgId, { ...way, after, limit: atOnce })
      const fresh = found.filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      yield await candidatesAmong(parts, fresh)
      if (found.length < atOnce) break
      after = found.at(-1)?.id as string
    }
}

/** Candidates of typed numbers, with the contact if it is known. */
const findCandidates = async (parts: AudienceParts, typed: readonly Typed[]) => {
  const { db, orgId, granted, country, findCapped, findFacts, findKept } = parts
  const read = typed.map(one => ({ ...one, phone: readPhone(one.text, country) }))
  const keys = read.flatMap(({ phone }) => (phone === undefined ? [] : [phoneKey(phone)]))
  const known = new Map((await findByPhone(db, keys, { orgId })).map(row => [row.match_key, row]))
  const ids = [...known.values()].map(({ id }) => id)
  const tagsOf = await tagsAmong(parts, ids)
  const capped = await findCapped(ids)
  const facts = await findFacts(ids)
  const erased = await findKept(keys.filter(key => !known.has(key)))
  return read.map(({ text, phone, row }): Candidate => {
    const contact = phone === undefined ? undefined : known.get(phoneKey(phone))
    const kept = phone === undefined ? undefined : erased.get(phoneKey(phone))
    return {
      given: text.trim().slice(0, 100),
      phone: contact?.wa_id ?? phone ?? null,
      name: (contact ? nameOf(contact) : null) ?? (row ? nameInRow(row.values) : null),
      isPermitted: isGranted(granted, contact ? tagsOf(contact.id) : none),
      tagIds: contact ? tagsOf(contact.id) : none,
      isBlocked: Boolean(contact ? contact.blocked_at : kept?.block),
      isOptedOut: Boolean(contact ? contact.opt_out : kept?.optOut),
      isCapped: contact !== undefined && capped.has(contact.id),
      facts: contact && facts.get(contact.id),
      ...(row ? { row: row.values, fileRow: row.row } : {}),
    }
  })
}

async function* batched(parts: AudienceParts, typed: Iterable<Typed | typeof nobody>) {
  let batch: Typed[] = []
  for (const one of typed) {
    if (one === nobody) {
      yield []
      continue
    }
    batch.push(one)
    if (batch.length < atOnce) continue
    yield await findCandidates(parts, batch)
    batch = []
  }
  if (batch.length) yield await findCandidates(parts, batch)
}

function* typedNumbers(text: string, country: CountryCode): Generator<Typed | typeof nobody> {
  for (const number of splitNumbers(text, country)) yield number === undefined ? nobody : { text: number }
}

type Csv = NonNullable<Audience['csv']>

interface Head {
  readonly file: CsvFile
  /** Best first: the first column with a valid number counts. */
  readonly phoneColumns: readonly string[]
}

/** A file with its phone columns. @throws InvalidInput naming the field: no rows, or no such columns. */
export function openAudienceFile(csv: Csv, country: CountryCode, field = 'body.audience.csv'): Head {
  const file = readPeopleFile(csv.text, { hasHeader: csv.hasHeader, field: `${field}.text` })
  const given = csv.phoneColumns ?? (csv.phoneColumn === undefined ? undefined : [csv.phoneColumn])
  if (given?.some(name => !file.columns.includes(name))) {
    const named = csv.phoneColumns ? 'phoneColumns' : 'phoneColumn'
    throw new InvalidInput([{ field: `${field}.${named}`, code: 'invalid', params: {} }])
  }
  return { file, phoneColumns: given ?? findPhoneColumns(file, country) }
}

/**
 * The columns of a file. @throws InvalidInput naming the field when the phone columns are neither given nor
 * recognizable.
 */
export function requireColumns(csv: Csv, country: CountryCode): readonly string[] {
  const { file, phoneColumns } = openAudienceFile(csv, country)
  if (!phoneColumns.length)
    throw new InvalidInput([{ field: 'body.audience.csv.phoneColumn', code: 'invalid', params: {} }])
  return file.columns
}

function* typedRows(csv: Csv, country: CountryCode): Generator<Typed | typeof nobody> {
  const { file, phoneColumns } = openAudienceFile(csv, country)
  for (const row of file.entries()) {
    const cells = row ? phoneColumns.map(name => row.values[name] ?? '').filter(Boolean) : []
    yield row ? { text: firstPhone(cells, country)?.text ?? cells[0] ?? '', row } : nobody
  }
}

async function* unanswered(parts: AudienceParts, { send }: NonNullable<Audience['unanswered']>) {
  for (let after = -1; ; ) {
    const found = await listUnanswered(parts.db, parts.orgId, send, { after, limit: atOnce })
    yield await findCandidates(
      parts,
      found.map(({ given }) => ({ text: `+${given}` })),
    )
    if (found.length < atOnce) return
    after = found.at(-1)?.place as number
  }
}

async function* again(parts: AudienceParts, { send }: NonNullable<Audience['again']>) {
  for (let after = -1; ; ) {
    const found = await listAgain(parts.db, parts.orgId, send, { after, limit: atOnce })
    yield await findCandidates(
      parts,
      found.map(({ given, state }) => ({ text: state === 'omitted' ? given : `+${given}` })),
    )
    if (found.length < atOnce) return
    after = found.at(-1)?.place as number
  }
}

/** @throws InvalidInput when it was deleted */
async function* segmented(parts: AudienceParts, { id }: NonNullable<Audience['segment']>) {
  const { db, orgId, clock } = parts
  const segment = await findSegment(db, orgId, id)
  if (!segment) throw new InvalidInput([{ field: 'body.audience.segment.id', code: 'invalid', params: {} }])
  for await (const found of walkSegment(db, orgId, segment.filter, clock)) yield await candidatesAmong(parts, found)
}

/**
 * Yields the people an audience names, in batches: rows of a file, pasted numbers, recipients of an earlier send, those
 * who did not answer one, a segment, tags. A person named twice comes twice, except contacts with several of the tags.
 */
export async function* readAudience(audience: Audience, parts: AudienceParts): AsyncGenerator<Candidate[]> {
  if (audience.csv) yield* batched(parts, typedRows(audience.csv, parts.country))
  if (audience.numbers) yield* batched(parts, typedNumbers(audience.numbers, parts.country))
  if (audience.again) yield* again(parts, audience.again)
  if (audience.unanswered) yield* unanswered(parts, audience.unanswered)
  if (audience.segment) yield* segmented(parts, audience.segment)
  if (audience.tags) yield* tagged(parts, audience.tags)
}
