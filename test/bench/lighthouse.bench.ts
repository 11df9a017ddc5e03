import { startChild } from './parts/child.ts'
import { callAs } from './parts/flow-sessions.ts'
import { openInstallation } from './parts/installation.ts'
import { type Finding, inspect } from './parts/lighthouse.ts'
import { bound, figure, type Line, option, report } from './parts/report.ts'
import { interleave, median, spreadOf } from './parts/samples.ts'

export const name = 'lighthouse'
export const title =
  'Lighthouse on its mobile profile: sign-in, and signed in the inbox, a chat of 50 messages, statistics, a flow'

/** Asks for an order, then for an address. */
const orderFlow = {
  name: 'Pedido',
  triggers: [{ id: 't', kind: 'keyword', match: 'contains', words: ['pedido'] }],
  graph: {
    nodes: [
      { id: 's', type: 'start' },
      { id: 'q', type: 'question', data: { text: '¿Cuánto, y para cuándo?', variable: 'pedido', ends: ['next'] } },
      { id: 'h', type: 'question', data: { text: '¿A qué dirección?', variable: 'direccion', ends: ['next'] } },
    ],
    edges: [
      { source: 's', target: 'q' },
      { source: 'q', target: 'h' },
    ],
  },
}

const linesOf = (page: string, found: readonly Finding[]): Line[] => {
  const all = (pick: keyof Finding) => found.map(finding => finding[pick])
  return [
    bound(`${page}: score, median`, median(all('score')), '', 95, true),
    bound(`${page}: total blocking time, median`, median(all('blocked')), 'ms', 150),
    figure(`${page}: largest paint`, spreadOf(all('largestPaint')), 'ms'),
    bound(`${page}: layout shift, worst`, Math.max(...all('shift')), '', 0.02),
  ]
}

export async function run(args: readonly string[]): Promise<boolean> {
  const rounds = option(args, 'rounds', 5)
  const place = await openInstallation({ conversations: 500, messages: 50_000 })
  const server = await startChild('server/main.ts', { env: place.env })
  const [cookie] = place.cookies as [string]
  const org = `${server.url}/org/${place.org.slug}`
  try {
    const flow = await callAs<{ id: string }>(server, place, '/whatsapp/flows', orderFlow)
    // A signed-in person has visited another page before, which sent the time zone.
    const zone = `tz=${new Intl.DateTimeFormat().resolvedOptions().timeZone}`
    const visit = (url: string) => () => inspect(url, [cookie, zone])
    const found = await interleave(rounds, {
      'sign-in': () => inspect(`${server.url}/login`, []),
      inbox: visit(`${org}/c`),
      chat: visit(`${org}/c/${place.longChat}`),
      statistics: visit(`${org}/stats`),
      'flow editor': visit(`${org}/flow/${flow.id}`),
    })
    return report(
      args,
      Object.entries(found).flatMap(([page, findings]) => linesOf(page, findings)),
      [
        // On one core shared with Lighthouse, the page's thread would be idle half of the time, unlike on a phone.
        `the browser on all cores; ${rounds} first visits each, processor 4 × slower and line as Lighthouse simulates them`,
      ],
    )
  } finally {
    await server.stop()
    place.remove()
  }
}
