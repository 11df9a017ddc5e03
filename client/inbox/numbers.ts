import { queryFor } from '#client/app/queries.ts'
import { useAnswer } from '#client/app/use-answer.ts'
import type { NumberOfOrg } from '#shared/numbers/api.ts'

const none: readonly NumberOfOrg[] = []

/** The organization's numbers where conversations have to say which; empty where it has one only. */
export const useNumbers = (org: string): readonly NumberOfOrg[] =>
  useAnswer(queryFor(org, 'numbers.getWaba', {})).numbers ?? none
