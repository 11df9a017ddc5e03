import { queryFor } from '#client/queries.ts'
import { useAnswer } from '#client/use-answer.ts'
import type { NumberOfOrg } from '#shared/numbers.ts'

const none: readonly NumberOfOrg[] = []

/** The organization's numbers where conversations have to say which; empty where it has one only. */
export const useNumbers = (org: string): readonly NumberOfOrg[] =>
  useAnswer(queryFor(org, 'numbers.getWaba', {})).numbers ?? none
