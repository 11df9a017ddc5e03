import { queryFor } from '#client/app/queries/queries.ts'

/** The person's ready answers, by shortcut. */
export const answersQuery = (org: string) => queryFor(org, 'readyAnswers.listAnswers', {})
