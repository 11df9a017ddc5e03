/** Flows that cost the most that may be saved and published, and what is refused of them. */

const bare = { nodes: [{ id: 's', type: 'start', data: { ends: ['next'] } }], edges: [] }
const ends = { ends: ['next', 'invalid'] }
const formula = Array.from({ length: 30 }, () => '{{flujo.a}}=1')
  .join(' o ')
  .slice(0, 480)
  .replace(/ o [^o]*$/, '')

/** Two triggers of fifty patterns each, which keep the engine that matches them from keeping anything. */
export const patternFlow = {
  name: 'Patrones',
  graph: bare,
  triggers: [0, 1].map(k => ({
    ...{ id: `p${k}`, kind: 'keyword', match: 'pattern' },
    words: Array.from({ length: 50 }, (_, i) => `(a|b)*a(a|b){80}[cd]${k * 50 + i}`),
  })),
}

/** Asks for a text, and reckons with it in each of its steps. */
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

/** What is said to it. */
export const dearInputs = Array.from({ length: 15 }, (_, i) => ({ kind: 'text', text: `${'İ'.repeat(4000)}${i}` }))

/** Bodies of a save that are refused. */
export const refusedSaves: Readonly<Record<string, object>> = {
  '9,800 empty steps': { revision: 1, graph: { nodes: Array.from({ length: 9800 }, () => ({})), edges: [] } },
  '3,900 bad triggers': { revision: 1, triggers: Array.from({ length: 3900 }, () => ({ kind: 'x' })) },
}

/** Asks for what fits the largest pattern that may be published. */
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

/** Drafts that take longest to be found wrong. */
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

/** As much as a flow may have in its triggers. */
export const wordyFlow = (n: number) => ({
  name: `Palabras ${n}`,
  triggers: Array.from({ length: 20 }, (_, k) => ({
    ...{ id: `w${k}`, kind: 'keyword', match: 'contains' },
    words: Array.from({ length: 50 }, (_, i) => `${i} ${'x'.repeat(190)}`),
  })),
})

/** A thousand words; an organization may have ten such flows. */
export const wordsFlow = (n: number) => ({
  ...{ name: `Mil palabras ${n}`, graph: bare },
  triggers: Array.from({ length: 20 }, (_, k) => ({
    ...{ id: `w${k}`, kind: 'keyword', match: 'contains' },
    words: Array.from({ length: 50 }, (_, i) => `x${n}y${k}z${i}`),
  })),
})

/** Files of contacts and of numbers that are mostly one cell. */
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

/** A webhook of texts that came just now, one of each of these customers after another. */
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

/** Fifty texts of one number, each of which all patterns are looked for in. */
export const dearTexts = Array.from({ length: 50 }, (_, i) => ({
  ...{ from: '5491144440000', body: `${'aab'.repeat(300)}${'b'.repeat(i)}` },
}))
/** Twenty customers who begin a flow, and answer it with a text that takes longest to be folded. */
export const dearAnswers = [0, 1].flatMap(turn =>
  Array.from({ length: 20 }, (_, i) => ({
    ...{ from: `54911${70_000_000 + i}`, body: turn ? `${'İ'.repeat(4000)}${i}` : 'hola' },
  })),
)
