import { contactNameMaxChars } from '#shared/contacts/chat-contact.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import { asId, asObject, asText, asTime, cleanLine, type Json, longList } from '../scalars.ts'
import { customerIdsFrom, groupIds, isKnown } from '../webhooks/customer-ids.ts'
import type { CustomerIds, WebhookItem } from '../webhooks/inbound.ts'

/** Meta's names of the fields that report names from outside the product. */
export const outsideNameFields = ['smb_app_state_sync', 'group_lifecycle_update', 'group_settings_update'] as const

/** The name of a customer in the phone's address book, or of a group. */
export interface OutsideName {
  readonly sender: CustomerIds
  /** Null: removed from the address book. */
  readonly name: string | null
  readonly at: string | undefined
}

const nameOf = (...given: readonly unknown[]): string | undefined =>
  given.flatMap(one => cleanLine(one, contactNameMaxChars)?.replace(/\s+/g, ' ') ?? []).find(isPlainName)

/** @see Meta, "Webhooks › smb_app_state_sync": a removed entry has no name */
const bookEntry = (entry: Json): OutsideName[] => {
  const contact = asObject(entry.contact)
  const sender = customerIdsFrom(contact?.phone_number, contact?.user_id)
  if (entry.type !== 'contact' || !isKnown(sender)) return []
  const name = entry.action === 'remove' ? null : nameOf(contact?.full_name, contact?.first_name)
  return name === undefined ? [] : [{ sender, name, at: asTime(asObject(entry.metadata)?.timestamp) }]
}

/**
 * @see Meta, "Webhooks › group_lifecycle_update": a new group has its `subject`, a changed one also says whether the
 * change succeeded
 */
const groupEntry = (entry: Json): OutsideName[] => {
  const id = asId(entry.group_id)
  const changed = asObject(entry.group_subject)
  const subject = changed?.update_successful === false ? undefined : asText(changed?.text)
  const name = nameOf(entry.subject, subject)
  if (id === undefined || name === undefined) return []
  return [{ sender: groupIds(id), name, at: asTime(entry.timestamp) }]
}

/** Unreadable entries, and other changes of a group, are omitted. */
export function readOutsideNames(item: WebhookItem): OutsideName[] {
  if (item.kind !== 'management') return []
  const value = asObject(item.value)
  const names: OutsideName[] = []
  for (const entry of longList(value?.state_sync) ?? []) names.push(...bookEntry(asObject(entry) ?? {}))
  for (const entry of longList(value?.groups) ?? []) names.push(...groupEntry(asObject(entry) ?? {}))
  return names
}
