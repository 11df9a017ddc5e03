import type { Step } from './steps.ts'

/** The settings of the bakery when its month begins. */
export const prologue: readonly Step[] = [
  { submits: 'raffle', verdict: 'REJECTED' },
  { submits: 'holiday', verdict: 'APPROVED' },
  { submits: 'yearEnd', verdict: 'APPROVED' },
  { submits: 'showcase', verdict: 'APPROVED' },
  { submits: 'thursdays', verdict: 'APPROVED' },
  { by: 'ana', makes: 'order', isPublished: true },
  { by: 'ana', makes: 'hours', isPublished: true },
]

/** The steps in the middle of the month. */
export const interlude: readonly Step[] = [
  { by: 'ana', toMany: 'regular', template: 'thursdays', name: 'Facturas 2x1' },
]

/**
 * The last two days, up to half an hour ago. Messages come a minute after one another unless a step says when.
 * Counted by hand in `test/server/features/stats/bakery.test.ts`.
 */
export const story: readonly Step[] = [
  // The day before yesterday
  { minutesAgo: 2850 },
  { who: 'escuela', does: { type: 'welcome' } },
  { who: 'escuela', does: { text: 'Buenas tardes, ¿hacen facturas para un acto escolar? Somos 120 chicos.' } },
  { by: 'ana', to: 'escuela', says: '¡Hola! Sí, claro. Para 120 chicos calculamos 20 docenas.' },
  { who: 'escuela', does: { text: 'Perfecto. Lo confirma la cooperadora y les aviso.' } },
  { by: 'ana', to: 'escuela', says: 'Buenísimo, les guardo el lugar hasta el viernes.' },
  { assigns: 'escuela', from: 'ana', team: 'events' },
  { snoozes: 'escuela', from: 'ana', untilDaysAhead: 1 },
  { minutesAgo: 2760 },
  { who: 'nicolas', does: { text: 'El pan de ayer vino quemado abajo. Les mando una foto.' } },
  { who: 'nicolas', does: { type: 'image', caption: 'Así llegó' }, shows: 'bread' },
  { by: 'martina', to: 'nicolas', says: 'Uy, mil disculpas. Pasá cuando quieras y te lo cambiamos.' },
  { who: 'nicolas', does: { text: 'Gracias, paso hoy a la tarde.' } },
  { by: 'martina', to: 'nicolas', says: 'Te esperamos.' },
  { archives: 'nicolas' },

  // Pablo tries every kind of message, which a shop rarely gets on one day
  { minutesAgo: 2700 },
  { who: 'pruebas', does: { text: 'Hola, soy Pablo. Pruebo los mensajes raros desde mi teléfono.' } },
  { who: 'pruebas', does: { type: 'video', caption: 'Un video' } },
  { who: 'pruebas', does: { type: 'audio' } },
  { who: 'pruebas', does: { type: 'unsupported' } },
  { who: 'pruebas', does: { type: 'saludo_animado', raw: { saludo_animado: { figura: 'globos' } } } },
  { by: 'luis', to: 'pruebas', sendsOthers: true },
  { by: 'luis', to: 'pruebas', says: '¿Llegó todo?', goesWrong: 'isUnconfirmed' },
  { who: 'pruebas', does: { text: 'Sí, todo. ¡Gracias!' } },
  { by: 'luis', to: 'pruebas', says: 'Listo, archivo este chat.' },
  { archives: 'pruebas' },

  // Yesterday
  { minutesAgo: 1520 },
  { who: 'camila', does: { text: 'Hola, quiero encargar una torta para 30 personas.' } },
  {
    by: 'carla',
    to: 'camila',
    says: '¡Hola, Camila! ¿De qué la querés?',
    offers: ['Chocolate', 'Frutos rojos', 'Rogel'],
  },
  { who: 'camila', does: { type: 'button_reply', choiceId: '3', choiceTitle: 'Rogel', replyTo: 'last' } },
  { who: 'camila', does: { type: 'document', filename: 'invitados.pdf', caption: 'La lista, por las dudas' } },
  { who: 'camila', does: { type: 'form', text: '{"fecha":"Sábado 18 h","personas":"30","sabor":"Rogel"}' } },
  { by: 'carla', to: 'camila', says: 'Anotado: rogel para 30, sábado a las 18. Son $ 58.000.' },
  { notes: 'camila', from: 'carla', text: 'avisá al horno: sin nueces, hay un nene alérgico.', calls: 'martina' },
  { who: 'camila', does: { type: 'reaction', target: 'last', emoji: '❤️' } },
  { assigns: 'camila', from: 'ana', team: 'events' },
  { reads: 'camila' },
  // This window is about to close
  { minutesAgo: 1404 },
  { who: 'abril', does: { text: '¿Me guardan una torta de ricota para mañana a la tarde?' } },
  { by: 'ana', to: 'abril', says: '¡Hola, Abril! Sí. ¿Entera o en porciones?' },
  { who: 'abril', does: { type: 'voice' } },
  { minutesAgo: 1290 },
  {
    by: 'ana',
    toMany: 'regular',
    alsoTo: ['11 5555-0103', '5521'],
    template: 'holiday',
    name: 'Feriado: abrimos igual',
  },
  { minutesAgo: 1275 },
  { who: 'julia', does: { text: '¡Qué bueno! Guardame una docena de sándwiches para el lunes.' } },
  { by: 'martina', to: 'julia', says: 'Anotado, Julia. A las 11 está lista.' },
  { who: 'julia', does: { type: 'system', newNumber: '5492235550199' } },

  // Today
  { minutesAgo: 400 },
  { who: 'florencia', does: { text: 'Buenas, ¿llegan con tortas hasta Montevideo?' } },
  { by: 'carla', to: 'florencia', says: '¡Hola, Florencia! Sí, los viernes. ¿Para cuántas personas?' },
  { who: 'florencia', does: { text: 'Para doce, un lemon pie.' } },
  { by: 'carla', to: 'florencia', says: 'Queda reservado para este viernes. ¡Gracias!' },
  { minutesAgo: 330 },
  { who: 'hernan', does: { text: '¿Ya salió mi pedido? Esta semana estoy con otro teléfono.' } },
  { by: 'diego', to: 'hernan', says: 'Sí, Hernán, sale en el próximo reparto.', goesWrong: 'fails' },
  { minutesAgo: 300 },
  { who: 'rocio', does: { text: 'Hola, quiero hacer un pedido' } },
  { who: 'rocio', taps: 'Facturas' },
  { who: 'rocio', does: { text: 'Tres docenas, la mitad medialunas, para mañana a las 10' } },
  { by: 'martina', to: 'rocio', says: 'Confirmado, Rocío: tres docenas, mañana a las 10.' },
  { who: 'rocio', does: { text: '¡Genial, gracias!' } },
  { by: 'martina', to: 'rocio', says: 'A vos. ¡Hasta mañana!' },
  { minutesAgo: 215 },
  {
    who: 'hotel',
    does: { type: 'order', choiceId: 'pan-de-campo', text: 'Para el desayuno del viernes, por favor' },
  },
  { by: 'luis', to: 'hotel', says: 'Recibido. Sale el viernes en el primer reparto.' },
  { assigns: 'hotel', from: 'luis', team: 'delivery' },
  { minutesAgo: 130 },
  { who: 'cafe', does: { text: 'Lo de siempre para mañana, por favor.' } },
  { who: 'cafe', does: { type: 'contacts', contactName: 'Rosa Paz', contactPhone: '+54 9 11 5555-0188' } },
  { who: 'cafe', does: { text: 'Recibe Rosa, les paso el contacto.', forwarded: true } },
  { by: 'luis', to: 'cafe', says: 'Listo, sale a las 7. ¿Sumamos dos docenas de medialunas?' },
  { who: 'cafe', does: { text: 'Dale, sumá dos.', replyTo: 'last' }, as: 'sumar' },
  { who: 'cafe', does: { type: 'edit', target: 'sumar', text: 'Dale, sumá tres.' } },
  { by: 'luis', to: 'cafe', says: 'Sumadas. Mañana a las 7 está todo allá.' },
  { assigns: 'cafe', from: 'luis', team: 'delivery' },
  { minutesAgo: 72 },
  { who: 'gaston', does: { text: 'Hola, ¿pueden hacer una torta como esta para el domingo?' } },
  { who: 'gaston', does: { type: 'image', caption: 'Para 20 personas' }, shows: 'cake' },
  { assigns: 'gaston', from: 'ana', to: 'carla', team: 'events' },
  { notes: 'gaston', from: 'ana', text: 'es parecida a la de Camila, pasale el mismo precio.', calls: 'carla' },
  { reads: 'gaston' },
  { minutesAgo: 58 },
  { who: 'tomas', does: { text: '¿Hacen envíos hasta acá?' } },
  {
    who: 'tomas',
    does: { type: 'location', latitude: -34.588, longitude: -58.41, locationName: 'Mi casa', address: 'Honduras 4700' },
  },
  { by: 'diego', to: 'tomas', says: 'Sí, llegamos. El envío sale $ 1.500.' },
  { who: 'tomas', does: { text: 'Ah, no, dejá' }, as: 'arrepentido' },
  { who: 'tomas', does: { type: 'revoke', target: 'arrepentido' } },
  { who: 'tomas', does: { text: 'Mandame dos panes de campo, porfa.' } },
  { who: 'tomas', does: { type: 'sticker' } },
  { by: 'diego', to: 'tomas', says: 'Salen en diez minutos. ¡Gracias, Tomás!' },
  { assigns: 'tomas', from: 'diego', team: 'delivery' },
  { minutesAgo: 46 },
  { who: 'bruno', does: { text: 'Hace una hora que espero el pedido.' } },
  { by: 'diego', to: 'bruno', says: 'Perdón, Bruno. El repartidor está a cinco cuadras.' },
  { who: 'bruno', does: { text: 'Acaba de llegar, todo bien.' } },
  { by: 'diego', to: 'bruno', says: 'Gracias por la paciencia. La próxima docena va de regalo.' },
  { assigns: 'bruno', from: 'diego', team: 'delivery' },
  { minutesAgo: 27 },
  { who: 'ignacio', does: { text: 'Buenas, quiero hacer un pedido' } },
  { who: 'ignacio', taps: 'Pan' },
  { reads: 'ignacio' },
]

/** The last minutes, of which nobody has seen the notifications. */
export const justNow: readonly Step[] = [
  { pauses: 'thursdays' },
  { minutesAgo: 17 },
  { who: 'marta', does: { text: '¿Tienen medialunas de manteca para mañana a la mañana?' } },
  { who: 'marta', does: { text: 'Serían tres docenas, las busco a las nueve.' } },
  { assigns: 'marta', from: 'ana', team: 'counter' },
  { learnsOf: 'newcomers' },
  { by: 'ana', toMany: 'custom', template: 'showcase', name: 'Vidriera de tortas', inDays: 2 },
  { by: 'ana', drafts: 'yearEnd', toTag: 'wholesale', name: 'Mayoristas: pedidos de fin de año' },
  { by: 'ana', makes: 'survey', isPublished: false },
  { minutesAgo: 9 },
  {
    who: 'valentina',
    does: { text: 'Vi la publicidad, ¿sigue el 2x1 en facturas?', adHeadline: '2x1 en facturas todos los jueves' },
  },
  { minutesAgo: 4 },
  { who: 'lucia', does: { text: 'Hola, ¿queda pan de masa madre?' } },
  { by: 'martina', to: 'lucia', says: '¡Hola, Lucía! Sí, salió recién del horno.' },
  { who: 'lucia', does: { text: 'Genial, ¿me guardás dos para mañana?' } },
]

/** Kinds of message that somebody sends in the story. */
export const kindsInStory: ReadonlySet<string> = new Set(
  [...story, ...justNow].flatMap(step => {
    if ('does' in step) return step.does.type ?? 'text'
    return 'says' in step ? (step.offers ? 'interactive' : 'text') : []
  }),
)
