import { createDice, type Dice } from '../seed-words.ts'
import type { FieldKey, TagKey } from './shop.ts'

/** A customer whom the story tells of. */
export interface Customer {
  readonly phone: string
  readonly name: string
  readonly tags: readonly TagKey[]
  readonly fields?: Partial<Record<FieldKey, string>>
}

/**
 * Numbers of 5555-01xx, which films and manuals use, and of Uruguay's 99 555 0xx. Nobody is called: the demo only knows
 * its simulated WhatsApp.
 */
export const customers = {
  lucia: {
    phone: '5491155550101',
    name: 'Lucía Méndez',
    tags: ['regular'],
    fields: { neighbourhood: 'Palermo', birthday: '1988-03-14', usual: 'Pan' },
  },
  tomas: {
    phone: '5491155550102',
    name: 'Tomás Giménez',
    tags: ['delivery'],
    fields: { neighbourhood: 'Palermo', usual: 'Pan' },
  },
  cafe: {
    phone: '5491155550103',
    name: 'Café La Esquina',
    tags: ['wholesale', 'regular'],
    fields: { neighbourhood: 'Colegiales', usual: 'Facturas' },
  },
  marta: { phone: '5491155550104', name: 'Marta Ruiz', tags: ['regular'], fields: { neighbourhood: 'Villa Crespo' } },
  bruno: {
    phone: '5491155550105',
    name: 'Bruno Vega',
    tags: ['complaint', 'delivery'],
    fields: { neighbourhood: 'Chacarita', usual: 'Facturas' },
  },
  abril: {
    phone: '5491155550106',
    name: 'Abril Sosa',
    tags: ['custom'],
    fields: { neighbourhood: 'Almagro', usual: 'Tortas' },
  },
  escuela: { phone: '5493515550107', name: 'Escuela N.º 12', tags: ['wholesale'], fields: { usual: 'Facturas' } },
  nicolas: {
    phone: '5491155550108',
    name: 'Nicolás Ferreyra',
    tags: ['complaint'],
    fields: { neighbourhood: 'Palermo', usual: 'Pan' },
  },
  camila: {
    phone: '5491155550109',
    name: 'Camila Duarte',
    tags: ['custom'],
    fields: { neighbourhood: 'Belgrano', birthday: '1991-12-05', usual: 'Tortas' },
  },
  julia: { phone: '5492235550110', name: 'Julia Peralta', tags: ['regular'], fields: { usual: 'Sándwiches' } },
  valentina: { phone: '5491155550111', name: 'Valentina Ríos', tags: [] },
  rocio: {
    phone: '5491155550112',
    name: 'Rocío Ledesma',
    tags: ['regular'],
    fields: { neighbourhood: 'Colegiales', usual: 'Facturas' },
  },
  gaston: {
    phone: '5491155550113',
    name: 'Gastón Pereyra',
    tags: ['custom'],
    fields: { neighbourhood: 'Núñez', usual: 'Tortas' },
  },
  hernan: {
    phone: '5491155550114',
    name: 'Hernán Silva',
    tags: ['delivery'],
    fields: { neighbourhood: 'Almagro', usual: 'Pan' },
  },
  florencia: {
    phone: '59899555015',
    name: 'Florencia Cabrera',
    tags: ['custom'],
    fields: { neighbourhood: 'Pocitos', usual: 'Tortas' },
  },
  hotel: {
    phone: '59899555016',
    name: 'Hotel Río Manso',
    tags: ['wholesale'],
    fields: { neighbourhood: 'Cordón', usual: 'Pan' },
  },
  ignacio: {
    phone: '5491155550117',
    name: 'Ignacio Bianchi',
    tags: ['regular'],
    fields: { neighbourhood: 'Belgrano', usual: 'Pan' },
  },
  pruebas: { phone: '5491155550118', name: 'Pablo · teléfono de pruebas', tags: [] },
} as const satisfies Record<string, Customer>
export type CustomerKey = keyof typeof customers

const firstNames =
  'Agustina Alejandro Andrea Beatriz Belén Carlos Cecilia Claudia Daniel Eduardo Elena Emilia Ezequiel Fabián Facundo Federico Gabriela Graciela Guillermo Gustavo Inés Javier Joaquín Juana Lautaro Leandro Lorena Luciana Malena Mariana Matías Mercedes Micaela Mirta Norma Omar Pilar Ramiro Santiago Teresa'.split(
    ' ',
  )
const lastNames =
  'Acosta Aguirre Álvarez Arias Bustos Cáceres Correa Domínguez Escobar Farías Figueroa Godoy Ibarra Ledesma Luna Maldonado Medina Molina Olivera Ojeda Paredes Ponce Quiroga Ramos Rivero Roldán Suárez Toledo Vázquez Zárate'.split(
    ' ',
  )
const neighbourhoods = {
  AR: ['Palermo', 'Colegiales', 'Villa Crespo', 'Chacarita', 'Belgrano', 'Almagro', 'Núñez'],
  UY: ['Pocitos', 'Cordón', 'Malvín'],
}
const usual = ['Pan', 'Facturas', 'Tortas', 'Sándwiches']
/** The first number of generated customers, above those of the customers listed above. */
const firstNumber = 120
const neighbourCount = 80
const ofUruguay = 9

const numberOf = (index: number): string => {
  const n = firstNumber + index
  return index % ofUruguay === 0 ? `598995550${String(n).slice(-2)}` : `549115555${String(n).padStart(4, '0')}`
}

const tagsOf = (dice: Dice): TagKey[] => {
  const chance = dice.roll()
  if (chance < 0.55) return ['regular']
  if (chance < 0.68) return ['regular', 'delivery']
  if (chance < 0.78) return ['custom']
  return chance < 0.82 ? ['wholesale'] : []
}

/** The other customers of the month, the same ones in every demo. */
export const neighbours: readonly Customer[] = (() => {
  const dice = createDice(12)
  return Array.from({ length: neighbourCount }, (_, index) => {
    const day = `${1965 + dice.below(38)}-0${1 + dice.below(9)}-${10 + dice.below(18)}`
    return {
      phone: numberOf(index),
      // Both lists are walked at different paces, so that no name comes twice.
      name: `${firstNames[(index * 7) % firstNames.length]} ${lastNames[(index * 11 + Math.floor(index / 30)) % lastNames.length]}`,
      tags: tagsOf(dice),
      fields: {
        ...(dice.roll() < 0.85 ? { neighbourhood: dice.pick(neighbourhoods[index % ofUruguay ? 'AR' : 'UY']) } : {}),
        ...(dice.roll() < 0.5 ? { birthday: day } : {}),
        ...(dice.roll() < 0.75 ? { usual: dice.pick(usual) } : {}),
      },
    }
  })
})()
