import type { TemplateDraft } from '#shared/templates/api.ts'
import type { CarouselCard } from '#shared/templates/components.ts'
import { bakery } from './shop.ts'

const inSpanish = (name: string, text: string, examples: readonly string[] = []): TemplateDraft => ({
  name,
  language: 'es_AR',
  category: 'MARKETING',
  components: [
    { type: 'BODY', text, ...(examples.length ? { example: { body_text: [[...examples]] } } : {}) },
    { type: 'FOOTER', text: bakery.name },
  ],
})

const card = (picture: string, text: string): CarouselCard => ({
  components: [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: [picture] } },
    { type: 'BODY', text },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'La quiero' }] },
  ],
})

const showcase = (picture: string): TemplateDraft => ({
  name: 'vidriera_de_tortas',
  language: 'es_AR',
  category: 'MARKETING',
  components: [
    {
      type: 'BODY',
      text: 'Hola, {{1}}: esto salió hoy del horno.',
      example: { body_text: [['Camila']] },
    },
    {
      type: 'CAROUSEL',
      cards: [
        card(picture, 'Torta de ricota, entera o en porciones.'),
        card(picture, 'Rogel de ocho capas, para doce personas.'),
        card(picture, 'Lemon pie, con el merengue recién tostado.'),
      ],
    },
  ],
})

/** The templates of the bakery, besides the samples every account begins with. `picture`: the handle of a file. */
export const templatesWith = (picture: string) => ({
  holiday: inSpanish(
    'feriado_abrimos',
    'Hola, {{1}}: el lunes es feriado y abrimos igual, de 8 a 13. ¿Te guardamos algo?',
    ['Camila'],
  ),
  thursdays: inSpanish('jueves_2x1', 'Este jueves, 2x1 en facturas hasta agotar. ¡Vení temprano!'),
  raffle: inSpanish(
    'sorteo_roscas',
    'Compartí este mensaje con diez contactos y participás del sorteo de tres roscas.',
  ),
  showcase: showcase(picture),
})
export type TemplateKey = keyof ReturnType<typeof templatesWith>
