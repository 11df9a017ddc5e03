import { Type } from 'typebox'
import { lookingMs, maxPresent, Present, writingMs } from '#shared/inbox/presence.ts'
import { endpoint } from '#shared/kernel/contract.ts'

export const flowPresenceApi = {
  setPresence: endpoint({
    method: 'PUT',
    path: '/whatsapp/flows/:id/presence',
    access: 'chat:read',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
    body: Type.Object({ state: Type.Enum(['looking', 'writing', 'gone']) }, { additionalProperties: false }),
    reply: Type.Object({ items: Type.Array(Present) }),
    refuses: [404],
    summary: `Reports that the caller has a flow's editor open (for ${lookingMs / 1000} s), is drawing in it (for ${writingMs / 1000} s), or has left it. Returns who else is there, at most ${maxPresent}.`,
  }),
} as const
