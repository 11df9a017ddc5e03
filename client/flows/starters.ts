import type { FlowGraph, FlowNode } from '#shared/flow-graph.ts'
import type { FlowTrigger } from '#shared/flow-triggers.ts'
import type { Language } from '#shared/language.ts'
import type { FlowDraft } from './draft.ts'
import { tidyPlaces } from './layout.ts'
import { movePlaces } from './operations.ts'

export const starterKeys = ['welcome', 'hours', 'lead', 'satisfaction'] as const
export type StarterKey = (typeof starterKeys)[number]

type Bare<T = FlowNode> = T extends FlowNode ? Omit<T, 'x' | 'y'> : never
interface Plan {
  readonly name: string
  readonly triggers: readonly FlowTrigger[]
  readonly nodes: readonly Bare[]
  /** `from output to`, by id. */
  readonly edges: readonly (readonly [from: string, output: string, to: string])[]
}

const graphOf = ({ nodes, edges }: Plan): FlowGraph => {
  const graph: FlowGraph = {
    nodes: [{ id: 'start', type: 'start', x: 0, y: 0 }, ...nodes.map(node => ({ ...node, x: 0, y: 0 }) as FlowNode)],
    edges: edges.map(([from, output, to]) => ({ id: `${from}-${output}`, from, output, to })),
  }
  return movePlaces(graph, tidyPlaces(graph))
}

const spanish: Readonly<Record<StarterKey, Plan>> = {
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
        timeoutMinutes: 0,
      },
      { id: 'hours', type: 'message', text: 'Atendemos de lunes a viernes de 9 a 18.' },
      { id: 'prices', type: 'message', text: 'Contanos qué buscás y te pasamos el precio.' },
      {
        id: 'person',
        type: 'handoff',
        text: 'Ya te atiende una persona del equipo.',
        note: 'Pidió hablar con alguien.',
      },
      { id: 'team', type: 'handoff', note: 'Preguntó por precios.' },
      {
        id: 'other',
        type: 'handoff',
        text: 'Te paso con una persona del equipo.',
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
        answer: 'text',
        variable: 'consulta',
        attempts: 3,
        timeoutMinutes: 60,
      },
      {
        id: 'thanks',
        type: 'handoff',
        text: 'Anotado. Te escribimos apenas abramos.',
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
        answer: 'text',
        variable: 'interes',
        attempts: 3,
        timeoutMinutes: 1440,
      },
      {
        id: 'email',
        type: 'question',
        text: '¿A qué correo te mandamos el presupuesto?',
        answer: 'email',
        variable: 'correo',
        retryText: 'Ese correo no parece completo. ¿Lo escribís otra vez?',
        attempts: 3,
        timeoutMinutes: 1440,
      },
      {
        id: 'team',
        type: 'handoff',
        text: '¡Gracias! Ya te contesta una persona del equipo.',
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
        timeoutMinutes: 1440,
        ends: ['timeout'],
      },
      { id: 'thanks', type: 'message', text: '¡Gracias! Nos alegra mucho.', ends: ['next'] },
      {
        id: 'why',
        type: 'question',
        text: 'Lamentamos que no haya salido bien. ¿Qué podemos mejorar?',
        answer: 'text',
        variable: 'mejora',
        attempts: 2,
        timeoutMinutes: 1440,
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
}

/** What a plan says in the other language; its steps and ways are the same. */
interface Words {
  readonly name: string
  readonly words?: readonly string[]
  readonly nodes: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly options?: Readonly<Record<string, string>>
}
const english: Readonly<Record<StarterKey, Words>> = {
  welcome: {
    name: 'Welcome menu',
    words: ['hi', 'hello', 'menu'],
    options: { hours: 'Opening hours', prices: 'Prices', person: 'Talk to somebody' },
    nodes: {
      menu: { text: 'Hi! I am the assistant of {{org.nombre}}. How can I help you?' },
      hours: { text: 'We are here Monday to Friday, 9 to 18.' },
      prices: { text: 'Tell us what you are looking for and we send you the price.' },
      person: { text: 'Somebody of the team is with you in a moment.', note: 'Asked to talk to somebody.' },
      team: { note: 'Asked for prices.' },
      other: { text: 'I pass you on to somebody of the team.', note: 'Wrote: {{ultimo_mensaje}}' },
    },
  },
  hours: {
    name: 'Out of hours',
    nodes: {
      closed: { text: 'Thank you for writing! We are closed now.' },
      reason: { text: 'What do you need? Then we answer as soon as we open.', variable: 'request' },
      thanks: { text: 'Noted. We write to you as soon as we open.', note: 'Out of hours: {{flujo.request}}' },
      nothing: { note: 'Wrote out of hours and did not say what for.' },
    },
  },
  lead: {
    name: 'Enquiry with questions',
    words: ['quote', 'estimate', 'want to buy'],
    nodes: {
      hello: { text: 'Great! Two questions, and then somebody of the team goes on.' },
      what: { text: 'Which product or service are you interested in?', variable: 'interest' },
      email: {
        text: 'To which e-mail address do we send the quote?',
        variable: 'email',
        retryText: 'That address does not look complete. Could you write it again?',
      },
      team: {
        text: 'Thank you! Somebody of the team answers you soon.',
        note: 'Looks for: {{flujo.interest|not said}}. E-mail: {{flujo.email|not said}}.',
      },
    },
  },
  satisfaction: {
    name: 'Satisfaction question',
    options: { good: 'Very well', soso: 'So-so', bad: 'Badly' },
    nodes: {
      ask: { text: 'How did we do?', variable: 'service' },
      thanks: { text: 'Thank you! We are glad.' },
      why: { text: 'We are sorry that it did not go well. What can we do better?', variable: 'better' },
      team: { note: 'Service: {{flujo.service|not said}}. Says: {{flujo.better|nothing}}' },
    },
  },
}

const inEnglish = (plan: Plan, { name, words, nodes, options }: Words): Plan => ({
  ...plan,
  name,
  triggers: plan.triggers.map(one => (one.kind === 'keyword' && words ? { ...one, words: [...words] } : one)),
  nodes: plan.nodes.map(node => ({
    ...node,
    ...nodes[node.id],
    ...(node.type === 'buttons'
      ? { options: node.options.map(option => ({ ...option, title: options?.[option.id] ?? option.title })) }
      : {}),
  })),
})

/** A flow that works as it is: nothing in it is wrong, and each way ends with the customer answered or a person called. */
export const starterOf = (key: StarterKey, language: Language): FlowDraft => {
  const plan = language === 'en' ? inEnglish(spanish[key], english[key]) : spanish[key]
  return { name: plan.name, graph: graphOf(plan), triggers: plan.triggers }
}
