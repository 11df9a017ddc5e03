import type { Identifier } from '#server/messaging/identifier.ts'
import type { KnownContact } from './contact-store.ts'

export type Kind = Identifier['kind']
export interface KnownIdentifier extends Identifier {
  seenAt: string
  changed: boolean
}

/** A customer as known in this batch. */
export interface Contact {
  readonly id: string
  readonly createdAt: string
  readonly isNew: boolean
  name: string | null
  profileName: string | null
  username: string | null
  waId: string | null
  bsuid: string | null
  /** An `OptOut` as JSON. */
  optOut: string | null
  readonly isGroup: boolean
  blockedAt: string | null
  /** The stored search text. */
  readonly search: string
  /** The profile name was last seen at this time. */
  updatedAt: string
  changed: boolean
  readonly identities: Map<string, KnownIdentifier>
  /** The older contact that turned out to be the same person. */
  mergedInto: Contact | undefined
}

/** The contact of a row. Its identities are added one by one. */
export const readKnownContact = (row: KnownContact): Contact => ({
  id: row.id,
  createdAt: row.created_at,
  isNew: false,
  name: row.name,
  profileName: row.profile_name,
  username: row.username,
  waId: row.wa_id,
  bsuid: row.bsuid,
  optOut: row.opt_out,
  isGroup: row.is_group === 1,
  blockedAt: row.blocked_at,
  search: row.search,
  updatedAt: row.updated_at,
  changed: false,
  identities: new Map(),
  mergedInto: undefined,
})

export const newContact = (id: string, createdAt: string, isGroup: boolean): Contact => ({
  id,
  createdAt,
  isNew: true,
  name: null,
  profileName: null,
  username: null,
  waId: null,
  bsuid: null,
  optOut: null,
  isGroup,
  blockedAt: null,
  search: '',
  updatedAt: '',
  changed: true,
  identities: new Map(),
  mergedInto: undefined,
})

export const identifierKey = (identifier: { kind: Kind; key: string }) => `${identifier.kind}:${identifier.key}`

export const isOlder = (a: Contact, b: Contact): boolean => {
  if (a.isNew !== b.isNew) return !a.isNew
  return a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt
}

export const identitiesOf = (contact: Contact, kind: Kind): KnownIdentifier[] =>
  [...contact.identities.values()].filter(known => known.kind === kind)

export const latestIdentifier = (contact: Contact, kind: Kind): KnownIdentifier | undefined => {
  let latest: KnownIdentifier | undefined
  for (const known of contact.identities.values()) {
    if (known.kind !== kind) continue
    if (!latest || known.seenAt > latest.seenAt || (known.seenAt === latest.seenAt && known.key > latest.key))
      latest = known
  }
  return latest
}

/** Sets the identifiers it is written to by, the latest of each kind. */
export const refreshIdentifiers = (contact: Contact) => {
  const waId = latestIdentifier(contact, 'phone')?.value ?? null
  const bsuid = latestIdentifier(contact, 'bsuid')?.value ?? null
  const username = latestIdentifier(contact, 'username')?.value ?? null
  if (waId === contact.waId && bsuid === contact.bsuid && username === contact.username) return
  Object.assign(contact, { waId, bsuid, username, changed: true })
}

const dayMs = 24 * 60 * 60 * 1000
/** A single identifier is written at most once a day. Otherwise every message would update a row. */
export const isWorthWriting = (contact: Contact, known: KnownIdentifier, one: Identifier, at: string) =>
  known.value !== one.value ||
  identitiesOf(contact, one.kind).length > 1 ||
  Date.parse(at) - Date.parse(known.seenAt) > dayMs
