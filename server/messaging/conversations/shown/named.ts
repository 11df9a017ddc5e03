import type { Viewer } from '#server/identity/visibility/scope.ts'
import { contactAddress } from '#server/messaging/identifier.ts'
import type { Db } from '#server/platform/db/database.ts'
import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import { findRows, readTagsOfContacts } from '../rows/list-row-store.ts'
import { listOwnNumbers } from '../rows/number-store.ts'
import { listChatsOf } from './identity-chats-store.ts'
import { conversationRef, nameOf } from './present.ts'

/** With whom a conversation is, for lists of other features. */
export interface NamedConversation {
  /** The customer's number as digits, or their user id. */
  readonly number: string
  /** The address of its page. */
  readonly address: string
  readonly name: string
  /** Labels. */
  readonly tags: readonly string[]
}

/** Conversations that the caller has checked may be seen, by id; one that is gone is absent. */
export async function nameConversations(
  db: Db,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedConversation>> {
  const rows = ids.length ? await findRows.byId(db, ids, { orgId }) : []
  const contactIds = rows.map(row => row.contact_id)
  const tags = await readTagsOfContacts(db, orgId, contactIds)
  return new Map(
    rows.map(row => [
      row.id,
      {
        number: contactAddress(row),
        address: conversationRef(row).address ?? contactAddress(row),
        name: nameOf(row),
        tags: (tags.get(row.contact_id) ?? []).map(({ label }) => label),
      },
    ]),
  )
}

/**
 * Ids of the chats of customers that the viewer sees, by our number, the kind of identifier and its key, as in
 * `identifiersOf`: `NUMBER phone 5491155550101`.
 */
export async function findChatIds(
  db: Db,
  viewer: Viewer,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await listChatsOf(db, viewer, keys)
  return new Map(rows.map(row => [`${row.line} ${row.kind} ${row.match_key}`, row.id]))
}

/** Id of one of the organization's own numbers, also of one that was let go; undefined: it has none such. */
export async function findOwnNumberId(db: Db, orgId: string, typed: string): Promise<string | undefined> {
  const key = phoneKey(digitsOf(typed))
  return (await listOwnNumbers(db, orgId)).find(({ phone }) => phone && phoneKey(phone) === key)?.id
}

/** Digits of the organization's own numbers by id, including numbers that it disconnected. */
export const findOwnPhones = async (db: Db, orgId: string): Promise<ReadonlyMap<string, string>> =>
  new Map((await listOwnNumbers(db, orgId)).map(({ id, phone }) => [id, phone]))
