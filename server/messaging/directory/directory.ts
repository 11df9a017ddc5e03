import { type Identifier, identifiersOf } from '#server/messaging/identifier.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { isGroup } from '#server/whatsapp/webhooks/customer-ids.ts'
import type { CustomerIds } from '#server/whatsapp/webhooks/inbound.ts'
import { findContacts, type KnownContact } from './contact-store.ts'
import {
  type Contact,
  identifierKey,
  identitiesOf,
  isOlder,
  isWorthWriting,
  type KnownIdentifier,
  latestIdentifier,
  newContact,
  readKnownContact,
  refreshIdentifiers,
} from './known-contact.ts'
import { saveDirectory, type TakeKept } from './saving-directory.ts'

const longAgo = '1970-01-01T00:00:00.000Z'

export interface Merge {
  readonly loser: string
  readonly winner: string
}

/**
 * The customers of a batch. Reads them with one lookup per kind of identifier, decides in memory, and `save` writes in
 * a few statements.
 */
export interface Directory {
  /** The contact of a message's sender. Creates it if needed, and merges contacts that share a sender. */
  recordSender(sender: CustomerIds, at: string): Contact
  /**
   * The contact, or a new one that has never written, such as an imported one. Identifiers that are seen later replace
   * its address.
   */
  ensure(sender: CustomerIds): Contact
  /** The contact, if it exists. */
  find(sender: CustomerIds): Contact | undefined
  /** A changed number or user id: both senders are one person, written to by the current identifiers. */
  rename(previous: CustomerIds, current: CustomerIds, at: string): Contact
  /** Adds what the answer to our message revealed about a contact. */
  learn(contactId: string, sender: CustomerIds, at: string): Contact | undefined
  /** The number of contacts that `save` will add. */
  countNew(): number
  /** Writes what changed. Merges must run after it and before conversations are read. */
  save(): Promise<readonly Merge[]>
}

export interface DirectoryParts {
  readonly clock: Clock
  readonly ids: (at?: number) => string
  /** Absent: nobody was erased before. */
  readonly takeKept?: TakeKept
}

/** Reads every contact that these senders may be. `anchors` are ids of contacts that are certainly meant. */
export async function openDirectory(
  db: OrgDb,
  orgId: string,
  senders: readonly CustomerIds[],
  parts: DirectoryParts,
  anchors: readonly string[] = [],
): Promise<Directory> {
  const now = isoNow(parts.clock)
  const byId = new Map<string, Contact>()
  const byIdentifier = new Map<string, Contact>()
  const merges: Merge[] = []

  const admit = (row: KnownContact) => {
    let contact = byId.get(row.id)
    if (!contact) {
      contact = readKnownContact(row)
      byId.set(row.id, contact)
    }
    if (row.kind === null || row.match_key === null || row.value === null || row.seen_at === null) return
    const known: KnownIdentifier = {
      kind: row.kind,
      key: row.match_key,
      value: row.value,
      seenAt: row.seen_at,
      changed: false,
    }
    contact.identities.set(identifierKey(known), known)
    byIdentifier.set(identifierKey(known), contact)
  }

  const identifiersOfSenders = new Map(senders.map(sender => [sender, identifiersOf(sender)]))
  /** Cached for the senders it was opened with. */
  const givenBy = (sender: CustomerIds): Identifier[] => identifiersOfSenders.get(sender) ?? identifiersOf(sender)

  const asked = [...identifiersOfSenders.values()].flat()
  if (anchors.length) for (const row of await findContacts.byId(db, anchors, { orgId })) admit(row)
  for (const kind of ['phone', 'bsuid', 'username', 'other'] as const) {
    const keys = asked.filter(one => one.kind === kind && !byIdentifier.has(identifierKey(one))).map(one => one.key)
    if (keys.length) for (const row of await findContacts.byKey(db, keys, { orgId, kind })) admit(row)
  }

  const alive = (contact: Contact | undefined): Contact | undefined => {
    let current = contact
    while (current?.mergedInto) current = current.mergedInto
    return current
  }
  const holderOf = (identifier: Identifier) => alive(byIdentifier.get(identifierKey(identifier)))

  /**
   * A number that its holder has given up can belong to somebody else: a message with an unknown user id proves it.
   * Without a user id the thread continues, as it does on the phone.
   */
  const isReassigned = (phone: Identifier, holder: Contact, given: readonly Identifier[]): boolean => {
    const bsuid = given.find(one => one.kind === 'bsuid')
    if (!bsuid || holderOf(bsuid) || !identitiesOf(holder, 'bsuid').length) return false
    return latestIdentifier(holder, 'phone')?.key !== phone.key
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

  const create = (sender: CustomerIds): Contact => {
    const contact = newContact(parts.ids(parts.clock.now().getTime()), now, isGroup(sender))
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
      for (const known of loser.identities.values())
        winner.identities.set(identifierKey(known), { ...known, changed: true })
      winner.changed = true
      if (!loser.isNew) merges.push({ loser: loser.id, winner: winner.id })
    }
    return winner
  }

  const recordIdentifier = (contact: Contact, one: Identifier, at: string) => {
    const known = contact.identities.get(identifierKey(one))
    if (!known) {
      const former = alive(byIdentifier.get(identifierKey(one)))
      if (former && former !== contact) {
        former.identities.delete(identifierKey(one))
        refreshIdentifiers(former)
      }
      contact.identities.set(identifierKey(one), { ...one, seenAt: at, changed: true })
      byIdentifier.set(identifierKey(one), contact)
    } else if (at > known.seenAt && isWorthWriting(contact, known, one, at)) {
      contact.identities.set(identifierKey(one), { ...one, seenAt: at, changed: true })
    }
  }

  const recordSeen = (contact: Contact, sender: CustomerIds, given: readonly Identifier[], at: string): Contact => {
    for (const one of given) recordIdentifier(contact, one, at)
    refreshIdentifiers(contact)
    const { profileName } = sender
    if (profileName && profileName !== contact.profileName && (contact.profileName === null || at >= contact.updatedAt))
      Object.assign(contact, { profileName, updatedAt: at, changed: true })
    return contact
  }

  const recordSender = (sender: CustomerIds, at: string): Contact => {
    const given = givenBy(sender)
    const holders = holdersOf(given)
    return recordSeen(holders.length ? unite(holders) : create(sender), sender, given, at)
  }

  const find = (sender: CustomerIds): Contact | undefined => holdersOf(givenBy(sender))[0]

  return {
    recordSender,
    find,
    ensure: sender => find(sender) ?? recordSender(sender, longAgo),
    rename(previous, current, at) {
      const given = identifiersOf(current)
      const holders = new Set([...holdersOf(identifiersOf(previous)), ...holdersOf(given)])
      const contact = holders.size ? unite([...holders]) : create(current)
      // Messages with the previous identifiers may still arrive.
      recordSeen(contact, { ...previous, profileName: undefined }, identifiersOf(previous), longAgo)
      return recordSeen(contact, current, given, at)
    },
    learn(contactId, sender, at) {
      const anchor = alive(byId.get(contactId))
      if (!anchor) return undefined
      const given = identifiersOf(sender)
      return recordSeen(unite([...new Set([anchor, ...holdersOf(given)])]), sender, given, at)
    },
    countNew: () => [...byId.values()].filter(contact => contact.isNew && !contact.mergedInto).length,
    async save() {
      await saveDirectory(db, orgId, [...byId.values()], { now, takeKept: parts.takeKept })
      return merges
    },
  }
}
