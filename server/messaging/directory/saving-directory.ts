import { contactSearchText } from '#server/messaging/identifier.ts'
import { saveContactTerms } from '#server/messaging/search/contact-index.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'
import { type Block, saveBlock } from './blocking-store.ts'
import { type ContactRow, insertNumberOnly, saveContacts, saveIdentities } from './contact-store.ts'
import { type Contact, identitiesOf, type Kind } from './known-contact.ts'
import { saveOptOuts } from './opt-out-store.ts'

/** Returns the opt-out and block, by id, of new contacts who were erased before. */
export type TakeKept = (
  db: OrgDb,
  orgId: string,
  contacts: readonly { readonly id: string; readonly known: readonly { kind: Kind; key: string }[] }[],
) => Promise<ReadonlyMap<string, { optOut: OptOut | null; block: Block | null }>>

/** A new contact of whom only a number is known. */
const isNumberOnly = (row: ContactRow & { readonly isNew: boolean }): boolean =>
  row.isNew && row.waId !== null && !row.isGroup && (row.name ?? row.profileName ?? row.username ?? row.bsuid) === null

/** Erased people return rarely, so one statement each is enough. */
const restoreKept = async (db: OrgDb, orgId: string, fresh: readonly Contact[], take: TakeKept) => {
  const asked = fresh.map(({ id, identities }) => ({ id, known: [...identities.values()] }))
  const byId = new Map(fresh.map(contact => [contact.id, contact]))
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

/** Writes what changed of these contacts in a few statements. Contacts that were merged into another are left out. */
export const saveDirectory = async (
  db: OrgDb,
  orgId: string,
  known: readonly Contact[],
  { now, takeKept }: { readonly now: string; readonly takeKept: TakeKept | undefined },
) => {
  const living = known.filter(contact => !contact.mergedInto)
  const identities = living.flatMap(contact => {
    const changed = [...contact.identities.values()].filter(one => one.changed)
    return changed.map(({ kind, key, value, seenAt }) => ({ contactId: contact.id, kind, key, value, seenAt }))
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
  if (fresh.length && takeKept) await restoreKept(db, orgId, fresh, takeKept)
}
