import type { RateCard } from '#shared/bulk-sends/rates.ts'
import type { ContactFieldKind } from '#shared/contacts/fields.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'
import type { BusinessHours } from '#shared/orgs/business-hours.ts'

/** The sample organization: a bakery, its people, and what they have set up. */
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
  diego: { name: 'Diego Acosta', email: 'diego@donluis.example', role: 'member' },
  carla: { name: 'Carla Benítez', email: 'carla@donluis.example', role: 'member' },
  pablo: { name: 'Pablo Quiroga', email: 'pablo@donluis.example', role: 'developer' },
  vera: { name: 'Vera Núñez', email: 'vera@donluis.example', role: 'viewer' },
  silvia: { name: 'Silvia Ríos', email: 'silvia@donluis.example', role: 'billing' },
} as const satisfies Record<string, DemoPerson>
export type PersonKey = keyof typeof people

export const teams = {
  counter: {
    name: 'Mostrador',
    description: 'Pedidos del día y consultas.',
    people: ['martina', 'ana', 'luis'],
  },
  delivery: {
    name: 'Reparto',
    description: 'Envíos y mayoristas.',
    people: ['diego', 'luis'],
  },
  events: {
    name: 'Tortas y eventos',
    description: 'Encargos con fecha y presupuesto.',
    people: ['carla', 'ana'],
  },
} as const satisfies Record<string, { name: string; description: string; people: readonly PersonKey[] }>
export type TeamKey = keyof typeof teams

export const tags = {
  regular: 'Cliente frecuente',
  wholesale: 'Mayorista',
  custom: 'Pedido especial',
  complaint: 'Reclamo',
  delivery: 'Envío a domicilio',
} as const
export type TagKey = keyof typeof tags

export type FieldKey = 'neighbourhood' | 'usual' | 'birthday'
export const fields: { key: FieldKey; label: string; kind: ContactFieldKind; options?: string[] }[] = [
  { key: 'neighbourhood', label: 'Barrio', kind: 'text' },
  { key: 'usual', label: 'Compra habitual', kind: 'choice', options: ['Pan', 'Facturas', 'Tortas', 'Sándwiches'] },
  { key: 'birthday', label: 'Cumpleaños', kind: 'date' },
]

export const hours: BusinessHours = {
  week: {
    monday: [{ from: '07:00', to: '20:00' }],
    tuesday: [{ from: '07:00', to: '20:00' }],
    wednesday: [{ from: '07:00', to: '20:00' }],
    thursday: [{ from: '07:00', to: '20:00' }],
    friday: [{ from: '07:00', to: '20:00' }],
    saturday: [{ from: '07:00', to: '20:00' }],
    sunday: [{ from: '08:00', to: '13:00' }],
  },
  exceptions: [],
}
/** As the template of the holiday says. */
export const hoursOnHoliday = [{ from: '08:00', to: '13:00' }]

/** Invented prices, of the size of real ones. */
export const rates: RateCard['rates'] = [
  { country: 'AR', prices: { MARKETING: 0.06, UTILITY: 0.025, AUTHENTICATION: 0.025 } },
  { country: 'UY', prices: { MARKETING: 0.07, UTILITY: 0.01, AUTHENTICATION: 0.01 } },
  { country: '*', prices: { MARKETING: 0.08, UTILITY: 0.02, AUTHENTICATION: 0.02 } },
]

/** `by` writes it; those that are not shared are private. */
export const answers = [
  {
    by: 'ana',
    title: 'Horarios',
    shortcut: 'horarios',
    text: 'Abrimos de lunes a sábado de 7 a 20, y los domingos de 8 a 13.',
    shared: true,
  },
  {
    by: 'ana',
    title: 'Datos para transferir',
    shortcut: 'alias',
    text: '¡Gracias, {{contacto.primer_nombre|vecino}}! El alias es PAN.DE.EJEMPLO. Cuando puedas, mandanos el comprobante por acá.',
    shared: true,
  },
  {
    by: 'ana',
    title: 'Costo y zona de envío',
    shortcut: 'envio',
    text: 'Llevamos a Palermo, Colegiales y Villa Crespo. El envío sale $ 1.500 y es gratis desde $ 20.000.',
    shared: true,
  },
  {
    by: 'luis',
    title: 'Pedido listo',
    shortcut: 'listo',
    text: '{{contacto.primer_nombre|Hola}}, tu pedido está listo. ¡Te esperamos!',
    shared: true,
  },
  {
    by: 'ana',
    title: 'Torta por encargo',
    shortcut: 'torta',
    text: 'Para una torta por encargo necesitamos: fecha y hora, cuántas personas, sabor y si hay alguna alergia. Con eso te pasamos el precio.',
    shared: true,
  },
  {
    by: 'martina',
    title: 'Disculpas por una demora',
    shortcut: 'demora',
    text: 'Perdón por la demora, {{contacto.primer_nombre|vecino}}. Ya estoy viendo tu pedido y te confirmo en unos minutos.',
    shared: true,
  },
  {
    by: 'luis',
    title: 'Precios para mayoristas',
    shortcut: 'mayorista',
    text: 'Desde diez docenas hacemos 15 % menos, con entrega a las 7 de la mañana.',
    shared: false,
  },
] as const satisfies readonly { by: PersonKey; title: string; shortcut: string; text: string; shared: boolean }[]

/** Shared views of the conversations; `tag` is replaced by the tag's id. */
export const views = [
  { name: 'Reclamos', by: 'ana', filter: {}, tag: 'complaint' },
  { name: 'Mayoristas', by: 'luis', filter: {}, tag: 'wholesale' },
  { name: 'Mías sin responder', by: 'ana', filter: { assignee: 'me', waiting: true } },
] as const satisfies readonly { name: string; by: PersonKey; filter: object; tag?: TagKey }[]
