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

/** `7/12` for `2026-12-07`. */
const dayAndMonth = (date: string): string => date.split('-').slice(1).reverse().map(Number).join('/')

/**
 * The templates of the bakery, besides the samples every account begins with.
 *
 * @param picture the handle of a file
 * @param holiday a Monday, `2026-12-07`
 */
export const templatesWith = (picture: string, holiday: string) => ({
  holiday: inSpanish(
    'feriado_abrimos',
    `Hola, {{1}}: el lunes ${dayAndMonth(holiday)} es feriado y abrimos igual, de 8 a 13. ¿Te guardamos algo?`,
    ['Camila'],
  ),
  yearEnd: inSpanish(
    'pedidos_fin_de_anio',
    'Hola, {{1}}: ya tomamos los pedidos mayoristas de fin de año. ¿Qué te reservamos?',
    ['Camila'],
  ),
  thursdays: inSpanish('jueves_2x1', 'Este jueves, 2x1 en facturas hasta agotar stock. ¡Vení temprano!'),
  raffle: inSpanish(
    'sorteo_roscas',
    'Compartí este mensaje con diez contactos y participás del sorteo de tres roscas.',
  ),
  showcase: showcase(picture),
})
export type TemplateKey = keyof ReturnType<typeof templatesWith>
