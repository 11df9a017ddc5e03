import { type Static, Type } from 'typebox'
import { Nullable } from '#shared/kernel/list.ts'
import { HeaderAddress, OfferEnd, OutboundLocation, shownOfTemplate } from '#shared/outbound/api.ts'
import { Audience } from './audience.ts'
import { MarketingCap } from './care.ts'
import { rowsNamed } from './limits.ts'
import { omissionReasons } from './states.ts'
import { Sources, ValueSource } from './values.ts'

export const planFields = {
  template: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Its id; it must be approved.' }),
  audience: Audience,
  values: Type.Optional(
    Type.Object(
      {
        body: Type.Optional(Sources),
        header: Type.Optional(Sources),
        buttons: Type.Optional(Sources),
        image: Type.Optional(HeaderAddress),
        file: Type.Optional(
          Type.Object(ValueSource.properties, {
            additionalProperties: false,
            description:
              'Instead of `image`, a file of their own for each: an https address, the name of an uploaded file, or its `handle`.',
          }),
        ),
        fileName: Type.Optional(
          Type.Object(ValueSource.properties, {
            additionalProperties: false,
            description: 'File name of a document that is fetched from an address.',
          }),
        ),
        offerEndsAt: Type.Optional(OfferEnd),
        location: Type.Optional(OutboundLocation),
        cards: Type.Optional(
          Type.Record(
            Type.String({ pattern: '^[0-9]$' }),
            Type.Object(
              {
                file: Type.Optional(HeaderAddress),
                body: Type.Optional(Sources),
                buttons: Type.Optional(Sources),
              },
              { additionalProperties: false },
            ),
            { description: "Of a carousel, by the card's place, from 0." },
          ),
        ),
      },
      { additionalProperties: false, description: 'By the name of the variable; of buttons by their place, from 0.' },
    ),
  ),
  marketingCap: Type.Optional(Type.Union([MarketingCap, Type.Null()])),
}
export const PlanInput = Type.Object(planFields, { additionalProperties: false })
export type PlanInput = Static<typeof PlanInput>

export const OfTemplate = Type.Object({
  id: Type.String(),
  name: Type.String(),
  language: Type.String(),
  category: Type.String(),
})

export const PeopleRoom = Type.Object(
  {
    limit: Nullable(Type.Integer({ description: 'People a day; null: no limit.' })),
    used: Type.Integer({
      minimum: 0,
      description: 'Number of people to whom we wrote first in the last 24 hours.',
    }),
  },
  {
    description:
      "Meta's limit of people to whom a business writes first within 24 hours. A send that reaches it waits. Null: not known.",
  },
)
export type PeopleRoom = Static<typeof PeopleRoom>

export const Cost = Type.Object(
  {
    amount: Type.Number(),
    currency: Type.String(),
    validFrom: Type.String({ description: 'The day of the price list.' }),
    unpriced: Type.Integer({
      description: 'Number of people who are not in it, because no price is set for them.',
    }),
  },
  {
    description:
      'By what the organization had written down of prices, of a send when its people were written down; null: nothing.',
  },
)
export type BulkCost = Static<typeof Cost>

const eachFileFaults = ['fileUnreachable', 'fileKind'] as const
const EachFileFault = Type.Object({ value: Type.String(), reason: Type.Enum(eachFileFaults) })
export type EachFileFault = Static<typeof EachFileFault>

export const BulkPlan = Type.Object({
  template: Type.Object({ ...OfTemplate.properties, quality: Type.String({ description: "Meta's word." }) }),
  from: Type.String({ description: 'Our number it leaves by, as people read it.' }),
  planned: Type.Integer({ description: 'Number of recipients.' }),
  omitted: Type.Array(
    Type.Object({
      reason: Type.Enum(omissionReasons),
      count: Type.Integer(),
      examples: Type.Array(Type.String(), { description: 'The first ones, as they were given.' }),
      people: Type.Array(
        Type.Object({
          name: Nullable(Type.String({ description: 'Null: not known, or not for the caller.' })),
          display: Type.String({ description: 'The number as people read it, or what was given instead of one.' }),
        }),
        { description: 'The first ones, by name.' },
      ),
      rows: Type.Array(Type.Integer(), { description: `Their rows in the file, the first ${rowsNamed}.` }),
    }),
  ),
  optedOut: Type.Integer({
    description: 'Number of recipients who opted out of marketing. They get it because the template is not marketing.',
  }),
  previews: Type.Array(
    Type.Object({
      phone: Type.String(),
      name: Nullable(Type.String()),
      header: Nullable(Type.String()),
      text: Type.String(),
      footer: Nullable(Type.String()),
      buttons: Type.Array(Type.Object({ text: Type.String(), url: Type.Optional(Type.String()) })),
      ...shownOfTemplate,
    }),
    { description: 'The messages of the first recipients.' },
  ),
  files: Type.Optional(
    Type.Object(
      {
        uploaded: Type.Integer({ description: 'Number of recipients who get an uploaded file.' }),
        addresses: Type.Integer({ description: 'Number of recipients whose file WhatsApp fetches from an address.' }),
        probed: Type.Integer({ description: 'Number of these addresses that were requested now, to check them.' }),
        faults: Type.Array(EachFileFault, { description: 'What was found at the address.' }),
      },
      { description: 'Only if each recipient gets a file of their own.' },
    ),
  ),
  columns: Type.Array(Type.String(), { description: 'Of the file.' }),
  cost: Nullable(Cost),
  room: Nullable(PeopleRoom),
  seconds: Type.Integer({
    description: 'How long it takes at the usual pace, together with the sends that leave by the same number now.',
  }),
})
export type BulkPlan = Static<typeof BulkPlan>
