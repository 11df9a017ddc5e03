import type { WireGraph, WireTrigger } from '#shared/flows/wire.ts'

/** A flow of the sample organization: asks what to bake and how much, then hands over to a person. */
export const orderFlow: { name: string; triggers: WireTrigger[]; graph: WireGraph } = {
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
        },
      },
      {
        id: 'person',
        type: 'handoff',
        position: { x: 720, y: 260 },
        data: { message: 'Ya te atiende una persona del equipo.', note: 'No terminó el pedido con el bot.' },
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
}
