import type { SentTemplate } from '#shared/outbound.ts'
import type { TemplatePreview } from '../whatsapp/template-message.ts'

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
  ...(media ? { media } : {}),
  ...(cards.length
    ? {
        cards: cards.map(card => ({
          ...(card.media ? { media: card.media } : {}),
          text: card.body,
          buttons: [...card.buttons],
        })),
      }
    : {}),
})
