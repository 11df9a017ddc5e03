import { type Static, Type } from 'typebox'
import { ChatAddress } from '#shared/inbox/conversations.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Timestamp } from '#shared/kernel/list.ts'

/** How long a merge can be undone. */
export const mergeUndoDays = 7
export const mergesListed = 20

const ContactMerge = Type.Object({
  id: Type.String(),
  contactId: Type.String({ description: 'The one that stayed.' }),
  name: Type.String({ description: 'What the one that is gone was called.' }),
  by: Type.String({ description: 'By name.' }),
  at: Timestamp,
  undoUntil: Timestamp,
})
export type ContactMerge = Static<typeof ContactMerge>

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
    summary: `Makes the contact of another chat part of this one: numbers, tags, fields, notes, conversations and messages. It can be undone for ${mergeUndoDays} days.`,
  }),
  listMerges: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/merges',
    access: 'member:manage',
    params: OfChat,
    reply: Type.Object({ items: Type.Array(ContactMerge) }),
    refuses: [404],
    summary: 'What became part of the contact of a chat and can still be undone, the last first.',
  }),
  undoMerge: endpoint({
    method: 'POST',
    path: '/whatsapp/contact-merges/:id/undo',
    access: 'member:manage',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
    reply: Done,
    refuses: [404, 409],
    summary:
      'Parts two contacts again, each with its numbers, tags, fields, notes, conversations and messages of before. What came or was changed since stays with the one that is there, and so do drafts, flows they have been in and sends that they got; a flow that was under way for the other one ends.',
  }),
} as const
