import type { TemplateDraft } from '#shared/templates/api.ts'
import {
  type BodyComponent,
  type CarouselCard,
  type HeaderComponent,
  type MediaFormat,
  mediaFormats,
  type TemplateButton,
  type TemplateComponent,
} from '#shared/templates/components.ts'
import { isNumber, variableNames } from '#shared/templates/variables.ts'
import type { ParameterFormat } from '#shared/templates/words.ts'
import { isCodeCategory } from '#shared/templates/words.ts'
import { exampleFor } from '../example-values.ts'
import type { ButtonForm, CardForm, CodeForm, HeaderForm, TemplateForm } from './form.ts'

const isMedia = (kind: string): kind is MediaFormat => (mediaFormats as readonly string[]).includes(kind)

const examplesFor = (
  text: string,
  examples: Readonly<Record<string, string>>,
  format: ParameterFormat,
): readonly string[] | readonly { param_name: string; example: string }[] | undefined => {
  const names = variableNames(text)
  if (!names.length) return undefined
  if (format === 'NAMED') return names.map(name => ({ param_name: name, example: exampleFor(examples, name) }))
  return names.filter(isNumber).map(name => exampleFor(examples, name))
}

const headerOf = ({ kind, text, examples, file }: HeaderForm, format: ParameterFormat): HeaderComponent | undefined => {
  if (kind === 'NONE') return undefined
  if (isMedia(kind)) return { type: 'HEADER', format: kind, example: { header_handle: [file?.handle ?? ''] } }
  if (kind !== 'TEXT') return { type: 'HEADER', format: kind }
  const given = examplesFor(text, examples, format)
  const key = format === 'NAMED' ? 'header_text_named_params' : 'header_text'
  return { type: 'HEADER', format: 'TEXT', text, ...(given ? { example: { [key]: given } } : {}) }
}

const bodyOf = (text: string, examples: Readonly<Record<string, string>>, format: ParameterFormat): BodyComponent => {
  const given = examplesFor(text, examples, format)
  if (!given) return { type: 'BODY', text }
  return {
    type: 'BODY',
    text,
    example: (format === 'NAMED' ? { body_text_named_params: given } : { body_text: [given] }) as NonNullable<
      BodyComponent['example']
    >,
  }
}

const buttonOf = ({ type, text, url, phone, example, flowId, rest }: ButtonForm): TemplateButton => {
  switch (type) {
    case 'URL':
      return { type, text, url, ...(variableNames(url).length ? { example: [example] } : {}) }
    case 'PHONE_NUMBER':
      return { type, text, phone_number: phone }
    case 'COPY_CODE':
      return { type, example }
    case 'FLOW':
      return { ...rest, type, text, ...(rest.flow_name || rest.flow_json ? {} : { flow_id: flowId }) }
    case 'QUICK_REPLY':
      return { type, text }
    default:
      return { ...rest, type, ...(text || type === 'VOICE_CALL' ? { text } : {}) } as TemplateButton
  }
}

const cardOf = ({ format, file, body, examples, buttons }: CardForm, variables: ParameterFormat): CarouselCard => ({
  components: [
    { type: 'HEADER', format, example: { header_handle: [file?.handle ?? ''] } },
    ...(body ? [bodyOf(body, examples, variables)] : []),
    { type: 'BUTTONS', buttons: buttons.map(buttonOf) },
  ],
})

const codeComponents = ({
  recommends,
  minutes,
  type,
  text,
  autofill,
  apps,
  accepted,
}: CodeForm): TemplateComponent[] => [
  { type: 'BODY', add_security_recommendation: recommends },
  ...(minutes.trim() ? [{ type: 'FOOTER', code_expiration_minutes: Number(minutes) } as const] : []),
  {
    type: 'BUTTONS',
    buttons: [
      {
        type: 'OTP',
        otp_type: type,
        ...(text ? { text } : {}),
        ...(type === 'COPY_CODE'
          ? {}
          : { ...(autofill ? { autofill_text: autofill } : {}), supported_apps: [...apps] }),
        ...(type === 'ZERO_TAP' ? { zero_tap_terms_accepted: accepted } : {}),
      },
    ],
  },
]

const componentsOf = (form: TemplateForm): TemplateComponent[] => {
  if (isCodeCategory(form.category)) return codeComponents(form.code)
  const body = bodyOf(form.body, form.examples, form.format)
  if (form.kind === 'CAROUSEL')
    return [body, { type: 'CAROUSEL', cards: form.cards.map(card => cardOf(card, form.format)) }]
  const header = headerOf(form.header, form.format)
  const { offer } = form
  return [
    ...(header ? [header] : []),
    ...(offer
      ? [
          {
            type: 'LIMITED_TIME_OFFER',
            limited_time_offer: { text: offer.text, has_expiration: offer.expires },
          } as const,
        ]
      : []),
    body,
    ...(form.footer && !offer ? [{ type: 'FOOTER', text: form.footer } as const] : []),
    ...(form.asksToCall ? [{ type: 'CALL_PERMISSION_REQUEST' } as const] : []),
    ...(form.buttons.length ? [{ type: 'BUTTONS', buttons: form.buttons.map(buttonOf) } as const] : []),
  ]
}

/** The draft to check, preview and submit. */
export const templateDraft = (form: TemplateForm): TemplateDraft => ({
  name: form.name,
  language: form.language,
  category: form.category,
  ...(isCodeCategory(form.category) ? {} : { parameterFormat: form.format }),
  components: componentsOf(form),
  ...(form.ttl.trim() ? { ttlSeconds: Number(form.ttl) } : {}),
})
