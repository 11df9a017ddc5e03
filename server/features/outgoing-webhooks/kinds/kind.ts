import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { DomainEvents, DomainEventType } from '#server/platform/events/domain.ts'
import { Nullable } from '#shared/kernel/list.ts'

/** The facts that a filter compares, beyond the conversation's number and tags. */
export interface Facets {
  readonly direction?: 'in' | 'out'
  /** True for a `message.status` that says how the message ended. */
  readonly isFinal?: boolean
}

/** An event that programs can be told of. `E`: the domain event that it is made from. */
export interface WebhookKind<E extends DomainEventType = DomainEventType> {
  readonly on: E
  /** English, for the API document. */
  readonly summary: string
  /** `conversation`: its data names conversation, number and customer, too. */
  readonly about: 'conversation' | 'organization'
  readonly data: TObject
  readonly sample: object
  /** Undefined: programs are not told of this one. */
  make(
    data: DomainEvents[E],
  ): { readonly data: object; readonly facets?: Facets; readonly subject?: string } | undefined
}

const organizationFields = {
  organization: Type.String({ description: 'Id of the organization.' }),
}
const conversationFields = {
  ...organizationFields,
  number: Nullable(Type.String({ description: 'Our number, digits; null: the organization has none any more.' })),
  customer: Type.Object({
    id: Type.String({ description: 'Id of the contact.' }),
    phone: Nullable(Type.String({ description: 'Digits; null: the customer hides it.' })),
    userId: Nullable(Type.String({ description: 'Business-scoped user id.' })),
    name: Type.String(),
  }),
  conversationId: Nullable(Type.String({ description: 'Null: the contact has no conversation.' })),
}

export const sampleConversationFields = {
  organization: '0199a7c2f6d07b2e8c41',
  number: '5491150001000',
  customer: { id: '0199a7c2f6d27c1a9b02', phone: '5491155550101', userId: null, name: 'Lucía Fernández' },
  conversationId: '0199a7c2f6d27c1a9b03',
}

interface Given<E extends DomainEventType, F extends TProperties> {
  readonly on: E
  readonly summary: string
  readonly fields: F
  readonly sample: Static<TObject<F>>
  make(data: DomainEvents[E]): { data: Static<TObject<F>>; facets?: Facets; subject?: string } | undefined
}

const schemaOf = (fields: Record<string, TSchema>): TObject => Type.Object(fields, { additionalProperties: false })

export const ofConversation = <E extends DomainEventType, F extends TProperties>({
  fields,
  sample,
  ...given
}: Given<E, F>): WebhookKind<E> => ({
  ...given,
  about: 'conversation',
  data: schemaOf({ ...conversationFields, ...fields }),
  sample: { ...sampleConversationFields, ...(sample as object) },
  make: given.make as WebhookKind<E>['make'],
})

export const ofOrganization = <E extends DomainEventType, F extends TProperties>({
  fields,
  sample,
  ...given
}: Given<E, F>): WebhookKind<E> => ({
  ...given,
  about: 'organization',
  data: schemaOf({ ...organizationFields, ...fields }),
  sample: { organization: sampleConversationFields.organization, ...(sample as object) },
  make: given.make as WebhookKind<E>['make'],
})

export const Actor = Type.Object(
  {
    kind: Type.Enum(['person', 'key', 'bot', 'customer', 'phone', 'vendor', 'system']),
    id: Nullable(Type.String()),
    name: Nullable(Type.String()),
  },
  {
    description:
      'Who did it: a member, an API key, a flow, the customer, a member in the WhatsApp app, WhatsApp, or Recado itself.',
  },
)
export const samplePerson = { kind: 'person' as const, id: '0199a7c2f6d17f3b', name: 'Ana Gómez' }
