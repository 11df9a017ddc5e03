import type { OrgDb } from '#server/platform/events/write.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { Sender } from '#server/whatsapp/inbound.ts'
import { isGroup } from '#server/whatsapp/sender.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'
import { saveContactTerms } from '../search/contact-index.ts'
import { type Block, saveBlock } from './blocking-store.ts'
import {
  type ContactRow,
  findContacts,
  insertNumberOnly,
  type KnownContact,
  saveContacts,
  saveIdentities,
} from './contact-store.ts'
import { contactSearchText, type Identifier, identifiersOf } from './identifier.ts'
import { saveOptOuts } from './opt-out-store.ts'

type Kind = Identifier['kind']
interface Known extends Identifier {
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
  /** When the profile name was last seen. */
  updatedAt: string
  changed: boolean
  readonly identities: Map<string, Known>
  /** The older contact that turned out to be the same person. */
  mergedInto: Contact | undefined
}

export interface Merge {
  readonly loser: string
  readonly winner: string
}

const slot = (identifier: { kind: Kind; key: string }) => `${identifier.kind}:${identifier.key}`
const dayMs = 24 * 60 * 60 * 1000
const longAgo = '1970-01-01T00:00:00.000Z'

/** A new contact of whom only a number is known. */
const isNumberOnly = (row: ContactRow & { readonly isNew: boolean }): boolean =>
  row.isNew && row.waId !== null && !row.isGroup && (row.name ?? row.profileName ?? row.username ?? row.bsuid) === null

const isOlder = (a: Contact, b: Contact): boolean => {
  if (a.isNew !== b.isNew) return !a.isNew
  return a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt
}

const identitiesOf = (contact: Contact, kind: Kind): Known[] =>
  [...contact.identities.values()].filter(known => known.kind === kind)

const latestOf = (contact: Contact, kind: Kind): Known | undefined => {
  let latest: Known | undefined
  for (const known of contact.identities.values()) {
    if (known.kind !== kind) continue
    if (!latest || known.seenAt > latest.seenAt || (known.seenAt === latest.seenAt && known.key > latest.key))
      latest = known
  }
  return latest
}

/**
 * The customers of a batch. Reads them with one lookup per kind of identifier, decides in memory, and `save` writes in
 * a few statements.
 */
export interface Directory {
  /** The contact of a message's sender. Creates it if needed, and merges contacts that share a sender. */
  place(sender: Sender, at: string): Contact
  /**
   * The contact, or a new one that has never written, such as an imported one. Identifiers that are seen later replace
   * its address.
   */
  ensure(sender: Sender): Contact
  /** The contact, if it exists. */
  find(sender: Sender): Contact | undefined
  /** A changed number or user id: both senders are one person, written to by the current identifiers. */
  rename(previous: Sender, current: Sender, at: string): Contact
  /** Adds what the answer to our message revealed about a contact. */
  learn(contactId: string, sender: Sender, at: string): Contact | undefined
  /** How many contacts `save` adds. */
  countNew(): number
  /** Writes what changed. Merges must run after it and before conversations are read. */
  save(): Promise<readonly Merge[]>
}

export interface DirectoryParts {
  readonly clock: Clock
  readonly ids: (at?: number) => string
  /** For new contacts who were erased before: their opt-out and block, by id. Absent: none was. */
  readonly takeKept?: (
    db: OrgDb,
    orgId: string,
    contacts: readonly { readonly id: string; readonly known: readonly { kind: Kind; key: string }[] }[],
  ) => Promise<ReadonlyMap<string, { optOut: OptOut | null; block: Block | null }>>
}

/** Reads every contact that these senders may be. `anchors` are ids of contacts that are certainly meant. */
export async function openDirectory(
  db: OrgDb,
  orgId: string,
  senders: readonly Sender[],
  parts: DirectoryParts,
  anchors: readonly string[] = [],
): Promise<Directory> {
  const now = isoNow(parts.clock)
  const byId = new Map<string, Contact>()
  const bySlot = new Map<string, Contact>()
  const merges: Merge[] = []

  const admit = (row: KnownContact) => {
    let contact = byId.get(row.id)
    if (!contact) {
      contact = {
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
      }
      byId.set(row.id, contact)
    }
    if (row.kind === null || row.match_key === null || row.value === null || row.seen_at === null) return
    const known: Known = { kind: row.kind, key: row.match_key, value: row.value, seenAt: row.seen_at, changed: false }
    contact.identities.set(slot(known), known)
    bySlot.set(slot(known), contact)
  }

  const identifiersOfSenders = new Map(senders.map(sender => [sender, identifiersOf(sender)]))
  /** Cached for the senders it was opened with. */
  const givenBy = (sender: Sender): Identifier[] => identifiersOfSenders.get(sender) ?? identifiersOf(sender)

  const asked = [...identifiersOfSenders.values()].flat()
  if (anchors.length) for (const row of await findContacts.byId(db, anchors, { orgId })) admit(row)
  for (const kind of ['phone', 'bsuid', 'username', 'other'] as const) {
    const keys = asked.filter(one => one.kind === kind && !bySlot.has(slot(one))).map(one => one.key)
    if (keys.length) for (const row of await findContacts.byKey(db, keys, { orgId, kind })) admit(row)
  }

  const alive = (contact: Contact | undefined): Contact | undefined => {
    let current = contact
    while (current?.mergedInto) current = current.mergedInto
    return current
  }
  const holderOf = (identifier: Identifier) => alive(bySlot.get(slot(identifier)))

  /**
   * A number that its holder has given up can belong to somebody else: a message with an unknown user id proves it.
   * Without a user id the thread continues, as it does on the phone.
   */
  const isReassigned = (phone: Identifier, holder: Contact, given: readonly Identifier[]): boolean => {
    const bsuid = given.find(one => one.kind === 'bsuid')
    if (!bsuid || holderOf(bsuid) || !identitiesOf(holder, 'bsuid').length) return false
    return latestOf(holder, 'phone')?.key !== phone.key
  }

  /**
   * A username can be given up and taken by somebody else, so it counts only if no better identifier contradicts it.
   */
  const isTrustedUsername = (holder: Contact, given: readonly Identifier[]): boolean =>
    given.every(one => one.kind === 'username' || !identitiesOf(holder, one.kind).length)

  const holdersOf = (given: readonly Identifier[]): Contact[] => {
    const holders = new Set<Contact>()
    for (const one of given) {
      if (one.kind === 'username') continue
      const holder = holderOf(one)
      if (holder && !(one.kind === 'phone' && isReassigned(one, holder, given))) holders.add(holder)
    }
    if (!holders.size) {
      const username = given.find(one => one.kind === 'username')
      const holder = username && holderOf(username)
      if (holder && isTrustedUsername(holder, given)) holders.add(holder)
    }
    return [...holders]
  }

  const create = (sender: Sender): Contact => {
    const contact: Contact = {
      id: parts.ids(parts.clock.now().getTime()),
      createdAt: now,
      isNew: true,
      name: null,
      profileName: null,
      username: null,
      waId: null,
      bsuid: null,
      optOut: null,
      isGroup: isGroup(sender),
      blockedAt: null,
      search: '',
      updatedAt: '',
      changed: true,
      identities: new Map(),
      mergedInto: undefined,
    }
    byId.set(contact.id, contact)
    return contact
  }

  const unite = (contacts: readonly Contact[]): Contact => {
    const winner = contacts.reduce((oldest, contact) => (isOlder(contact, oldest) ? contact : oldest))
    for (const loser of contacts) {
      if (loser === winner) continue
      loser.mergedInto = winner
      winner.name ??= loser.name
      if (loser.profileName !== null && (winner.profileName === null || loser.updatedAt > winner.updatedAt)) {
        winner.profileName = loser.profileName
        winner.updatedAt = loser.updatedAt
      }
      for (const known of loser.identities.values()) winner.identities.set(slot(known), { ...known, changed: true })
      winner.changed = true
      if (!loser.isNew) merges.push({ loser: loser.id, winner: winner.id })
    }
    return winner
  }

  /** A single identifier is written at most once a day. Otherwise every message would update a row. */
  const isWorthWriting = (contact: Contact, known: Known, one: Identifier, at: string) =>
    known.value !== one.value ||
    identitiesOf(contact, one.kind).length > 1 ||
    Date.parse(at) - Date.parse(known.seenAt) > dayMs

  const note = (contact: Contact, one: Identifier, at: string) => {
    const known = contact.identities.get(slot(one))
    if (!known) {
      const former = alive(bySlot.get(slot(one)))
      if (former && former !== contact) {
        former.identities.delete(slot(one))
        refresh(former)
      }
      contact.identities.set(slot(one), { ...one, seenAt: at, changed: true })
      bySlot.set(slot(one), contact)
    } else if (at > known.seenAt && isWorthWriting(contact, known, one, at)) {
      contact.identities.set(slot(one), { ...one, seenAt: at, changed: true })
    }
  }

  const refresh = (contact: Contact) => {
    const waId = latestOf(contact, 'phone')?.value ?? null
    const bsuid = latestOf(contact, 'bsuid')?.value ?? null
    const username = latestOf(contact, 'username')?.value ?? null
    if (waId === contact.waId && bsuid === contact.bsuid && username === contact.username) return
    Object.assign(contact, { waId, bsuid, username, changed: true })
  }

  const sight = (contact: Contact, sender: Sender, given: readonly Identifier[], at: string): Contact => {
    for (const one of given) note(contact, one, at)
    refresh(contact)
    const { profileName } = sender
    if (profileName && profileName !== contact.profileName && (contact.profileName === null || at >= contact.updatedAt))
      Object.assign(contact, { profileName, updatedAt: at, changed: true })
    return contact
  }

  /** Erased people return rarely, so one statement each is enough. */
  const restoreKept = async (fresh: readonly Contact[], take: NonNullable<DirectoryParts['takeKept']>) => {
    const asked = fresh.map(({ id, identities }) => ({ id, known: [...identities.values()] }))
    for (const [contactId, { optOut, block }] of await take(db, orgId, asked)) {
      const contact = byId.get(contactId) as Contact
      if (optOut) {
        contact.optOut = JSON.stringify(optOut)
        await saveOptOuts(db, [{ contactId }], { orgId, optOut: contact.optOut })
      }
      if (block) {
        contact.blockedAt = block.at
        await saveBlock(db, orgId, contactId, block)
      }
    }
  }

  const place = (sender: Sender, at: string): Contact => {
    const given = givenBy(sender)
    const holders = holdersOf(given)
    return sight(holders.length ? unite(holders) : create(sender), sender, given, at)
  }

  const find = (sender: Sender): Contact | undefined => holdersOf(givenBy(sender))[0]

  return {
    place,
    find,
    ensure: sender => find(sender) ?? place(sender, longAgo),
    rename(previous, current, at) {
      const given = identifiersOf(current)
      const holders = new Set([...holdersOf(identifiersOf(previous)), ...holdersOf(given)])
      const contact = holders.size ? unite([...holders]) : create(current)
      // Messages with the previous identifiers may still arrive.
      sight(contact, { ...previous, profileName: undefined }, identifiersOf(previous), longAgo)
      return sight(contact, current, given, at)
    },
    learn(contactId, sender, at) {
      const anchor = alive(byId.get(contactId))
      if (!anchor) return undefined
      const given = identifiersOf(sender)
      return sight(unite([...new Set([anchor, ...holdersOf(given)])]), sender, given, at)
    },
    countNew: () => [...byId.values()].filter(contact => contact.isNew && !contact.mergedInto).length,
    async save() {
      const living = [...byId.values()].filter(contact => !contact.mergedInto)
      const identities = living.flatMap(contact => {
        const changed = [...contact.identities.values()].filter(known => known.changed)
        return changed.map(known => ({
          contactId: contact.id,
          kind: known.kind,
          key: known.key,
          value: known.value,
          seenAt: known.seenAt,
        }))
      })
      const touched = new Set(identities.map(identity => identity.contactId))
      const contacts = living.filter(contact => contact.changed || touched.has(contact.id))
      const rows = contacts.map(contact => ({
        id: contact.id,
        isNew: contact.isNew,
        name: contact.name,
        profileName: contact.profileName,
        username: contact.username,
        waId: contact.waId,
        bsuid: contact.bsuid,
        isGroup: Number(contact.isGroup),
        createdAt: contact.createdAt,
        updatedAt: contact.updatedAt || now,
        search: contactSearchText(contact, identitiesOf(contact, 'phone')),
      }))
      const unmet = Map.groupBy(rows, isNumberOnly)
      await insertNumberOnly(db, unmet.get(true) ?? [], { orgId, at: now })
      await saveContacts(db, unmet.get(false) ?? [], { orgId })
      await saveIdentities(db, identities, { orgId })
      const renamed = rows.flatMap(({ id, search }, i) =>
        search === contacts[i]?.search ? [] : [{ contactId: id, names: search, isNew: contacts[i]?.isNew ?? true }],
      )
      await saveContactTerms(db, orgId, renamed)
      const fresh = contacts.filter(({ isNew }) => isNew)
      if (fresh.length && parts.takeKept) await restoreKept(fresh, parts.takeKept)
      return merges
    },
  }
}
