import type { FlowNode } from '#shared/flows/graph.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'

export const starterKeys = ['welcome', 'hours', 'lead', 'appointment', 'order', 'satisfaction', 'optOut'] as const
export type StarterKey = (typeof starterKeys)[number]

type Bare<T = FlowNode> = T extends FlowNode ? Omit<T, 'x' | 'y'> : never
export interface Plan {
  readonly name: string
  readonly triggers: readonly FlowTrigger[]
  readonly nodes: readonly Bare[]
  /** `from output to`, by id. */
  readonly edges: readonly (readonly [from: string, output: string, to: string])[]
}

/** The Spanish texts; steps and edges are the same in every language. */
export const spanish: Readonly<Record<StarterKey, Plan>> = {
  welcome: {
    name: 'Menú de bienvenida',
    triggers: [
      { id: 'first', kind: 'firstMessage' },
      { id: 'menu', kind: 'keyword', match: 'equals', words: ['hola', 'buenas', 'menú'] },
    ],
    nodes: [
      {
        id: 'menu',
        type: 'buttons',
        text: '¡Hola! Soy el asistente de {{org.nombre}}. ¿En qué te puedo ayudar?',
        options: [
          { id: 'hours', title: 'Horarios' },
          { id: 'prices', title: 'Precios' },
          { id: 'person', title: 'Hablar con alguien' },
        ],
        timeoutMs: 0,
      },
      { id: 'hours', type: 'message', text: 'Atendemos de lunes a viernes de 9 a 18.' },
      { id: 'prices', type: 'message', text: 'Contanos qué buscás y te pasamos el precio.' },
      {
        id: 'person',
        type: 'handoff',
        message: 'Ya te atiende una persona del equipo.',
        note: 'Pidió hablar con alguien.',
      },
      { id: 'team', type: 'handoff', note: 'Preguntó por precios.' },
      {
        id: 'other',
        type: 'handoff',
        message: 'Te paso con una persona del equipo.',
        note: 'Escribió: {{ultimo_mensaje}}',
      },
      { id: 'bye', type: 'end' },
    ],
    edges: [
      ['start', 'next', 'menu'],
      ['menu', 'hours', 'hours'],
      ['hours', 'next', 'bye'],
      ['menu', 'prices', 'prices'],
      ['prices', 'next', 'team'],
      ['menu', 'person', 'person'],
      ['menu', 'other', 'other'],
    ],
  },
  hours: {
    name: 'Fuera de horario',
    triggers: [{ id: 'out', kind: 'default', hours: 'outside' }],
    nodes: [
      {
        id: 'closed',
        type: 'message',
        text: '¡Gracias por escribir! Ahora estamos cerrados.',
      },
      {
        id: 'reason',
        type: 'question',
        text: '¿Nos contás qué necesitás? Así te contestamos apenas abramos.',
        expects: 'text',
        variable: 'consulta',
        attempts: 3,
        timeoutMs: 3_600_000,
      },
      {
        id: 'thanks',
        type: 'handoff',
        message: 'Anotado. Te escribimos apenas abramos.',
        note: 'Fuera de horario: {{flujo.consulta}}',
      },
      { id: 'nothing', type: 'handoff', note: 'Escribió fuera de horario y no contó qué necesita.' },
    ],
    edges: [
      ['start', 'next', 'closed'],
      ['closed', 'next', 'reason'],
      ['reason', 'next', 'thanks'],
      ['reason', 'invalid', 'nothing'],
      ['reason', 'timeout', 'nothing'],
    ],
  },
  lead: {
    name: 'Consulta con preguntas',
    triggers: [
      { id: 'words', kind: 'keyword', match: 'contains', words: ['presupuesto', 'cotización', 'quiero comprar'] },
    ],
    nodes: [
      {
        id: 'hello',
        type: 'message',
        text: '¡Buenísimo! Te hago dos preguntas y seguimos con una persona del equipo.',
      },
      {
        id: 'what',
        type: 'question',
        text: '¿Qué producto o servicio te interesa?',
        expects: 'text',
        variable: 'interes',
        attempts: 3,
        timeoutMs: 86_400_000,
      },
      {
        id: 'email',
        type: 'question',
        text: '¿A qué correo te mandamos el presupuesto?',
        expects: 'email',
        variable: 'correo',
        retryText: 'Ese correo no parece completo. ¿Lo escribís otra vez?',
        attempts: 3,
        timeoutMs: 86_400_000,
      },
      {
        id: 'team',
        type: 'handoff',
        message: '¡Gracias! Ya te contesta una persona del equipo.',
        note: 'Busca: {{flujo.interes|sin decir}}. Correo: {{flujo.correo|sin decir}}.',
      },
    ],
    edges: [
      ['start', 'next', 'hello'],
      ['hello', 'next', 'what'],
      ['what', 'next', 'email'],
      ['what', 'invalid', 'team'],
      ['what', 'timeout', 'team'],
      ['email', 'next', 'team'],
      ['email', 'invalid', 'team'],
      ['email', 'timeout', 'team'],
    ],
  },
  satisfaction: {
    name: 'Pregunta de satisfacción',
    triggers: [{ id: 'manual', kind: 'manual' }],
    nodes: [
      {
        id: 'ask',
        type: 'buttons',
        text: '¿Cómo te atendimos?',
        options: [
          { id: 'good', title: 'Muy bien' },
          { id: 'soso', title: 'Más o menos' },
          { id: 'bad', title: 'Mal' },
        ],
        variable: 'atencion',
        timeoutMs: 86_400_000,
        ends: ['timeout'],
      },
      { id: 'thanks', type: 'message', text: '¡Gracias! Nos alegra mucho.', ends: ['next'] },
      {
        id: 'why',
        type: 'question',
        text: 'Lamentamos que no haya salido bien. ¿Qué podemos mejorar?',
        expects: 'text',
        variable: 'mejora',
        attempts: 2,
        timeoutMs: 86_400_000,
      },
      { id: 'team', type: 'handoff', note: 'Atención: {{flujo.atencion|sin decir}}. Dice: {{flujo.mejora|nada}}' },
    ],
    edges: [
      ['start', 'next', 'ask'],
      ['ask', 'good', 'thanks'],
      ['ask', 'soso', 'why'],
      ['ask', 'bad', 'why'],
      ['ask', 'other', 'team'],
      ['why', 'next', 'team'],
      ['why', 'invalid', 'team'],
      ['why', 'timeout', 'team'],
    ],
  },
  appointment: {
    name: 'Pedido de turno',
    triggers: [{ id: 'words', kind: 'keyword', match: 'contains', words: ['turno', 'reservar', 'una cita'] }],
    nodes: [
      {
        id: 'day',
        type: 'question',
        text: '¿Para qué día querés el turno? Por ejemplo 25/12.',
        expects: 'date',
        variable: 'dia',
        retryText: 'No entendí la fecha. Escribila como 25/12.',
        attempts: 3,
        timeoutMs: 86_400_000,
      },
      {
        id: 'time',
        type: 'buttons',
        text: '¿En qué momento del día te queda mejor?',
        options: [
          { id: 'morning', title: 'A la mañana' },
          { id: 'afternoon', title: 'A la tarde' },
          { id: 'any', title: 'Me da igual' },
        ],
        variable: 'momento',
        timeoutMs: 86_400_000,
      },
      {
        id: 'who',
        type: 'question',
        text: '¿A nombre de quién lo anotamos?',
        expects: 'text',
        variable: 'nombre',
        attempts: 2,
        timeoutMs: 86_400_000,
      },
      {
        id: 'team',
        type: 'handoff',
        message: '¡Gracias! Una persona del equipo te confirma el turno.',
        note: 'Turno: {{flujo.dia|sin día}}, {{flujo.momento|sin horario}}, a nombre de {{flujo.nombre|sin nombre}}.',
      },
    ],
    edges: [
      ['start', 'next', 'day'],
      ['day', 'next', 'time'],
      ['day', 'invalid', 'team'],
      ['day', 'timeout', 'team'],
      ['time', 'morning', 'who'],
      ['time', 'afternoon', 'who'],
      ['time', 'any', 'who'],
      ['time', 'other', 'who'],
      ['time', 'timeout', 'team'],
      ['who', 'next', 'team'],
      ['who', 'invalid', 'team'],
      ['who', 'timeout', 'team'],
    ],
  },
  order: {
    name: 'Estado del pedido',
    triggers: [{ id: 'words', kind: 'keyword', match: 'contains', words: ['mi pedido', 'seguimiento', 'dónde está'] }],
    nodes: [
      {
        id: 'number',
        type: 'question',
        text: '¿Qué número de pedido es?',
        expects: 'text',
        variable: 'pedido',
        attempts: 3,
        timeoutMs: 86_400_000,
      },
      {
        id: 'look',
        type: 'http',
        method: 'GET',
        // A reserved name that never resolves: until it is replaced, the call fails and a person takes over.
        url: 'https://api.tienda.example/pedidos/{{flujo.pedido}}',
        headers: [],
        send: 'nothing',
        body: '',
        form: [],
        timeoutMs: 10_000,
        map: [
          { variable: 'estado', path: 'estado' },
          { variable: 'llega', path: 'llega' },
        ],
        refusals: true,
        mock: { status: 200, body: '{"estado": "en camino", "llega": "mañana"}' },
      },
      {
        id: 'found',
        type: 'message',
        text: 'Tu pedido {{flujo.pedido}} está {{flujo.estado}}. Llega: {{flujo.llega|todavía sin fecha}}.',
        ends: ['next'],
      },
      {
        id: 'unknown',
        type: 'message',
        text: 'No encuentro el pedido {{flujo.pedido}}. Fijate si el número está bien.',
      },
      { id: 'again', type: 'goto', nodeId: 'number' },
      {
        id: 'team',
        type: 'handoff',
        message: 'Ahora no lo puedo mirar. Te contesta una persona del equipo.',
        note: 'Pregunta por el pedido {{flujo.pedido|sin número}}.',
      },
    ],
    edges: [
      ['start', 'next', 'number'],
      ['number', 'next', 'look'],
      ['number', 'invalid', 'team'],
      ['number', 'timeout', 'team'],
      ['look', 'next', 'found'],
      ['look', 'refused', 'unknown'],
      ['unknown', 'next', 'again'],
      ['look', 'error', 'team'],
    ],
  },
  optOut: {
    name: 'Novedades sí o no',
    triggers: [
      { id: 'words', kind: 'keyword', match: 'contains', words: ['no quiero recibir', 'dejen de', 'promociones'] },
    ],
    nodes: [
      {
        id: 'ask',
        type: 'buttons',
        text: '¿Querés seguir recibiendo nuestras novedades?',
        options: [
          { id: 'keep', title: 'Sí, seguir' },
          // A tapped opt-out word counts like a written one.
          { id: 'stop', title: 'BAJA' },
        ],
        timeoutMs: 3_600_000,
        ends: ['timeout'],
      },
      { id: 'kept', type: 'message', text: 'Perfecto, seguís en la lista.', ends: ['next'] },
      { id: 'stopped', type: 'handoff', note: 'No quiere recibir más novedades.' },
      {
        id: 'other',
        type: 'handoff',
        message: 'Te contesta una persona del equipo.',
        note: 'Escribió: {{ultimo_mensaje}}',
      },
    ],
    edges: [
      ['start', 'next', 'ask'],
      ['ask', 'keep', 'kept'],
      ['ask', 'stop', 'stopped'],
      ['ask', 'other', 'other'],
    ],
  },
}
