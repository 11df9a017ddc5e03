import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { ChatAddress } from './conversations.ts'

/** Presence expires this long after the last heartbeat. Clients send one before that. */
export const lookingMs = 60_000
export const writingMs = 10_000
/** More than these nobody needs to see by name. */
export const maxPresent = 20

/** A member who has the chat open. */
export const Present = Type.Object({
  id: Type.String(),
  name: Type.String(),
  isWriting: Type.Boolean(),
})
export type Present = Static<typeof Present>

export const presenceApi = {
  setPresence: endpoint({
    method: 'PUT',
    path: '/whatsapp/conversations/:phone/presence',
    access: 'chat:read',
    params: Type.Object({ phone: ChatAddress }, { additionalProperties: false }),
    body: Type.Object({ state: Type.Enum(['looking', 'writing', 'gone']) }, { additionalProperties: false }),
    reply: Type.Object({ items: Type.Array(Present) }),
    refuses: [404],
    summary: `Reports that the caller has a chat open (for ${lookingMs / 1000} s), is typing in it (for ${writingMs / 1000} s), or has left it. Returns who else is there, at most ${maxPresent}.`,
  }),
} as const
