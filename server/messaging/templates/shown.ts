import type { TemplatePreview } from '#server/whatsapp/templates/template-message.ts'
import type { SentTemplate } from '#shared/outbound/api.ts'
import { fileAddressOf, fileIdOf } from '#shared/templates/files.ts'

type Media = NonNullable<TemplatePreview['media']>

/** A stored file is shown from its address for members. */
const shownMedia = (media: Media): Media => {
  const id = media.url === undefined ? undefined : fileIdOf(media.url)
  return id === undefined ? { ...media } : { ...media, url: fileAddressOf(id) }
}

/** A filled-in template as messages store it. Pure. */
export const templateView = (
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
