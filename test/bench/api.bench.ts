import Sqlite from 'better-sqlite3'
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
/** A person's limit is 3,000 calls a minute, so the load comes from many people. */
const people = 150
/** Writes a second by others while the list is called. Each write invalidates cached answers. */
const [busy, flooded] = [20, 500]

/** Runs a round while another connection commits `perSecond` times a second. */
const whileWriting = async <T>(databasePath: string, perSecond: number, round: () => Promise<T>): Promise<T> => {
  const db = new Sqlite(databasePath)
  // Its fsyncs must not count.
  db.pragma('synchronous = OFF')
  const touch = db.prepare('update organization set name = name')
  const begin = performance.now()
  let made = 0
  const timer = setInterval(() => {
    for (const due = ((performance.now() - begin) * perSecond) / 1000; made < due; made += 1) touch.run()
  }, 2)
  try {
    return await round()
  } finally {
    clearInterval(timer)
    db.close()
  }
}

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
    const writing = (perSecond: number) => () => whileWriting(place.databasePath, perSecond, shoot('subject'))
    const contestants = {
      subject: shoot('subject'),
      bare: shoot('bare'),
      guide: shoot('guide'),
      busy: writing(busy),
      flooded: writing(flooded),
    }
    for (const warmUp of Object.values(contestants)) await warmUp()
    const results = await interleave(rounds, contestants)
    const rates = (who: keyof typeof contestants) => results[who].map(result => result.perSecond)
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
        figure(`recado while others commit ${busy} times a second`, spreadOf(rates('busy')), '/s'),
        figure(`recado while others commit ${flooded} times a second`, spreadOf(rates('flooded')), '/s'),
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
