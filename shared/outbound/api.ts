import { type Static, Type } from 'typebox'
import { textMaxChars } from '#shared/kernel/limits.ts'
import { Nullable } from '#shared/kernel/list.ts'
import { fileHandlePattern } from '#shared/templates/files.ts'

/** Meta's limits for outgoing messages, in code points. */
export const outboundLimits = {
  text: textMaxChars,
  interactiveBody: 1024,
  listBody: 4096,
  header: 60,
  footer: 60,
  buttons: 3,
  buttonTitle: 20,
  sections: 10,
  rows: 10,
  rowTitle: 24,
  rowDescription: 72,
  contacts: 257,
} as const

const line = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', ...(description ? { description } : {}) })
const closed = { additionalProperties: false } as const

export const OutboundLocation = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    name: Type.Optional(line(1000)),
    address: Type.Optional(line(1000, 'Shown only if there is a name.')),
  },
  { ...closed, description: 'A place on the map.' },
)

export const OutboundContact = Type.Object(
  {
    name: line(1000),
    phones: Type.Array(Type.String({ pattern: '^\\+?[0-9 ()./-]{3,30}$' }), { maxItems: 20 }),
    emails: Type.Optional(
      Type.Array(Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' }), { maxItems: 20 }),
    ),
    company: Type.Optional(line(200)),
  },
  closed,
)
export type OutboundContact = Static<typeof OutboundContact>

const frame = {
  header: Type.Optional(line(outboundLimits.header)),
  footer: Type.Optional(line(outboundLimits.footer)),
}
/** A link button opens an address and sends no answer. */
const LinkButton = Type.Object(
  {
    title: line(outboundLimits.buttonTitle),
    url: Type.String({
      maxLength: 2000,
      pattern: '^https?://\\S+$',
      description: 'The host must be a name, not an IP address.',
    }),
  },
  closed,
)
const listTitle = line(outboundLimits.buttonTitle, 'Text of the button that opens the list.')

const buttonOf = <Id extends Parameters<typeof Type.Object>[0]>(id: Id) =>
  Type.Object({ ...id, title: line(outboundLimits.buttonTitle) }, closed)
const rowOf = <Id extends Parameters<typeof Type.Object>[0]>(id: Id) =>
  Type.Object(
    {
      ...id,
      title: line(outboundLimits.rowTitle),
      description: Type.Optional(line(outboundLimits.rowDescription)),
    },
    closed,
  )

const ButtonId = line(256, 'Returned when the button is tapped.')
const RowId = line(200, 'Returned when the row is chosen.')

/** The input for `button`: exactly one of `buttons`, `list` and `link`. A missing id becomes the position, from 1. */
export const ButtonInput = Type.Object(
  {
    ...frame,
    buttons: Type.Optional(
      Type.Array(buttonOf({ id: Type.Optional(ButtonId) }), { minItems: 1, maxItems: outboundLimits.buttons }),
    ),
    list: Type.Optional(
      Type.Object(
        {
          title: listTitle,
          sections: Type.Array(
            Type.Object(
              {
                title: Type.Optional(line(outboundLimits.rowTitle, 'Needed when there are several sections.')),
                rows: Type.Array(rowOf({ id: Type.Optional(RowId) }), { minItems: 1, maxItems: outboundLimits.rows }),
              },
              closed,
            ),
            { minItems: 1, maxItems: outboundLimits.sections },
          ),
        },
        closed,
      ),
    ),
    link: Type.Optional(LinkButton),
  },
  { ...closed, description: 'Buttons, a list or a link below `message`.' },
)
export type ButtonInput = Static<typeof ButtonInput>

/** An interactive message, apart from its body. */
export const Interactive = Type.Object({
  ...frame,
  buttons: Type.Optional(Type.Array(buttonOf({ id: ButtonId }))),
  list: Type.Optional(
    Type.Object({
      title: listTitle,
      sections: Type.Array(
        Type.Object({ title: Type.Optional(Type.String()), rows: Type.Array(rowOf({ id: RowId })) }),
      ),
    }),
  ),
  link: Type.Optional(LinkButton),
  product: Type.Optional(
    Type.Object(
      { catalogId: Type.String(), productRetailerId: Type.String() },
      { description: 'Products of the catalogue linked in WhatsApp.' },
    ),
  ),
})
export type Interactive = Static<typeof Interactive>

const emojiMark = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|\u20e3/u
/** One emoji may consist of several code points. */
export const isEmoji = (text: string): boolean =>
  emojiMark.test(text) && [...new Intl.Segmenter().segment(text)].length === 1

const SentButtons = Type.Array(Type.Object({ text: Type.String(), url: Type.Optional(Type.String()) }))
const SentMedia = Type.Object(
  {
    format: Type.String({ description: "Meta's format of the header: `IMAGE`." }),
    url: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ description: 'File name that the customer sees for a document.' })),
  },
  { description: 'Media of a header without text, with its public address.' },
)
/** A template's appearance besides its text, with values filled in. */
export const shownOfTemplate = {
  media: Type.Optional(SentMedia),
  cards: Type.Optional(
    Type.Array(Type.Object({ media: Type.Optional(SentMedia), text: Type.String(), buttons: SentButtons }), {
      description: 'Cards of a carousel.',
    }),
  ),
}

/** A template as it was sent, with values filled in. */
export const SentTemplate = Type.Object({
  id: Type.String(),
  name: Type.String(),
  language: Type.String(),
  header: Nullable(Type.String()),
  footer: Nullable(Type.String()),
  buttons: SentButtons,
  ...shownOfTemplate,
})
export type SentTemplate = Static<typeof SentTemplate>

const TemplateValue = Type.String({ maxLength: 2000 })
/** Values of a template's variables, in order or by name. */
export const TemplateValues = Type.Union(
  [Type.Array(TemplateValue, { maxItems: 100 }), Type.Record(Type.String({ maxLength: 100 }), TemplateValue)],
  { description: 'Values of the variables of that part of the template, in order or by name.' },
)

/** The values by the button's position. */
export const ButtonValues = Type.Record(Type.String({ pattern: '^[0-9]$' }), Type.String({ maxLength: 2000 }), {
  description: 'By the index of the button, from 0: the last part of its address, or the code to copy.',
})
/** Address of a header's picture, video or document. */
export const HeaderAddress = Type.String({
  pattern: `^(https://\\S+|${fileHandlePattern})$`,
  maxLength: 2000,
  description:
    "The image, video or document of the header: a public address, or the `handle` of a file stored here, as in a template's `media` or returned by its upload.",
})
export const OfferEnd = Type.String({
  maxLength: 40,
  description: 'When a limited-time offer ends, ISO 8601 with time zone.',
})
/** Values for a carousel's cards. */
export const CardValues = Type.Record(
  Type.String({ pattern: '^[0-9]$' }),
  Type.Object(
    {
      file: Type.Optional(HeaderAddress),
      body: Type.Optional(TemplateValues),
      buttons: Type.Optional(ButtonValues),
    },
    closed,
  ),
  { description: 'By the index of the card, from 0: the address of its image or video, and its values.' },
)
export type CardValues = Static<typeof CardValues>
