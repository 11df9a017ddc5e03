import { Type } from 'typebox'
import { ChatAddress } from '#shared/inbox/conversations.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Timestamp } from '#shared/kernel/list.ts'

/** A merge can be undone for this long. */
export const mergeUndoDays = 7
export const mergesListed = 20

const ContactMerge = Type.Object({
  id: Type.String(),
  contactId: Type.String({ description: 'The one that stayed.' }),
  name: Type.String({ description: 'Name of the contact that was merged into the other.' }),
  by: Type.String({ description: 'By name.' }),
  at: Timestamp,
  undoUntil: Timestamp,
})

const OfChat = Type.Object({ phone: ChatAddress }, { additionalProperties: false })

/** Merging contacts that are the same customer. */
export const contactMergesApi = {
  merge: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/merge',
    access: 'member:manage',
    params: OfChat,
    body: Type.Object({ other: ChatAddress }, { additionalProperties: false }),
    reply: ContactMerge,
    refuses: [404, 409],
    summary: `Merges the contact of another chat into this one: numbers, tags, fields, notes, conversations and messages. It can be undone for ${mergeUndoDays} days.`,
  }),
  listMerges: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/merges',
    access: 'member:manage',
    params: OfChat,
    reply: Type.Object({ items: Type.Array(ContactMerge) }),
    refuses: [404],
    summary: 'Merges into the contact of a chat that can still be undone, newest first.',
  }),
  undoMerge: endpoint({
    method: 'POST',
    path: '/whatsapp/contact-merges/:id/undo',
    access: 'member:manage',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
    reply: Done,
    refuses: [404, 409],
    summary:
      'Undoes a merge: both contacts have their earlier numbers, tags, fields, notes, conversations and messages again. Later changes, drafts, past flows and bulk sends stay with the merged contact; a running flow of the other one ends.',
  }),
} as const
