import { queryFor } from '#client/app/queries.ts'

/** The ready answers that this person has, by shortcut. */
export const answersQuery = (org: string) => queryFor(org, 'readyAnswers.listAnswers', {})
