import { queryFor } from '#client/app/queries/queries.ts'

/** A chat's scheduled messages, earliest first. */
export const scheduledQuery = (org: string, phone: string) =>
  queryFor(org, 'scheduledMessages.listScheduled', { params: { phone } })
