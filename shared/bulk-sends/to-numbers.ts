import { type Static, Type } from 'typebox'
import {
  ButtonValues,
  CardValues,
  HeaderAddress,
  OfferEnd,
  OutboundLocation,
  TemplateValues,
} from '#shared/outbound/api.ts'
import { StartAt } from './care.ts'
import { maxPhones } from './limits.ts'
import { BulkSendId, bulkSendStates, omissionReasons } from './states.ts'

const example = {
  phones: ['5491155550101', '+54 9 11 5555-0102', '5491155550101'],
  template: 'pedido_listo',
  bodyExample: ['Ana', '4711'],
}
/** One template with the same values to listed numbers. */
export const TemplateToNumbers = Type.Object(
  {
    phones: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: 40,
        pattern: '^[^,;\\s][^,;\\t\\r\\n]*$',
        description: 'A phone number in any format.',
      }),
      { minItems: 1, maxItems: maxPhones },
    ),
    template: Type.String({ minLength: 1, maxLength: 512, description: 'Id or name of the template.' }),
    language: Type.Optional(
      Type.String({
        maxLength: 20,
        description: "Meta's language code, needed if the name exists in several languages.",
      }),
    ),
    bodyExample: TemplateValues,
    headerExample: Type.Optional(TemplateValues),
    buttonExample: Type.Optional(ButtonValues),
    cardExample: Type.Optional(CardValues),
    image: Type.Optional(Type.Union([HeaderAddress, Type.Null()])),
    name: Type.Optional(
      Type.String({ maxLength: 240, description: 'Name of the document in the header, if it is at an address.' }),
    ),
    offerEndsAt: Type.Optional(OfferEnd),
    location: Type.Optional(Type.Union([OutboundLocation, Type.Null()])),
    at: Type.Optional(StartAt),
  },
  { additionalProperties: false, examples: [example] },
)
export type TemplateToNumbers = Static<typeof TemplateToNumbers>

export const TakenToNumbers = Type.Object(
  {
    id: BulkSendId,
    planned: Type.Integer({ minimum: 0, description: 'Number of recipients.' }),
    omitted: Type.Array(
      Type.Object({
        phone: Type.String({ description: 'As the caller gave it.' }),
        reason: Type.Enum(omissionReasons),
      }),
      { description: 'People who get nothing, and why.' },
    ),
    state: Type.Enum(bulkSendStates),
  },
  {
    examples: [
      {
        id: '0mbh3k2v9x000000000000q1',
        planned: 2,
        omitted: [{ phone: '5491155550101', reason: 'duplicate' }],
        state: 'preparing',
      },
    ],
  },
)
