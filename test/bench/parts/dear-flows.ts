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
  triggers: [],
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

/** Fifty texts of one number, each of which all patterns are looked for in. */
export const dearWebhook = ({ wabaId, phoneNumberId }: { readonly wabaId: string; readonly phoneNumberId: string }) =>
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
              contacts: [{ profile: { name: 'Cara' }, wa_id: '5491144440000' }],
              messages: Array.from({ length: 50 }, (_, i) => ({
                ...{ from: '5491144440000', id: `wamid.dear${i}`, timestamp: String(Math.floor(Date.now() / 1000)) },
                ...{ type: 'text', text: { body: `${'aab'.repeat(300)}${'b'.repeat(i)}` } },
              })),
            },
          },
        ],
      },
    ],
  })
