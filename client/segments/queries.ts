import { queryFor } from '#client/app/queries/queries.ts'

export const segmentsQuery = (org: string) => queryFor(org, 'bulkSends.listSegments', {})
export const contactFieldsQuery = (org: string) => queryFor(org, 'contactFields.listFields', {})
