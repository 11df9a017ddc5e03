import { type Static, Type } from 'typebox'
import { ChatAddress } from '#shared/inbox/conversations.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { exportTicketMinutes } from './api.ts'

const ChatFormat = Type.Enum(['text', 'html'], {
  description: "`text`: lines in the form of WhatsApp's own export, without files · `html`: a page to print.",
})
export type ChatFormat = Static<typeof ChatFormat>

export const chatExportApi = {
  prepare: endpoint({
    method: 'POST',
    path: '/whatsapp/chats/:phone/export',
    access: 'chat:read',
    peopleOnly: true,
    params: Type.Object({ phone: ChatAddress }, { additionalProperties: false }),
    body: Type.Object({ format: ChatFormat }, { additionalProperties: false }),
    reply: Type.Object({
      url: Type.String({
        description: `Where the chat is fetched, in this session and within ${exportTicketMinutes} minutes.`,
      }),
    }),
    refuses: [404, 409],
    summary: "Prepares a download of one chat, without the team's notes and actions.",
  }),
} as const
