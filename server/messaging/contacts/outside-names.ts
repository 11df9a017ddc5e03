import { emitChanged } from '#server/messaging/conversations/changes/emit-changed.ts'
import { findRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import type { Contact } from '#server/messaging/directory/known-contact.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { OutsideName } from '#server/whatsapp/fields/outside-names.ts'
import { findOutsideNames, saveOutsideNames } from './outside-name-store.ts'

/** The last entry of each contact. Without a name and not in a list, it is omitted. */
const lastEntries = (
  names: readonly OutsideName[],
  contactOf: (one: OutsideName) => Contact | undefined,
  now: string,
): Map<Contact, { name: string | null; at: string }> => {
  const last = new Map<Contact, { name: string | null; at: string }>()
  for (const one of names) {
    const contact = contactOf(one)
    const at = one.at ?? now
    if (contact && at >= (last.get(contact)?.at ?? '')) last.set(contact, { name: one.name, at })
  }
  return last
}

/**
 * Names contacts as the phone's address book does, and groups by their own name, unless a member renamed them. Unknown
 * people become contacts without a conversation, so that they have a name when they write. Older entries are ignored.
 * Emits `conversation.changed` for the rows of each renamed contact.
 */
export async function takeOutsideNames(
  write: OrgWrite,
  names: readonly OutsideName[],
  parts: DirectoryParts,
): Promise<void> {
  if (!names.length) return
  const { db, orgId } = write
  const now = isoNow(parts.clock)
  const directory = await openDirectory(
    db,
    orgId,
    names.map(({ sender }) => sender),
    parts,
  )
  const contactOf = ({ sender, name }: OutsideName) =>
    name === null ? directory.find(sender) : directory.ensure(sender)
  const last = lastEntries(names, contactOf, now)
  const ids = [...last.keys()].flatMap(({ id, isNew }) => (isNew ? [] : [id]))
  const known = new Map((await findOutsideNames(db, ids, { orgId })).map(row => [row.id, row]))
  const renamed: string[] = []
  const news: { contactId: string; name: string | null; at: string }[] = []
  for (const [contact, { name, at }] of last) {
    const before = known.get(contact.id)
    if (before?.outside_name_at && before.outside_name_at > at) continue
    if (before?.outside_name_at === at && before.outside_name === name) continue
    news.push({ contactId: contact.id, name, at })
    const isByHand = contact.name !== null && contact.name !== before?.outside_name
    if (isByHand || contact.name === name) continue
    Object.assign(contact, { name, changed: true })
    renamed.push(contact.id)
  }
  await directory.save()
  await saveOutsideNames(db, news, { orgId })
  if (renamed.length) await emitChanged(write, await findRows.byContact(db, renamed, { orgId }))
}
