import type { FlowGraph } from '#shared/flow-graph.ts'
import type { FlowTrigger } from '#shared/flow-triggers.ts'

/** A flow of the sample organization: what to bake, how much, and then a person. */
export const orderFlow: { name: string; triggers: FlowTrigger[]; graph: FlowGraph } = {
  name: 'Tomar un pedido',
  triggers: [{ id: 'order', kind: 'keyword', match: 'contains', words: ['hacer un pedido', 'quiero encargar pan'] }],
  graph: {
    nodes: [
      { id: 'start', type: 'start', x: 0, y: 120 },
      {
        id: 'what',
        type: 'buttons',
        x: 280,
        y: 120,
        text: '¡Hola, {{contacto.nombre}}! ¿Qué te preparamos?',
        options: [
          { id: 'bread', title: 'Pan' },
          { id: 'pastries', title: 'Facturas' },
          { id: 'person', title: 'Hablar con alguien' },
        ],
        variable: 'producto',
        timeoutMinutes: 0,
      },
      {
        id: 'amount',
        type: 'question',
        x: 600,
        y: 0,
        text: '¿Cuánto, y para cuándo?',
        answer: 'text',
        variable: 'cantidad',
        attempts: 3,
        timeoutMinutes: 1440,
      },
      {
        id: 'taken',
        type: 'handoff',
        x: 920,
        y: 0,
        text: '¡Anotado! En un rato te lo confirma una persona del equipo.',
        note: '{{flujo.producto}}: {{flujo.cantidad}}',
      },
      {
        id: 'person',
        type: 'handoff',
        x: 600,
        y: 260,
        text: 'Ya te atiende una persona del equipo.',
        note: 'No terminó el pedido con el bot.',
      },
    ],
    edges: [
      { id: 'begin', from: 'start', output: 'next', to: 'what' },
      { id: 'of-bread', from: 'what', output: 'bread', to: 'amount' },
      { id: 'of-pastries', from: 'what', output: 'pastries', to: 'amount' },
      { id: 'to-person', from: 'what', output: 'person', to: 'person' },
      { id: 'else', from: 'what', output: 'other', to: 'person' },
      { id: 'told', from: 'amount', output: 'next', to: 'taken' },
      { id: 'unclear', from: 'amount', output: 'invalid', to: 'person' },
      { id: 'silent', from: 'amount', output: 'timeout', to: 'person' },
    ],
  },
}
