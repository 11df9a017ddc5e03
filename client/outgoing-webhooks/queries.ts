import { queryFor } from '#client/app/queries/queries.ts'

export const webhooksQuery = (org: string) => queryFor(org, 'outgoingWebhooks.listWebhooks', {})
export const webhookNamesQuery = (org: string) => queryFor(org, 'outgoingWebhooks.listNames', {})
export const eventsQuery = (org: string) => queryFor(org, 'outgoingWebhooks.listEvents', {})
export const deliveriesQuery = (org: string, name: string) =>
  queryFor(org, 'outgoingWebhooks.listDeliveries', { params: { name }, query: {} })
