import { fold } from '#shared/kernel/fold.ts'

/**
 * `answerDays`: the customer's first message within this time counts as the answer to a bulk send, in its report too.
 */
export const triggerLimits = { keywordChars: 200, words: 50, answerDays: 7, variables: 20 } as const

const keywordMatches = ['equals', 'startsWith', 'contains', 'pattern'] as const
type KeywordMatch = (typeof keywordMatches)[number]

type TriggerContent =
  /** Any of the words. */
  | { readonly kind: 'keyword'; readonly match: KeywordMatch; readonly words: readonly string[] }
  | { readonly kind: 'firstMessage' | 'manual' | 'default' }
  | { readonly kind: 'reopened'; readonly afterHours: number }
  | { readonly kind: 'action' | 'ad'; readonly ids: readonly string[] }
  /** `sendId`: only of this bulk send. */
  | { readonly kind: 'campaign'; readonly sendId?: string; readonly withinDays: number }
  | { readonly kind: 'tagAdded' | 'tagRemoved'; readonly changedTagId: string }
  /** `variables`: names that a call may set. */
  | { readonly kind: 'webhook'; readonly variables: readonly string[] }

interface TriggerFrame {
  readonly id: string
  /** Only for contacts who have never been in this flow. */
  readonly oncePerContact?: boolean
  /** Only within, or only outside, business hours. */
  readonly hours?: 'inside' | 'outside'
  /** Only for contacts with this tag. */
  readonly tagId?: string
}

/**
 * A cause that starts a flow. `keyword`: the message, ignoring case and accents · `firstMessage`: the contact never
 * wrote before · `reopened`: the conversation was archived, or silent for long enough · `action`: a tap on a button or
 * row of ours with one of these ids, or on any if none is listed · `ad`: the contact came from an advertisement with
 * one of these ids, or from any · `campaign`: the first message after a bulk send, within the given time · `tagAdded`,
 * `tagRemoved`: on the contact · `webhook`: another program called the flow's address with their number · `manual`:
 * only a person or another flow starts it · `default`: nothing else would answer.
 */
export type FlowTrigger = TriggerContent extends infer C ? (C extends object ? TriggerFrame & C : never) : never
export type TriggerKind = FlowTrigger['kind']

/** The facts about an event that may start a flow. */
export interface Occasion {
  /** A message; a tag change; a call of the flow's address. */
  readonly what:
    | {
        readonly kind: 'message'
        readonly text: string
        readonly tappedId: string | null
        /** The actions of the tapped button, as triggers name them. Absent: none. */
        readonly actions?: readonly string[] | undefined
        /** The advertisement it came from; its id is null if WhatsApp does not say. Absent: none. */
        readonly ad?: { readonly id: string | null } | undefined
        /** The bulk send it is the first message after, and its age. Absent: none. */
        readonly answers?: { readonly sendId: string | null; readonly hoursAgo: number } | undefined
      }
    | { readonly kind: 'tagAdded' | 'tagRemoved'; readonly tagId: string }
    | { readonly kind: 'webhook' }
  /** Within business hours. */
  readonly isOpen: boolean
  readonly isFirst: boolean
  readonly wasArchived: boolean
  /** Hours since the conversation's previous message; null: there was none. */
  readonly silentHours: number | null
  readonly tagIds: readonly string[]
  /** Flows this contact has been in. */
  readonly flowsBefore: readonly string[]
}

/** A live flow with its triggers. */
export interface Triggered {
  readonly flowId: string
  readonly triggers: readonly FlowTrigger[]
}

/** Why a trigger does not start its flow; `later`: another one takes precedence. */
export const triggerRefusals = ['notThis', 'hours', 'tagMissing', 'beforeAlready', 'later'] as const
export type TriggerRefusal = (typeof triggerRefusals)[number]

/** The form in which keywords are compared: without case and accents, with single spaces. */
export const plainText = (text: string): string => fold(text).replace(/\s+/g, ' ').trim()

/** A pattern for texts in the form of `plainText`; escape sequences keep their meaning. */
export const plainPattern = (pattern: string): string =>
  pattern.replace(/\\(?:[pP]\{[^}]*\}|[A-Za-z])|[^\\]+|\\/g, part => (/^\\./.test(part) ? part : fold(part)))

/** The triggers matched by a message's words, see `readKeywords`. */
export interface KeywordHits {
  has(trigger: FlowTrigger): boolean
}
export const noKeywords: KeywordHits = { has: () => false }

const fits = (trigger: FlowTrigger, occasion: Occasion, hits: KeywordHits): boolean => {
  const { what } = occasion
  switch (trigger.kind) {
    case 'tagAdded':
    case 'tagRemoved':
      return what.kind === trigger.kind && what.tagId === trigger.changedTagId
    case 'webhook':
      return what.kind === 'webhook'
    case 'manual':
      return false
    case 'action':
      return (
        what.kind === 'message' &&
        what.tappedId !== null &&
        (!trigger.ids.length ||
          trigger.ids.includes(what.tappedId) ||
          (what.actions?.some(word => trigger.ids.includes(word)) ?? false))
      )
    case 'ad': {
      const ad = what.kind === 'message' ? what.ad : undefined
      return ad !== undefined && (!trigger.ids.length || (ad.id !== null && trigger.ids.includes(ad.id)))
    }
    case 'campaign': {
      const answers = what.kind === 'message' ? what.answers : undefined
      const isThis = answers && (trigger.sendId === undefined || trigger.sendId === answers.sendId)
      return isThis === true && answers !== undefined && answers.hoursAgo <= trigger.withinDays * 24
    }
    case 'keyword':
      return what.kind === 'message' && hits.has(trigger)
    case 'firstMessage':
      return what.kind === 'message' && occasion.isFirst
    case 'reopened': {
      const { silentHours, wasArchived, isFirst } = occasion
      return what.kind === 'message' && !isFirst && (wasArchived || (silentHours ?? 0) >= trigger.afterHours)
    }
    case 'default':
      return what.kind === 'message'
  }
}

const refusalOf = (trigger: FlowTrigger, flowId: string, occasion: Occasion): TriggerRefusal | undefined => {
  const { hours, tagId, oncePerContact } = trigger
  if (hours && occasion.isOpen !== (hours === 'inside')) return 'hours'
  if (tagId && !occasion.tagIds.includes(tagId)) return 'tagMissing'
  return oncePerContact && occasion.flowsBefore.includes(flowId) ? 'beforeAlready' : undefined
}

/** Lower takes precedence. */
const rankOf = (trigger: FlowTrigger): number => {
  switch (trigger.kind) {
    case 'action':
    case 'tagAdded':
    case 'tagRemoved':
    case 'webhook':
      return 0
    case 'keyword':
      return 1 + keywordMatches.indexOf(trigger.match)
    case 'campaign':
      return 5
    case 'ad':
      return 6
    case 'firstMessage':
    case 'reopened':
      return 7
    default:
      return 8
  }
}

interface RankedTrigger {
  readonly flowId: string
  readonly trigger: FlowTrigger
}

/** Every trigger of these flows in order of precedence. @param flows the live ones, in the organization's order */
export const rankTriggers = (flows: readonly Triggered[]): readonly RankedTrigger[] =>
  flows
    .flatMap(({ flowId, triggers }) => triggers.map(trigger => ({ flowId, trigger })))
    // The sort is stable.
    .sort((a, b) => rankOf(a.trigger) - rankOf(b.trigger))

export interface ChosenTrigger {
  readonly flowId: string
  readonly triggerId: string
}

/**
 * The flow that starts: tapped buttons before words; whole words before beginnings, parts and patterns; then answers to
 * bulk sends, advertisements, first and reopened; then the default. Among equals the first flow wins.
 */
export function chooseFlow(
  ranked: readonly RankedTrigger[],
  occasion: Occasion,
  hits: KeywordHits,
): ChosenTrigger | null {
  for (const { flowId, trigger } of ranked)
    if (fits(trigger, occasion, hits) && !refusalOf(trigger, flowId, occasion)) return { flowId, triggerId: trigger.id }
  return null
}

/** Why each other trigger does not start its flow, in the organization's order. */
export const whyNot = (
  flows: readonly Triggered[],
  occasion: Occasion,
  hits: KeywordHits,
  chosen: ChosenTrigger | null,
): (ChosenTrigger & { readonly why: TriggerRefusal })[] => {
  let skipsChosen = chosen !== null
  return flows.flatMap(({ flowId, triggers }) =>
    triggers.flatMap(trigger => {
      if (skipsChosen && flowId === chosen?.flowId && trigger.id === chosen.triggerId) {
        skipsChosen = false
        return []
      }
      const why = fits(trigger, occasion, hits) ? refusalOf(trigger, flowId, occasion) : ('notThis' as const)
      return { flowId, triggerId: trigger.id, why: why ?? ('later' as const) }
    }),
  )
}
