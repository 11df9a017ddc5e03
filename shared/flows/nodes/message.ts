import { Type } from 'typebox'
import { captionMaxChars, takesCaption } from '#shared/media/sent-files.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { flowLimits } from '../limits.ts'
import { type ContentOf, closed, Fallback, type TemplateChoice, Text, withFallback } from './fields.ts'
import type { NodeKind } from './kind.ts'
import { choiceProblems, choiceTexts } from './template-choice.ts'

/** The kinds of files that a message can show. */
export const flowMediaKinds = ['image', 'video', 'audio', 'document'] as const
/** A file at a public address, from which WhatsApp fetches it. `name`: the file name of a document. */
export interface FlowMedia {
  readonly kind: (typeof flowMediaKinds)[number]
  readonly url: string
  readonly name?: string
}

export const messageFields = {
  text: Type.Optional(Text),
  media: Type.Optional(
    Type.Object(
      {
        kind: Type.Enum(flowMediaKinds),
        url: Type.String({ maxLength: flowLimits.url, description: 'https; WhatsApp fetches it from there.' }),
        name: Type.Optional(Type.String({ maxLength: 240, description: 'Of a document.' })),
      },
      { ...closed, description: 'The file it shows; the text is its caption.' },
    ),
  ),
  typingMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: flowLimits.typingMs,
      description: 'How long the customer sees the typing indicator before the message.',
    }),
  ),
  fallback: Fallback,
}
type Message = Omit<ContentOf<typeof messageFields, 'text'>, 'fallback'> & { readonly fallback?: TemplateChoice }

/** Meta fetches from a host name only, never from an IP address. */
const isPublic = (url: string): boolean =>
  /^https:\/\/[^\s{}]+$/.test(url) && URL.canParse(url) && !/^[\d.]+$|^\[/.test(new URL(url).hostname)

export const message: NodeKind<Message> = {
  icon: 'M21 12a8 8 0 0 1-11.6 7.100L4 20l1-4.600A8 8 0 1 1 21 12Z',
  summary: ({ text, media }, t) => text || (media ? t(`media.${media.kind}`) : ''),
  defaults: { text: '' },
  read: withFallback,
  sendsMessage: true,
  messageText: ({ text }) => text,
  textLimit: ({ media }) => (media ? captionMaxChars : outboundLimits.text),
  texts: ({ text, media, fallback }) => [
    { field: 'text', text, isRequired: !media },
    { field: 'media', text: media?.name ?? '' },
    ...choiceTexts(fallback, 'fallback'),
  ],
  problems({ text, media, fallback }, { facts }) {
    const found = choiceProblems(fallback, 'fallback', 'fallback', facts)
    if (media && !isPublic(media.url)) found.push({ field: 'media', code: 'mediaAddress' })
    if (media && text.trim() && !takesCaption(media.kind)) found.push({ field: 'text', code: 'mediaCaption' })
    return found
  },
  uses: ({ fallback }) => (fallback ? { templates: [fallback] } : {}),
}
