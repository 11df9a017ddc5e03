import type { CallFacts } from '#shared/flows/http/http.ts'
import type { FlowRun } from '#shared/flows/runs/runs.ts'
import type { FlowsT } from '../words.ts'

/** Why a step went the way it did; empty: nothing to explain. */
export const whyText = (t: FlowsT, why: string | null): string =>
  why === null ? '' : t(`why.${why as 'asked'}`, { defaultValue: '' })

/** A service's response status and duration. */
export const callText = (t: FlowsT, { status, ms, tries }: CallFacts): string =>
  t('http.facts', { status: status ?? t('http.noStatus'), ms, count: Math.max(1, tries) })

/** Why a person has the conversation. */
export const reasonText = (t: FlowsT, reason: string): string =>
  t(`reason.${reason as 'wanted'}`, { defaultValue: reason })

const chips: Readonly<Record<FlowRun['state'], string>> = {
  waitingAnswer: 'chip chip-blue',
  waitingTime: 'chip chip-blue',
  waitingCall: 'chip chip-blue',
  parked: 'chip chip-amber',
  finished: 'chip chip-green',
  handedOff: 'chip chip-orange',
  taken: 'chip',
  left: 'chip',
  expired: 'chip chip-amber',
  restarted: 'chip',
  stopped: 'chip',
}
export const runChip = (state: FlowRun['state']): string => chips[state]
