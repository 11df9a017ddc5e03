import type { FlowsT } from './words.ts'

/** Why a step went as it did; empty: there is nothing to say. */
export const whyText = (t: FlowsT, why: string | null): string =>
  why === null ? '' : t(`why.${why as 'asked'}`, { defaultValue: '' })

/** Why a person has the conversation. */
export const reasonText = (t: FlowsT, reason: string): string =>
  t(`reason.${reason as 'wanted'}`, { defaultValue: reason })
