import { type Static, Type } from 'typebox'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { webhookNamePattern } from '#shared/outgoing-webhooks/api.ts'

const closed = { additionalProperties: false } as const
const Id = Type.String({ minLength: 1, maxLength: 64 })

/** The type of a message with one action button. */
export const actionMessageType = `action${PRODUCT_NAME}` as const

/** `days`: how long a tap works after the message was written. */
export const actionLimits = { label: 20, dataBytes: 4096, days: 30, url: 2000, key: 200 } as const

/** The actions of a button, each with its parameters. */
export const actionData = {
  /** Opens an address. Taps are not reported. */
  open_url: Type.Object({ url: Type.String({ maxLength: actionLimits.url, pattern: '^https://\\S+$' }) }, closed),
  /** Shows a product of the catalogue linked in WhatsApp, with WhatsApp's own button. Taps are not reported. */
  product: Type.Object({ catalogId: Id, productRetailerId: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  /** Records in the thread that the customer confirmed this. */
  confirm: Type.Object({ key: Type.String({ minLength: 1, maxLength: actionLimits.key, pattern: '\\S' }) }, closed),
  add_tag: Type.Object({ tagId: Id }, closed),
  start_flow: Type.Object({ flowId: Id }, closed),
  /** Hands the conversation to a team, or to anybody. */
  handoff: Type.Object({ teamId: Type.Optional(Id) }, closed),
  /** Calls another program, at an address the organization configured under this name. Answers with `reply`, if set. */
  webhook: Type.Object(
    {
      name: Type.String({ pattern: webhookNamePattern }),
      reference: Type.Optional(Type.String({ minLength: 1, maxLength: actionLimits.key, pattern: '\\S' })),
    },
    closed,
  ),
} as const
export type ActionName = keyof typeof actionData
export const actionNames = Object.keys(actionData) as ActionName[]

/** Actions that WhatsApp runs without reporting taps. */
type Untapped = 'open_url' | 'product'

/** Actions that run here when a tap is reported. */
export type TapAction = {
  [N in Exclude<ActionName, Untapped>]: { readonly name: N; readonly data: Static<(typeof actionData)[N]> }
}[Exclude<ActionName, Untapped>]

/** Stored with the sent message. `takenAt`: the first tap; later ones do nothing. */
export type SentAction = TapAction & { readonly takenAt?: string }

/**
 * A tap in an event. `key`: what was confirmed. `isFirst`: it runs the action; later taps, and taps after 30 days, do
 * nothing.
 */
export interface TappedAction {
  readonly name: TapAction['name']
  /** The message of the button. */
  readonly messageId: string
  readonly key?: string
  readonly isFirst: boolean
}

/** The words by which a trigger may name a tapped action: its name, and what was confirmed. */
export const actionWords = ({ name, key }: Pick<TappedAction, 'name' | 'key'>): readonly string[] =>
  key === undefined ? [name] : [name, `${name} ${key}`, key]
