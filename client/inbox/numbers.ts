import { useAnswer } from '#client/app/queries/use-answer.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import type { NumberOfOrg } from '#shared/numbers/api.ts'

const none: readonly NumberOfOrg[] = []

/** The organization's numbers, if conversations must show which. Empty if there is only one. */
export const useNumbers = (org: string): readonly NumberOfOrg[] => useAnswer(wabaQuery(org)).numbers ?? none
