import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done } from '#shared/kernel/list.ts'

const MediaParams = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }) },
  { additionalProperties: false },
)

export const mediaApi = {
  retryMedia: endpoint({
    method: 'POST',
    path: '/whatsapp/media/:id/retry',
    access: 'chat:reply',
    params: MediaParams,
    reply: Done,
    refuses: [409],
    summary: 'Downloads a file from WhatsApp again after a failure.',
  }),
} as const

/**
 * The file. Its route is registered separately, because the answer is not JSON. The id identifies the organization,
 * because `<img>` sends no header.
 */
export const mediaFile = endpoint({
  method: 'GET',
  path: '/whatsapp/media/:id',
  access: 'chat:read',
  params: MediaParams,
  reply: Type.String({ description: 'The bytes; parts by `range`.' }),
  refuses: [416],
  summary: 'A file of a message, for members only.',
})
