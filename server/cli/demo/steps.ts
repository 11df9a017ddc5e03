import type { SandboxInbound } from '#shared/simulator/inbound.ts'
import type { CustomerKey } from './customers.ts'
import type { PersonKey, TagKey, TeamKey } from './shop.ts'
import type { TemplateKey } from './templates.ts'

type CustomerAction = Omit<SandboxInbound, 'from' | 'name' | 'targetWamid' | 'replyToWamid'> & {
  /** The customer's own earlier message, or the business's last one. */
  readonly target?: string
  readonly replyTo?: string
}

export type FlowKey = 'order' | 'hours' | 'survey'

export interface ToMany {
  readonly by: PersonKey
  readonly toMany: TagKey
  /** Pasted beside them. */
  readonly alsoTo?: readonly string[]
  readonly template: TemplateKey
  readonly name: string
  /** Absent: at once, and to its end. */
  readonly inDays?: number
}

/** `as` names a message for later steps; `last` is the newest answer to that customer. */
export type Step =
  /** The time of the next step, in minutes before the end of the story. */
  | { readonly minutesAgo: number }
  | {
      readonly who: CustomerKey
      readonly does: CustomerAction
      readonly as?: string
      /** The picture that it is, from this folder. */
      readonly shows?: 'cake' | 'bread'
    }
  | {
      readonly by: PersonKey
      readonly to: CustomerKey
      readonly says: string
      /** The buttons that the customer may tap. */
      readonly offers?: readonly string[]
      readonly goesWrong?: 'fails' | 'isUnconfirmed'
    }
  /** Sends the kinds of messages that occur nowhere else in this story. */
  | { readonly by: PersonKey; readonly to: CustomerKey; readonly sendsOthers: true }
  | { readonly submits: TemplateKey; readonly verdict: 'APPROVED' | 'REJECTED' }
  | { readonly pauses: TemplateKey }
  | ToMany
  /** A send that nobody has started. */
  | { readonly by: PersonKey; readonly drafts: TemplateKey; readonly toTag: TagKey; readonly name: string }
  | { readonly by: PersonKey; readonly makes: FlowKey; readonly isPublished: boolean }
  /** A button of what they got last. */
  | { readonly who: CustomerKey; readonly taps: string }
  | { readonly notes: CustomerKey; readonly from: PersonKey; readonly text: string; readonly calls: PersonKey }
  | { readonly assigns: CustomerKey; readonly from: PersonKey; readonly to?: PersonKey; readonly team?: TeamKey }
  | { readonly snoozes: CustomerKey; readonly from: PersonKey; readonly untilDaysAhead: number }
  /** Tags and fields of customers who wrote before anybody knew them. */
  | { readonly learnsOf: 'newcomers' }
  | { readonly reads: CustomerKey }
  | { readonly archives: CustomerKey }
