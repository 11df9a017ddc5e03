import { useSuspenseQuery } from '@tanstack/react-query'
import { queryFor } from '#client/queries.ts'
import type { NumberOfOrg } from '#shared/numbers.ts'

const none: readonly NumberOfOrg[] = []

/** The organization's numbers where conversations have to say which; empty where it has one only. */
export const useNumbers = (org: string): readonly NumberOfOrg[] =>
  useSuspenseQuery(queryFor(org, 'numbers.getWaba', {})).data.numbers ?? none
