import { metered, startChild } from './parts/child.ts'
import { cores, takeLoadCore } from './parts/cores.ts'
import { openInstallation } from './parts/installation.ts'
import { fact, figure, option, ratio, report } from './parts/report.ts'
import { interleave, ratioOf, spreadOf } from './parts/samples.ts'
import { loadTool, saturate } from './parts/saturation.ts'

export const name = 'api'
export const title = 'Signed-in list of conversations, 50 rows out of 10,000'

const path = '/api/whatsapp/conversations?pageSize=50'
const connections = 16
/** One person may ask 3,000 times a minute, so many do. */
const people = 150

export async function run(args: readonly string[]): Promise<boolean> {
  const [rounds, seconds] = [option(args, 'rounds', 5), option(args, 'seconds', 3)]
  const place = await openInstallation({ conversations: 10_000, messages: 100_000, people })
  takeLoadCore()
  const peer = (way: 'bare' | 'guide') =>
    startChild('test/bench/peers/api.ts', { args: [way, place.databasePath, place.org.id, place.secret] })
  const children = {
    subject: await startChild('server/main.ts', { env: place.env }),
    bare: await peer('bare'),
    guide: await peer('guide'),
  }
  const names = ['subject', 'bare', 'guide'] as const
  try {
    const headers = place.cookies.map(cookie => ({ cookie }))
    const bodies = await Promise.all(
      names.map(async who => {
        const response = await fetch(children[who].url + path, { headers: headers[0] })
        return { status: response.status, text: await response.text() }
      }),
    )
    const [subject] = bodies
    const isSame = bodies.every(body => body.status === 200 && body.text === subject?.text)
    const shoot = (who: (typeof names)[number]) => () =>
      metered(children[who], () => saturate({ url: children[who].url + path, headers, connections, seconds }))
    const contestants = { subject: shoot('subject'), bare: shoot('bare'), guide: shoot('guide') }
    for (const warmUp of Object.values(contestants)) await warmUp()
    const results = await interleave(rounds, contestants)
    const rates = (who: (typeof names)[number]) => results[who].map(result => result.perSecond)
    const cpu = (who: (typeof names)[number]) => results[who].map(result => result.cpuEach)
    const bodyBytes = Buffer.byteLength(subject?.text ?? '')
    const isWhole = names.every(who =>
      results[who].every(({ bytesEach }) => bytesEach > bodyBytes && bytesEach < bodyBytes + 1500),
    )
    return report(
      args,
      [
        figure('recado, signed in', spreadOf(rates('subject')), '/s'),
        figure('bare Fastify + better-sqlite3, no sign-in', spreadOf(rates('bare')), '/s'),
        figure('better-auth getSession + Kysely', spreadOf(rates('guide')), '/s'),
        ratio('to bare', ratioOf(rates('subject'), rates('bare')), 0.65),
        ratio('to better-auth + Kysely', ratioOf(rates('subject'), rates('guide')), 4),
        figure('processor time: recado', spreadOf(cpu('subject')), 'µs'),
        figure('processor time: bare', spreadOf(cpu('bare')), 'µs'),
        figure('processor time: better-auth + Kysely', spreadOf(cpu('guide')), 'µs'),
        fact('same bytes from all three', `${bodyBytes} bytes`, isSame),
        fact(
          'every answer whole and 200',
          `${names.map(who => results[who].reduce((sum, each) => sum + each.requests, 0)).join(' + ')} answers`,
          isWhole,
        ),
      ],
      [
        `${rounds} rounds of ${seconds} s, ${loadTool} over ${connections} connections, ${people} people in turn; ${cores}`,
      ],
    )
  } finally {
    await Promise.all(names.map(who => children[who].stop()))
    place.remove()
  }
}
