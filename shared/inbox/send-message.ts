import { type Static, Type } from 'typebox'
import { textMaxChars } from '#shared/kernel/limits.ts'
import {
  bytesText,
  fileForms,
  fileNameMaxChars,
  jsonFileMaxBytes,
  sendBodyLimitBytes,
} from '#shared/media/sent-files.ts'
import { ButtonValues, CardValues, HeaderAddress, OfferEnd, TemplateValues } from '#shared/outbound/api.ts'
import { ChatAddress } from './conversations.ts'
import { actionLimits, actionNames } from './message-actions.ts'
import { kindInput } from './message-kinds.ts'

/**
 * A message to send. `phone` is our number (absent: the one the customer wrote to last), `numberTel` the customer's.
 * `type` is checked by the service so that an unknown one is refused with a sentence of its own; each type needs its own
 * fields: `text` `message` · `button` `button` and `message` · `location` `location` · `contacts` `contacts` ·
 * `actionRecado` `action`, `labelRecado`, `data` and perhaps `message` (else the label is what it says) ·
 * `template` `template`, `phones` (the one of `numberTel`) and `bodyExample`; it alone needs no open window ·
 * `file` `file` and `name`, as a form (`multipart/form-data`) or as JSON, with `message` as its caption.
 * Fields of other kinds are in `kindInput`. An empty `message` counts as absent.
 */
export const SendMessage = Type.Object(
  {
    type: Type.Optional(
      Type.String({
        maxLength: 40,
        default: 'text',
        description:
          'text, file, template, button, location, contacts, order_status or actionRecado. Each needs its own fields.',
      }),
    ),
    message: Type.Optional(
      Type.String({ maxLength: textMaxChars, description: 'Text of the message; of a file, its caption.' }),
    ),
    file: Type.Optional(
      Type.String({
        maxLength: sendBodyLimitBytes,
        description: `A part of a form (\`multipart/form-data\`); in JSON its bytes in base64, or the https address from where it is fetched now: ${bytesText(jsonFileMaxBytes)} at most.`,
      }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: fileNameMaxChars,
        description:
          "Name of the file; default: the name of the form's part. For a template: the name of the document in its header.",
      }),
    ),
    mime_type: Type.Optional(Type.String({ maxLength: 200, description: 'Checked against the content of the file.' })),
    size: Type.Optional(Type.Integer({ minimum: 0, description: 'Size in bytes, checked against the file.' })),
    as: Type.Optional(
      Type.Enum(fileForms, {
        description:
          'Sends the file as a document, voice message or sticker; default: by its type. `voice` takes Ogg/Opus in mono, `sticker` WebP of 512 × 512.',
      }),
    ),
    ...kindInput,
    action: Type.Optional(
      Type.String({ maxLength: 40, description: `What a tap does: ${actionNames.join(', ')}. Once for each message.` }),
    ),
    labelRecado: Type.Optional(
      Type.String({ minLength: 1, maxLength: actionLimits.label, pattern: '\\S', description: 'Text of the button.' }),
    ),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Of `open_url` its `url` (https), of `confirm` its `key`, of `add_tag` a `tagId`, of `start_flow` a `flowId`, of `handoff` a `teamId` or nothing, of `webhook` its `name` and perhaps a `reference`.',
      }),
    ),
    template: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'Id or name of the template.' })),
    language: Type.Optional(
      Type.String({
        maxLength: 20,
        description: "Meta's language code, needed if the name exists in several languages.",
      }),
    ),
    phones: Type.Optional(
      Type.Array(ChatAddress, { minItems: 1, maxItems: 1, description: 'Of a template: the one of `numberTel`.' }),
    ),
    bodyExample: Type.Optional(TemplateValues),
    headerExample: Type.Optional(TemplateValues),
    buttonExample: Type.Optional(ButtonValues),
    offerEndsAt: Type.Optional(OfferEnd),
    cardExample: Type.Optional(CardValues),
    image: Type.Optional(HeaderAddress),
    numberTel: ChatAddress,
    phone: Type.Optional(
      Type.String({
        maxLength: 30,
        description: 'The number of yours that sends, digits; default: the one that the customer wrote to last.',
      }),
    ),
    isHuman: Type.Optional(
      Type.Boolean({
        description:
          'Whether a person wrote it; default: not with a key. A program may pass on what a person typed elsewhere.',
      }),
    ),
    replyToMessageId: Type.Optional(
      Type.Union([Type.String({ maxLength: 256 }), Type.Null()], {
        description: "The message that is quoted: the product's id, or its wamid.",
      }),
    ),
    clientKey: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{8,64}$',
        description: 'Chosen by the sender. Calls of the same caller with the same key send one message.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SendMessage = Static<typeof SendMessage>
