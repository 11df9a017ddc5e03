import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'

/** How long a prepared download can be started. */
export const exportTicketMinutes = 5

export const orgExportApi = {
  prepare: endpoint({
    method: 'POST',
    path: '/organization/export',
    access: 'data:export',
    peopleOnly: true,
    reply: Type.Object({
      url: Type.String({
        description: `Where the archive is fetched, in this session and within ${exportTicketMinutes} minutes.`,
      }),
      contacts: Type.Integer({ minimum: 0 }),
      messages: Type.Integer({ minimum: 0 }),
    }),
    refuses: [409],
    summary: 'Prepares a download of everything the organization has: a zip of tables and files.',
  }),
} as const
