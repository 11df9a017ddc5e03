import type { OrgRole } from '#shared/kernel/permissions.ts'
import type { SandboxInbound } from '#shared/simulator/inbound.ts'
import type { TemplateDraft } from '#shared/templates/api.ts'
import type { CarouselCard } from '#shared/templates/components.ts'

/** The sample organization: a bakery, its people and a few days of its conversations. */
export const bakery = { name: 'Panadería Don Luis', slug: 'panaderia-don-luis' }

export interface DemoPerson {
  readonly name: string
  readonly email: string
  readonly role: OrgRole
}

export const people = {
  luis: { name: 'Luis Ferrari', email: 'luis@donluis.example', role: 'owner' },
  ana: { name: 'Ana Ferrari', email: 'ana@donluis.example', role: 'admin' },
  martina: { name: 'Martina Sosa', email: 'martina@donluis.example', role: 'member' },
  pablo: { name: 'Pablo Quiroga', email: 'pablo@donluis.example', role: 'developer' },
  vera: { name: 'Vera Núñez', email: 'vera@donluis.example', role: 'viewer' },
  silvia: { name: 'Silvia Ríos', email: 'silvia@donluis.example', role: 'billing' },
} as const satisfies Record<string, DemoPerson>
export type PersonKey = keyof typeof people

export const customers = {
  lucia: { phone: '5491155210001', name: 'Lucía Méndez', tags: ['Cliente frecuente'] },
  tomas: { phone: '5491155210002', name: 'Tomás Giménez', tags: ['Pedido especial'] },
  cafe: { phone: '5491155210003', name: 'Café La Esquina', tags: ['Mayorista', 'Cliente frecuente'] },
  marta: { phone: '5491155210004', name: 'Marta Ruiz', tags: [] },
  bruno: { phone: '5491155210005', name: 'Bruno Vega', tags: ['Reclamo'] },
  abril: { phone: '5491155210006', name: 'Abril Sosa', tags: [] },
  escuela: { phone: '5493515210007', name: 'Escuela N.º 12', tags: ['Mayorista'] },
  nicolas: { phone: '5491155210008', name: 'Nicolás Ferreyra', tags: ['Reclamo'] },
  camila: { phone: '5491155210009', name: 'Camila Duarte', tags: ['Pedido especial'] },
  julia: { phone: '5492235210010', name: 'Julia Peralta', tags: [] },
  anuncio: { phone: '5491155210011', name: 'Valentina Ríos', tags: [] },
  rocio: { phone: '5491155210012', name: 'Rocío Ledesma', tags: [] },
} as const satisfies Record<string, { phone: string; name: string; tags: readonly string[] }>
export type CustomerKey = keyof typeof customers

type CustomerAction = Omit<SandboxInbound, 'from' | 'name' | 'targetWamid' | 'replyToWamid'> & {
  /** The customer's own earlier message, or the business's last one. */
  readonly target?: string
  readonly replyTo?: string
}

const inSpanish = (name: string, text: string, examples: readonly string[] = []): TemplateDraft => ({
  name,
  language: 'es_AR',
  category: 'MARKETING',
  components: [
    { type: 'BODY', text, ...(examples.length ? { example: { body_text: [[...examples]] } } : {}) },
    { type: 'FOOTER', text: 'Panadería Don Luis' },
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

/** What the bakery wrote itself, beside the samples every account begins with. `picture`: the handle of one. */
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

/** `as` names a message for later steps; `last` is the newest answer to that customer. */
export type Step =
  | { readonly who: CustomerKey; readonly does: CustomerAction; readonly as?: string }
  | {
      readonly by: PersonKey
      readonly to: CustomerKey
      readonly says: string
      /** What the customer may tap. */
      readonly offers?: readonly string[]
      readonly goesWrong?: 'fails' | 'isUnconfirmed'
    }
  /** What the team can send and nobody does in this story. */
  | { readonly by: PersonKey; readonly to: CustomerKey; readonly sendsOthers: true }
  | { readonly submits: TemplateKey; readonly verdict: 'APPROVED' | 'PAUSED' | 'REJECTED' }
  | {
      readonly by: PersonKey
      readonly toMany: readonly CustomerKey[]
      /** Pasted beside them. */
      readonly alsoTo: readonly string[]
      readonly template: TemplateKey
      /** Absent: at once, and to its end. */
      readonly inHours?: number
      /** These first; the rest waits for what becomes of them, and the send is under way meanwhile. */
      readonly firstTo?: number
    }
  | { readonly by: PersonKey; readonly publishes: 'order' }
  /** A button of what they got last. */
  | { readonly who: CustomerKey; readonly taps: string }
  | { readonly notes: CustomerKey; readonly from: PersonKey; readonly text: string; readonly calls: PersonKey }
  | { readonly reads: CustomerKey }
  | { readonly archives: CustomerKey }
  | { readonly hoursPass: number }

/** In order of time; the last one happens now. */
export const story: readonly Step[] = [
  // The day before yesterday
  { who: 'escuela', does: { type: 'welcome' } },
  { who: 'escuela', does: { text: 'Buenas tardes, ¿hacen facturas para un acto escolar? Somos 120 chicos.' } },
  { by: 'ana', to: 'escuela', says: '¡Hola! Sí, claro. Para 120 chicos calculamos 20 docenas.' },
  { who: 'escuela', does: { text: 'Perfecto, lo confirma la cooperadora. ¡Gracias!' } },
  { reads: 'escuela' },
  { archives: 'escuela' },
  { who: 'nicolas', does: { text: 'El pan de ayer vino quemado abajo. Les mando una foto.' } },
  { who: 'nicolas', does: { type: 'image', caption: 'Así llegó' } },
  { by: 'martina', to: 'nicolas', says: 'Uy, mil disculpas. Pasá cuando quieras y te lo cambiamos.' },
  { reads: 'nicolas' },
  { hoursPass: 26 },

  { submits: 'raffle', verdict: 'REJECTED' },
  { submits: 'holiday', verdict: 'APPROVED' },
  { submits: 'showcase', verdict: 'APPROVED' },

  // Yesterday, almost a day ago: this window is about to close
  { who: 'abril', does: { text: '¿Me guardan una torta de ricota para mañana a la tarde?' } },
  { who: 'abril', does: { type: 'voice' } },
  { hoursPass: 7.5 },
  { who: 'camila', does: { text: 'Hola, quiero encargar una torta para 30 personas.' } },
  {
    by: 'ana',
    to: 'camila',
    says: '¡Hola, Camila! ¿De qué la querés?',
    offers: ['Chocolate', 'Frutos rojos', 'Rogel'],
  },
  { who: 'camila', does: { type: 'button_reply', choiceId: '3', choiceTitle: 'Rogel', replyTo: 'last' } },
  { who: 'camila', does: { type: 'document', filename: 'invitados.pdf', caption: 'La lista, por las dudas' } },
  { who: 'camila', does: { type: 'form', text: '{"fecha":"Sábado 18 h","personas":"30","sabor":"Rogel"}' } },
  { by: 'ana', to: 'camila', says: 'Anotado: rogel para 30, sábado a las 18.' },
  { notes: 'camila', from: 'ana', text: 'avisá al horno: sin nueces, hay un nene alérgico.', calls: 'martina' },
  { who: 'camila', does: { type: 'reaction', target: 'last', emoji: '❤️' } },
  { reads: 'camila' },
  { hoursPass: 12 },

  // This morning
  { by: 'ana', publishes: 'order' },
  { who: 'rocio', does: { text: 'Hola, quiero hacer un pedido' } },
  { who: 'rocio', taps: 'Facturas' },
  { who: 'rocio', does: { text: 'Tres docenas, la mitad medialunas' } },
  {
    by: 'ana',
    toMany: ['escuela', 'nicolas', 'camila', 'cafe', 'tomas', 'julia', 'bruno'],
    alsoTo: ['11 5521-0003', '5521'],
    template: 'holiday',
  },
  {
    who: 'cafe',
    does: { type: 'order', choiceId: 'docena-de-facturas', text: 'Lo de siempre para mañana, por favor' },
  },
  { who: 'cafe', does: { type: 'contacts', contactName: 'Rosa Paz', contactPhone: '+54 9 11 5521-7788' } },
  { who: 'cafe', does: { text: 'Recibe Rosa, les paso el contacto.', forwarded: true } },
  { by: 'luis', to: 'cafe', says: 'Listo, sale a las 7. ¿Sumamos dos docenas de medialunas?' },
  { who: 'cafe', does: { text: 'Dale, sumá dos.', replyTo: 'last' }, as: 'sumar' },
  { who: 'cafe', does: { type: 'edit', target: 'sumar', text: 'Dale, sumá tres.' } },
  { by: 'luis', to: 'cafe', sendsOthers: true },
  { reads: 'cafe' },
  { who: 'tomas', does: { text: '¿Hacen envíos hasta acá?' } },
  {
    who: 'tomas',
    does: { type: 'location', latitude: -34.588, longitude: -58.41, locationName: 'Mi casa', address: 'Honduras 4700' },
  },
  { by: 'martina', to: 'tomas', says: 'Sí, llegamos. El envío sale $ 1.500.' },
  { who: 'tomas', does: { type: 'sticker' } },
  { who: 'tomas', does: { text: 'Ah, no, dejá' }, as: 'arrepentido' },
  { who: 'tomas', does: { type: 'revoke', target: 'arrepentido' } },
  { who: 'tomas', does: { text: 'Mandame dos panes de campo, porfa.' } },
  { reads: 'tomas' },
  { who: 'julia', does: { text: 'Cambio de teléfono, les aviso.' } },
  { who: 'julia', does: { type: 'system', newNumber: '5492235210099' } },
  { who: 'bruno', does: { text: 'Hace una hora que espero el pedido.' } },
  { who: 'bruno', does: { type: 'audio' } },
  { by: 'martina', to: 'bruno', says: 'Perdón, Bruno, ya sale el repartidor.', goesWrong: 'fails' },
  { hoursPass: 3 },

  // Just now
  {
    by: 'ana',
    toMany: ['rocio', 'abril', 'tomas', 'julia', 'cafe', 'escuela'],
    alsoTo: [],
    template: 'holiday',
    firstTo: 2,
  },
  { submits: 'thursdays', verdict: 'PAUSED' },
  {
    who: 'anuncio',
    does: { text: 'Vi la publicidad, ¿sigue el 2x1 en facturas?', adHeadline: '2x1 en facturas todos los jueves' },
  },
  { who: 'marta', does: { type: 'video', caption: 'Miren cómo quedaron las medialunas que llevé' } },
  { who: 'marta', does: { type: 'unsupported' } },
  { who: 'marta', does: { type: 'saludo_animado', raw: { saludo_animado: { figura: 'globos' } } } },
  { who: 'marta', does: { text: '¿Tienen medialunas de manteca para mañana a la mañana?' } },
  { who: 'lucia', does: { text: 'Buen día, ¿queda pan de masa madre?' } },
  { by: 'luis', to: 'lucia', says: '¡Buen día, Lucía! Sí, salió recién del horno.' },
  { who: 'lucia', does: { text: 'Genial, guardame dos y paso a las seis.' } },
  { by: 'luis', to: 'lucia', says: 'Guardados. ¡Te esperamos!', goesWrong: 'isUnconfirmed' },
  { by: 'ana', toMany: ['cafe', 'escuela', 'lucia'], alsoTo: [], template: 'holiday', inHours: 40 },
]

/** Kinds of message that somebody sends in the story. */
export const kindsInStory: ReadonlySet<string> = new Set(
  story.flatMap(step => {
    if ('does' in step) return step.does.type ?? 'text'
    return 'says' in step ? (step.offers ? 'interactive' : 'text') : []
  }),
)
