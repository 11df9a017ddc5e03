/** The most expensive flows that can be saved and published, and some that are refused. */

const bare = { nodes: [{ id: 's', type: 'start', data: { ends: ['next'] } }], edges: [] }
const ends = { ends: ['next', 'invalid'] }
const formula = Array.from({ length: 30 }, () => '{{flujo.a}}=1')
  .join(' o ')
  .slice(0, 480)
  .replace(/ o [^o]*$/, '')

/** Two triggers of fifty patterns each, against which the pattern engine cannot cache states. */
export const patternFlow = {
  name: 'Patrones',
  graph: bare,
  triggers: [0, 1].map(k => ({
    ...{ id: `p${k}`, kind: 'keyword', match: 'pattern' },
    words: Array.from({ length: 50 }, (_, i) => `(a|b)*a(a|b){80}[cd]${k * 50 + i}`),
  })),
}

/** Asks for a text, and uses it in a formula in each of its steps. */
export const formulaFlow = {
  name: 'Cuentas',
  triggers: [{ id: 'd', kind: 'default' }],
  graph: {
    nodes: [
      ...bare.nodes.map(node => ({ ...node, data: {} })),
      { id: 'q', type: 'question', data: { text: '¿?', variable: 'a', ...ends } },
      ...Array.from({ length: 45 }, (_, i) => ({
        ...{ id: `n${i}`, type: 'set' },
        data: { variable: 'b', value: formula, formula: true },
      })),
    ],
    edges: ['s', 'q', ...Array.from({ length: 44 }, (_, i) => `n${i}`), 'n44'].map((source, i, all) => ({
      source,
      target: i < all.length - 1 ? (all[i + 1] as string) : 'q',
    })),
  },
}

/** The customer's messages for it. */
export const dearInputs = Array.from({ length: 15 }, (_, i) => ({ kind: 'text', text: `${'İ'.repeat(4000)}${i}` }))

/** Bodies of saves that are refused. */
export const refusedSaves: Readonly<Record<string, object>> = {
  '9,800 empty steps': { revision: 1, graph: { nodes: Array.from({ length: 9800 }, () => ({})), edges: [] } },
  '3,900 bad triggers': { revision: 1, triggers: Array.from({ length: 3900 }, () => ({ kind: 'x' })) },
}

/** Asks for an answer that matches the largest pattern that can be published. */
export const patternQuestionFlow = {
  name: 'Código',
  triggers: [{ id: 'd', kind: 'default' }],
  graph: {
    nodes: [
      ...bare.nodes.map(node => ({ ...node, data: {} })),
      {
        ...{ id: 'q', type: 'question' },
        data: { text: '¿?', expects: 'pattern', pattern: '(a|b)*a(a|b){80}[cd]', variable: 'a', attempts: 5, ...ends },
      },
    ],
    edges: [{ source: 's', target: 'q' }],
  },
}

const unknown = Array.from({ length: 250 }, (_, i) => `{{flujo.x${i}}}`).join(' ')

/** The drafts whose check takes longest. */
export const wrongFlows: Readonly<Record<string, object>> = {
  '81,000 problems': {
    ...{ name: 'Problemas', triggers: [] },
    graph: {
      nodes: [
        ...bare.nodes,
        ...Array.from({ length: 240 }, (_, i) => ({
          id: `q${i}`,
          type: 'question',
          data: { text: unknown, variable: '' },
        })),
      ],
      edges: [],
    },
  },
  '498 pattern questions': {
    ...{ name: 'Preguntas', triggers: [] },
    graph: {
      nodes: [
        ...bare.nodes,
        ...Array.from({ length: 498 }, (_, i) => ({
          ...{ id: `q${i}`, type: 'question' },
          data: { text: '¿?', variable: 'a', expects: 'pattern', pattern: `(a|b)*a(a|b){80}[cd]${i}` },
        })),
      ],
      edges: [],
    },
  },
}

/** A flow with as many keywords as its triggers can have. */
export const wordyFlow = (n: number) => ({
  name: `Palabras ${n}`,
  triggers: Array.from({ length: 20 }, (_, k) => ({
    ...{ id: `w${k}`, kind: 'keyword', match: 'contains' },
    words: Array.from({ length: 50 }, (_, i) => `${i} ${'x'.repeat(190)}`),
  })),
})

/** A flow with a thousand keywords. An organization can have ten of them. */
export const wordsFlow = (n: number) => ({
  ...{ name: `Mil palabras ${n}`, graph: bare },
  triggers: Array.from({ length: 20 }, (_, k) => ({
    ...{ id: `w${k}`, kind: 'keyword', match: 'contains' },
    words: Array.from({ length: 50 }, (_, i) => `x${n}y${k}z${i}`),
  })),
})

/** Files of contacts or numbers that consist mostly of one cell. */
export const dearFiles = {
  /** A cell of 330,000 labels. */
  labels: `tel;tags\n1155550101;"${'etiq,'.repeat(330_000)}"`,
  /** 7.9 MB. */
  quotes: `tel\n${'a""'.repeat(2_640_000)}`,
} as const

interface Number {
  readonly wabaId: string
  readonly phoneNumberId: string
}

/** A webhook with current texts, one of each of these customers. */
export const textsWebhook = (
  { wabaId, phoneNumberId }: Number,
  texts: readonly { readonly from: string; readonly body: string }[],
  mark: string,
) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: wabaId,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '5491155550000', phone_number_id: phoneNumberId },
              messages: texts.map(({ from, body }, i) => ({
                ...{ from, id: `wamid.${mark}${i}`, timestamp: String(Math.floor(Date.now() / 1000)) },
                ...{ type: 'text', text: { body } },
              })),
            },
          },
        ],
      },
    ],
  })

/** Fifty texts of one number, in each of which all patterns are searched. */
export const dearTexts = Array.from({ length: 50 }, (_, i) => ({
  ...{ from: '5491144440000', body: `${'aab'.repeat(300)}${'b'.repeat(i)}` },
}))
/** Twenty customers who begin a flow and answer with the text that takes longest to fold. */
export const dearAnswers = [0, 1].flatMap(turn =>
  Array.from({ length: 20 }, (_, i) => ({
    ...{ from: `54911${70_000_000 + i}`, body: turn ? `${'İ'.repeat(4000)}${i}` : 'hola' },
  })),
)
