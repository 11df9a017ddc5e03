import type { TeamKey } from './shop.ts'

export interface Exchange {
  readonly team: TeamKey
  /** Customer and bakery in turn, the customer first. Empty: a flow answers. */
  readonly lines: readonly string[]
}

/** Questions that customers ask a bakery, with the answers and who gives them. */
export const exchanges: readonly Exchange[] = [
  {
    team: 'counter',
    lines: ['Hola, ¿les queda pan de masa madre?', 'Sí, salió recién. ¿Te guardo uno?', 'Dale, paso a las seis.'],
  },
  {
    team: 'counter',
    lines: ['¿Cuánto sale la docena de facturas?', 'La docena está $ 9.800. Surtidas o solo medialunas.'],
  },
  {
    team: 'counter',
    lines: [
      'Buen día, ¿tienen chipá hoy?',
      '¡Hola! Hoy sí. ¿Te separo?',
      'Medio kilo, por favor.',
      'Listo, a tu nombre.',
    ],
  },
  { team: 'counter', lines: ['¿Hacen pan sin TACC?', 'Los martes y jueves, con reserva del día anterior.'] },
  { team: 'counter', lines: ['¿Puedo pagar con débito?', 'Sí, débito, crédito y transferencia.'] },
  { team: 'counter', lines: ['Ya transferí, les mando el comprobante.', '¡Recibido! Ya te lo preparo.'] },
  {
    team: 'counter',
    lines: [
      '¿Tienen sándwiches de miga para mañana?',
      'Sí. ¿Cuántas docenas y a qué hora?',
      'Tres docenas, a las 11.',
      'Anotado: tres docenas para las 11.',
    ],
  },
  { team: 'counter', lines: ['Ayer vinieron duras las facturas.', 'Perdón por eso. Pasá hoy y te las cambiamos.'] },
  {
    team: 'delivery',
    lines: [
      '¿Hacen envíos a Colegiales?',
      'Sí, llegamos. El envío sale $ 1.500.',
      'Entonces una docena de medialunas.',
      'Sale en media hora. ¡Gracias!',
    ],
  },
  { team: 'delivery', lines: ['¿Salió mi pedido?', 'Salió hace diez minutos, está llegando.'] },
  {
    team: 'delivery',
    lines: ['¿Pueden traerlo antes de las nueve?', 'Sí, el primer reparto sale a las siete y media.'],
  },
  {
    team: 'delivery',
    lines: ['Necesito veinte docenas para una oficina.', 'Desde diez hacemos 15 % menos. Te paso el presupuesto.'],
  },
  { team: 'delivery', lines: ['No anda el timbre, que llamen por teléfono.', 'Anotado, te llaman al llegar.'] },
  {
    team: 'events',
    lines: [
      'Hola, quiero una torta para quince personas.',
      '¡Hola! ¿Para qué día y de qué sabor?',
      'Para el sábado, de chocolate.',
      'Anotada. Sale $ 32.000, con una seña de la mitad.',
    ],
  },
  { team: 'events', lines: ['¿Hacen tortas con foto?', 'Sí. Mandanos la foto tres días antes.'] },
  { team: 'events', lines: ['¿Cuánto sale un lemon pie entero?', 'El grande, para doce, $ 24.000.'] },
  { team: 'events', lines: ['Quería cambiar la torta del domingo a rogel.', 'Sin problema, la cambiamos.'] },
]

/** Messages that the published flows answer, alone or before a person does. */
export const forFlows: readonly Exchange[] = [
  { team: 'counter', lines: ['¿En qué horario abren?'] },
  { team: 'counter', lines: ['Hola, ¿qué horario tienen el domingo?'] },
  {
    team: 'counter',
    lines: [
      'Hola, quiero hacer un pedido',
      '',
      'Pan',
      '',
      'Dos panes de campo, para mañana',
      'Confirmado, te esperamos.',
    ],
  },
]
