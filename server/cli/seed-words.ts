/** A random generator with a seed: the same seed gives the same data. */
export interface Dice {
  /** Returns a number from 0 up to, not including, 1. */
  roll(): number
  /** A whole number from 0 up to, not including, `sides`. */
  below(sides: number): number
  pick<T>(from: readonly T[]): T
}

/** Mulberry32: small and even enough to fill tables with. */
export const createDice = (seed: number): Dice => {
  let state = seed >>> 0
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (sides: number) => Math.floor(roll() * sides)
  return { roll, below, pick: from => from[below(from.length)] as (typeof from)[number] }
}

const firstNames = (
  'Ana Sofía Martina Valentina Camila Lucía Julieta Agustina Florencia Carolina Micaela Rocío Belén Paula Laura Silvia Graciela ' +
  'Mirta Norma Juan Martín Matías Tomás Santiago Joaquín Facundo Nicolás Lautaro Ramiro Ezequiel Gonzalo Diego Sergio Hugo Raúl ' +
  'Osvaldo Néstor Íñigo Ángel'
).split(' ')
const lastNames = (
  'González Rodríguez Gómez Fernández López Díaz Martínez Pérez García Sánchez Romero Sosa Álvarez Torres Ruiz Ramírez Flores ' +
  'Acosta Benítez Medina Suárez Herrera Aguirre Giménez Gutiérrez Pereyra Rojas Molina Castro Ortiz Núñez Luna Juárez Cabrera ' +
  'Ríos Ferreyra Godoy Morales Domínguez Moreno Peralta Vega Carrizo Quiroga Muñoz Ojeda Ponce Vera Bianchi Ferrari'
).split(' ')
const areas = ['11', '351', '341', '261', '381', '223', '221', '342', '387', '3541']

export const customerName = (dice: Dice) => `${dice.pick(firstNames)} ${dice.pick(lastNames)}`

/** The number of the n-th customer: an Argentine mobile, each once. */
export const customerPhone = (n: number): string => {
  const area = areas[n % areas.length] as string
  const subscriber = String(Math.floor(n / areas.length)).padStart(10 - area.length - 1, '0')
  return `549${area}4${subscriber}`.slice(0, 13)
}

const goods = [
  'tortas',
  'facturas',
  'sanguchitos',
  'empanadas',
  'medialunas',
  'pan lactal',
  'budines',
  'alfajores',
  'prepizzas',
  'chipá',
]
const days = ['hoy', 'mañana', 'el sábado', 'el domingo', 'el lunes', 'esta tarde', 'la semana que viene']
const places = [
  'Av. San Martín 1240',
  'Belgrano 385',
  'Mitre y Sarmiento',
  'Barrio Norte',
  'la esquina de la plaza',
  'Rivadavia 2210 3.º B',
]

const asked = [
  'Hola! Buenas, ¿tienen {goods} para {day}?',
  'Buen día, quería saber el precio de {goods} por docena',
  'Hola, ¿hacen envíos a {place}?',
  '¿A qué hora cierran {day}?',
  'Necesito {n} {goods} para un cumple {day}, ¿llegan?',
  'Ya transferí, te mando el comprobante',
  'Perfecto, paso {day} tipo {n} hs',
  'Dale, gracias!!',
  '¿Me confirmás si salió el pedido? Lo hice {day} y no tuve novedades. Es para {place}, timbre {n}. Si no hay nadie dejalo con el encargado, por favor.',
  'Se puede pagar con débito?',
  'Hola, sigo esperando 🙏',
  '👍',
  'Jaja genial',
  'Quería hacer un reclamo: de las {n} {goods} vinieron {n} rotas. No es la primera vez.',
  'Buenísimo, mil gracias por la onda 🙌',
  'Tengo una consulta, ¿{goods} sin TACC hay?',
]
const answered = [
  '¡Hola! Sí, tenemos {goods} para {day}. ¿Cuántas necesitás?',
  'La docena de {goods} está $ {n}00. Si llevás dos te hacemos el 10 % menos.',
  'Llegamos hasta {place}. El envío sale $ {n}00 y va entre las 10 y las 13.',
  '{day} abrimos de 8 a 13 y de 17 a 20:30.',
  'Anotado: {n} {goods} para {day}. ¿A nombre de quién lo dejo?',
  '¡Recibido! Ya te lo preparo.',
  'Te paso el alias para la transferencia: PAN.DON.LUIS. Mandame el comprobante por acá cuando puedas.',
  'Sí, débito, crédito y transferencia.',
  'Disculpá la demora, el reparto salió más tarde hoy. Está llegando a {place} en unos {n} minutos.',
  'Lamento lo de las {goods}. Te las reponemos {day} sin cargo y te sumamos una docena de medialunas.',
  '¡Gracias a vos! Cualquier cosa escribinos.',
  'Sin TACC tenemos {goods} los martes y jueves, con reserva.',
]

const fill = (dice: Dice, text: string) =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (name === 'goods') return dice.pick(goods)
    if (name === 'day') return dice.pick(days)
    if (name === 'place') return dice.pick(places)
    return String(2 + dice.below(40))
  })

export const customerText = (dice: Dice) => fill(dice, dice.pick(asked))
export const businessText = (dice: Dice) => fill(dice, dice.pick(answered))
