import { type ArchiveRecord, readRecord } from '#server/messaging/archive/records.ts'
import type { ArchivedImports } from '#server/messaging/imported/archived.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { CustomerIds } from '#server/whatsapp/webhooks/inbound.ts'
import { findContactsOf, insertMade, saveChats } from '../chat-store.ts'
import type { RecordSource } from '../reading/record-source.ts'
import type { RefusedLine } from '../refused.ts'
import { findImport, type StoredImport } from '../store.ts'
import type { WorkParts } from '../work/parts.ts'
import type { Read } from './taking-messages.ts'

const labelsAtMost = 500

interface Labels {
  /** The id of our tag; undefined: it is left out. */
  tagFor(label: string): string | undefined
  fieldFor: Awaited<ReturnType<ArchivedImports['ensureFields']>>['fieldFor']
}

const senderOf = ({ waId, bsuid, username, profileName, otherId }: ArchiveRecord<'contacts'>): CustomerIds => ({
  ...(waId ? { waId } : {}),
  ...(bsuid ? { bsuid } : {}),
  ...(username ? { username } : {}),
  ...(profileName ? { profileName } : {}),
  ...(otherId ? { other: otherId } : {}),
})

/**
 * Maps tags and fields of the archive to ours. New ones are recorded, so that an undo deletes them. Undefined: the import
 * was paused, undone or deleted.
 */
export async function openLabels(
  { writes, archivedImports }: Pick<WorkParts, 'writes' | 'archivedImports'>,
  orgId: string,
  one: StoredImport,
  source: RecordSource,
): Promise<Labels | undefined> {
  const chosen = new Map((one.mapping.tags ?? []).map(({ from, to }) => [from, to]))
  const tags: ArchiveRecord<'tags'>[] = []
  for await (const { text } of source.lines('tags')) {
    const tag = readRecord('tags', text)
    if (tag && !chosen.has(tag.label) && tags.length < labelsAtMost) tags.push(tag)
  }
  const fields: ArchiveRecord<'fields'>[] = []
  for await (const { text } of source.lines('fields')) {
    const field = readRecord('fields', text)
    if (field && fields.length < labelsAtMost) fields.push(field)
  }
  return writes.run(orgId, systemActor('imports'), async write => {
    if ((await findImport(write.db, orgId, one.id))?.state !== 'running') return undefined
    const { tagOf, made: madeTags } = await archivedImports.ensureTags(write, tags)
    const { fieldFor, made: madeFields } = await archivedImports.ensureFields(write, fields)
    const made = [
      ...madeTags.map(({ label, id }) => ({ kind: 'tag', source: label, target: id, added: null }) as const),
      ...madeFields.map(({ label, id }) => ({ kind: 'field', source: label, target: id, added: null }) as const),
    ]
    await insertMade(write.db, made, { orgId, importId: one.id })
    const tagFor = (label: string) => (chosen.has(label) ? (chosen.get(label) ?? undefined) : tagOf(label))
    return { tagFor, fieldFor }
  })
}

/** Returns how many contacts are new. */
export async function takeContacts(
  { archivedImports }: Pick<WorkParts, 'archivedImports'>,
  write: OrgWrite,
  { importId, labels }: { importId: string; labels: Labels },
  rows: readonly Read<'contacts'>[],
): Promise<number> {
  const given = rows.flatMap(({ record }) => {
    const sender = senderOf(record)
    if (!Object.keys(sender).some(name => name !== 'profileName')) return []
    return {
      source: record.id,
      sender,
      name: record.name ?? null,
      note: record.note ?? null,
      optOut: record.optOut ? JSON.stringify(record.optOut) : null,
      blockedAt: record.blockedAt ?? null,
      blockedBy: record.blockedBy ?? null,
      tagIds: record.tags.flatMap(label => labels.tagFor(label) ?? []),
      values: record.fields.flatMap(field => labels.fieldFor(field) ?? []),
    }
  })
  const opened = await archivedImports.openContacts(write, given)
  await insertMade(
    write.db,
    opened.map(({ source, contactId, added }) => ({
      ...({ kind: 'contact', source, target: contactId } as const),
      added,
    })),
    { orgId: write.orgId, importId },
  )
  return opened.filter(({ added }) => added.isNew).length
}

/** Opens a conversation for each chat. Returns those that the mapping leaves out. */
export async function takeChats(
  { archivedImports }: Pick<WorkParts, 'archivedImports'>,
  write: OrgWrite,
  one: StoredImport,
  rows: readonly Read<'conversations'>[],
): Promise<RefusedLine[]> {
  const of = { orgId: write.orgId, importId: one.id }
  const connections = new Map((one.mapping.numbers ?? []).map(({ from, connectionId }) => [from, connectionId]))
  const contacts = await findContactsOf(
    write.db,
    rows.map(({ record }) => record.contact),
    of,
  )
  const contactOf = new Map(contacts.map(({ source, target }) => [source, target]))
  const refused: RefusedLine[] = []
  const wanted = rows.flatMap(({ record: { id, contact, number }, line }) => {
    const connectionId = connections.get(number)
    const contactId = contactOf.get(contact)
    if (connectionId && contactId) return [{ source: id, contactId, connectionId }]
    refused.push({ line: line.number, why: 'leftOut', text: `${line.file}: ${id}` })
    return []
  })
  const opened = await archivedImports.openChats(write, wanted)
  await saveChats(write.db, opened, of)
  return refused
}
