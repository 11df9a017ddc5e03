import type { TemplatePreview } from '#server/whatsapp/template-message.ts'
import type { SentTemplate } from '#shared/outbound/api.ts'
import { fileAddressOf, fileIdOf } from '#shared/templates/files.ts'

type Media = NonNullable<TemplatePreview['media']>

/** A file kept here is shown from where members see it. */
const shownMedia = (media: Media): Media => {
  const id = media.url === undefined ? undefined : fileIdOf(media.url)
  return id === undefined ? { ...media } : { ...media, url: fileAddressOf(id) }
}

/** How a template looks that was filled in, as messages keep it. Pure. */
export const shownOf = (
  { id, name, language }: { readonly id: string; readonly name: string; readonly language: string },
  { header, footer, buttons, media, cards }: TemplatePreview,
): SentTemplate => ({
  id,
  name,
  language,
  header,
  footer,
  buttons: [...buttons],
  ...(media ? { media: shownMedia(media) } : {}),
  ...(cards.length
    ? {
        cards: cards.map(card => ({
          ...(card.media ? { media: shownMedia(card.media) } : {}),
          text: card.body,
          buttons: [...card.buttons],
        })),
      }
    : {}),
})
