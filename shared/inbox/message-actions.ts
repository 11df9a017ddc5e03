import { type Static, Type } from 'typebox'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { webhookNamePattern } from '#shared/outgoing-webhooks/api.ts'

const closed = { additionalProperties: false } as const
const Id = Type.String({ minLength: 1, maxLength: 64 })

/** The kind of a message with one button behind which something is to happen. */
export const actionMessageType = `action${PRODUCT_NAME}` as const

/** `days`: so long a tap does something, from when the message was written. */
export const actionLimits = { label: 20, dataBytes: 4096, days: 30, url: 2000, key: 200 } as const

/** What may stand behind the button, each with its parameters. */
export const actionData = {
  /** Opens an address; nobody learns of the tap. */
  open_url: Type.Object({ url: Type.String({ maxLength: actionLimits.url, pattern: '^https://\\S+$' }) }, closed),
  /** Shows a product of the catalogue that is linked in WhatsApp, which has a button of its own; nobody learns of a tap. */
  product: Type.Object({ catalogId: Id, productRetailerId: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  /** Leaves in the thread that they said yes to this. */
  confirm: Type.Object({ key: Type.String({ minLength: 1, maxLength: actionLimits.key, pattern: '\\S' }) }, closed),
  add_tag: Type.Object({ tagId: Id }, closed),
  start_flow: Type.Object({ flowId: Id }, closed),
  /** To a team, or to whoever comes first. */
  handoff: Type.Object({ teamId: Type.Optional(Id) }, closed),
  /** Tells another program, at an address the organization has set up under this name; with a word of ours, if any. */
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

/** What WhatsApp does by itself. */
type Untapped = 'open_url' | 'product'

/** What a tap tells us of and we do. */
export type TapAction = {
  [N in Exclude<ActionName, Untapped>]: { readonly name: N; readonly data: Static<(typeof actionData)[N]> }
}[Exclude<ActionName, Untapped>]

/** As it is kept beside what is sent. `takenAt`: their first tap; every later one does nothing. */
export type SentAction = TapAction & { readonly takenAt?: string }

/** What an event of a tap tells of it. `key`: what they said yes to. `isFirst`: it does something; every later one, or one after 30 days, does nothing. */
export interface TappedAction {
  readonly name: TapAction['name']
  /** The message whose button it is. */
  readonly messageId: string
  readonly key?: string
  readonly isFirst: boolean
}

/** What a trigger may name of a tapped action: what it does, and what they said yes to. */
export const actionWords = ({ name, key }: Pick<TappedAction, 'name' | 'key'>): readonly string[] =>
  key === undefined ? [name] : [name, `${name} ${key}`, key]
