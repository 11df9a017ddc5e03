import type { WireGraph, WireTrigger } from '#shared/flows/wire.ts'

interface SampleFlow {
  readonly name: string
  readonly triggers: WireTrigger[]
  readonly graph: WireGraph
}

/** Asks what to bake and how much, then hands over to a person. @param teamId who gets the orders */
export const orderFlow = (teamId: string): SampleFlow => ({
  name: 'Tomar un pedido',
  triggers: [{ id: 'order', kind: 'keyword', match: 'contains', words: ['hacer un pedido', 'quiero encargar pan'] }],
  graph: {
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 120 }, data: {} },
      {
        id: 'what',
        type: 'buttons',
        position: { x: 360, y: 120 },
        data: {
          text: '¡Hola, {{contacto.nombre}}! ¿Qué te preparamos?',
          options: [
            { id: 'bread', title: 'Pan' },
            { id: 'pastries', title: 'Facturas' },
            { id: 'person', title: 'Hablar con alguien' },
          ],
          variable: 'producto',
        },
      },
      {
        id: 'amount',
        type: 'question',
        position: { x: 720, y: 0 },
        data: { text: '¿Cuánto, y para cuándo?', variable: 'cantidad', timeoutMs: 24 * 3_600_000 },
      },
      {
        id: 'taken',
        type: 'handoff',
        position: { x: 1080, y: 0 },
        data: {
          message: '¡Anotado! En un rato te lo confirma una persona del equipo.',
          note: '{{flujo.producto}}: {{flujo.cantidad}}',
          teamId,
        },
      },
      {
        id: 'person',
        type: 'handoff',
        position: { x: 720, y: 260 },
        data: { message: 'Ya te atiende una persona del equipo.', note: 'No terminó el pedido con el bot.', teamId },
      },
    ],
    edges: [
      { id: 'begin', source: 'start', target: 'what' },
      { id: 'of-bread', source: 'what', sourceHandle: 'bread', target: 'amount' },
      { id: 'of-pastries', source: 'what', sourceHandle: 'pastries', target: 'amount' },
      { id: 'to-person', source: 'what', sourceHandle: 'person', target: 'person' },
      { id: 'else', source: 'what', sourceHandle: 'other', target: 'person' },
      { id: 'told', source: 'amount', sourceHandle: 'next', target: 'taken' },
      { id: 'unclear', source: 'amount', sourceHandle: 'invalid', target: 'person' },
      { id: 'silent', source: 'amount', sourceHandle: 'timeout', target: 'person' },
    ],
  },
})

/** Answers without a person, also at night. */
export const hoursFlow: SampleFlow = {
  name: 'Horarios',
  triggers: [{ id: 'hours', kind: 'keyword', match: 'contains', words: ['horario'] }],
  graph: {
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 120 }, data: {} },
      { id: 'open', type: 'condition', position: { x: 360, y: 120 }, data: { all: [{ hours: 'inside' }] } },
      {
        id: 'now',
        type: 'message',
        position: { x: 720, y: 0 },
        data: { text: '¡Hola! Ahora está abierto. Abrimos de lunes a sábado de 7 a 20, y los domingos de 8 a 13.' },
      },
      {
        id: 'later',
        type: 'message',
        position: { x: 720, y: 260 },
        data: { text: '¡Hola! Ya cerramos. Abrimos de lunes a sábado de 7 a 20, y los domingos de 8 a 13.' },
      },
      { id: 'end', type: 'end', position: { x: 1080, y: 120 }, data: {} },
    ],
    edges: [
      { id: 'begin', source: 'start', target: 'open' },
      { id: 'yes', source: 'open', sourceHandle: 'yes', target: 'now' },
      { id: 'no', source: 'open', sourceHandle: 'no', target: 'later' },
      { id: 'told-now', source: 'now', sourceHandle: 'next', target: 'end' },
      { id: 'told-later', source: 'later', sourceHandle: 'next', target: 'end' },
    ],
  },
}

/** A flow that was begun and not published. */
export const surveyFlow: SampleFlow = {
  name: 'Encuesta después del pedido',
  triggers: [],
  graph: {
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 120 }, data: {} },
      {
        id: 'how',
        type: 'buttons',
        position: { x: 360, y: 120 },
        data: {
          text: '¿Cómo estuvo tu pedido, {{contacto.nombre}}?',
          options: [
            { id: 'good', title: 'Muy bien' },
            { id: 'fair', title: 'Más o menos' },
            { id: 'bad', title: 'Mal' },
          ],
          variable: 'nota',
        },
      },
      {
        id: 'thanks',
        type: 'message',
        position: { x: 720, y: 0 },
        data: { text: '¡Qué bueno! Gracias por contarnos.' },
      },
    ],
    edges: [
      { id: 'begin', source: 'start', target: 'how' },
      { id: 'well', source: 'how', sourceHandle: 'good', target: 'thanks' },
    ],
  },
}
