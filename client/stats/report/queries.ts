import { queryFor } from '#client/app/queries/queries.ts'

export const reportQuery = (org: string) => queryFor(org, 'statsReport.getReport', {})
export const subscriptionQuery = (token: string) =>
  queryFor(undefined, 'statsReport.getSubscription', { query: { token } })
