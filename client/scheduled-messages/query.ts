import { queryFor } from '#client/app/queries.ts'

/** What is to be sent later in a chat, the next first. */
export const scheduledQuery = (org: string, phone: string) =>
  queryFor(org, 'scheduledMessages.listScheduled', { params: { phone } })
