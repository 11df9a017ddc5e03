import { type Child, metered, startChild } from './parts/child.ts'
import { cores, takeLoadCore } from './parts/cores.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { type Difference, tryBoth } from './parts/known-or-not.ts'
import { bound, fact, figure, type Line, option, ratio, report } from './parts/report.ts'
import { interleave, median, percentile, ratioOf, spreadOf } from './parts/samples.ts'
import { loadTool, saturate } from './parts/saturation.ts'
import { giveKeys, givePasswords, usernameOf } from './parts/ways-in.ts'

export const name = 'auth'
export const title = 'What it costs to know who is asking, and whether its time tells who is here'

const connections = 16
const people = 150
const members = 5000
const each = 20

const cookieHeaders = (place: Installation) => place.cookies.map(cookie => ({ cookie }))
const keyHeaders = (keys: readonly string[]) => keys.map(key => ({ 'x-api-key': key }))

/** Processor time of one request's authentication, in milliseconds at p50: by cookie and by key, in turn. */
async function authenticating(place: Installation, keys: readonly string[], rounds: number): Promise<Line[]> {
  const subject = await startChild('test/bench/subjects/auth.ts', { env: place.env })
  try {
    const ask = (headers: object) => () => subject.ask<number[]>('authenticate', { headers, batches: 200, each })
    const contestants = { cookie: ask(cookieHeaders(place)), key: ask(keyHeaders(keys)) }
    // The first use of a session is stored once an hour, that of a key once a minute.
    for (const warmUp of Object.values(contestants)) await warmUp()
    const results = await interleave(rounds, contestants)
    const p50 = (micros: number[][]) => percentile(micros.flat(), 0.5) / 1000
    return [
      bound('authenticating a request by cookie, processor time, p50', p50(results.cookie), 'ms', 0.3),
      bound('the same by key', p50(results.key), 'ms', 0.3),
    ]
  } finally {
    await subject.stop()
  }
}

/** The same call by session and by key. */
async function calling(place: Installation, keys: readonly string[], rounds: number, seconds: number): Promise<Line[]> {
  const server = await startChild('server/main.ts', { env: place.env })
  try {
    const url = `${server.url}/api/whatsapp/conversations?pageSize=50`
    const shoot = (headers: readonly Record<string, string>[]) => () =>
      metered(server, () => saturate({ url, headers, connections, seconds }))
    const contestants = { session: shoot(cookieHeaders(place)), key: shoot(keyHeaders(keys)) }
    for (const warmUp of Object.values(contestants)) await warmUp()
    const results = await interleave(rounds, contestants)
    const cpu = (who: keyof typeof contestants) => results[who].map(({ cpuEach }) => cpuEach)
    return [
      figure('a list of 50 by session, processor time', spreadOf(cpu('session')), 'µs'),
      figure('the same by key', spreadOf(cpu('key')), 'µs'),
      ratio('key to session', ratioOf(cpu('key'), cpu('session')), 1.3, false),
    ]
  } finally {
    await server.stop()
  }
}

/** Each attempt comes from another network, because rate limits count by network. */
const addressOf = (try_: number): string => `10.${(try_ >> 16) & 255}.${(try_ >> 8) & 255}.${try_ & 255}`

const post = async (server: Child, path: string, from: string, body: object, status: number): Promise<number> => {
  const begin = performance.now()
  const reply = await fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://localhost', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  const ms = performance.now() - begin
  if (reply.status !== status) throw new Error(`${path} answered ${reply.status} instead of ${status}: ${text}`)
  return ms
}

const linesOf = (what: string, { known, unknown, apart, noise }: Difference, tries: number): Line[] => [
  figure(`${what}: known person, median of ${tries}`, spreadOf([known]), 'ms'),
  figure(`${what}: unknown person`, spreadOf([unknown]), 'ms'),
  fact(
    `${what}: how far apart · what chance makes of it`,
    `${(apart * 1000).toFixed(0)} · ${(noise * 1000).toFixed(0)} µs`,
    apart <= noise,
  ),
]

/** Wrong passwords and wrong codes, for existing people and for unknown names. */
async function guessing(place: Installation, tries: number): Promise<Line[]> {
  await givePasswords(place, 'abedul de río 47')
  const server = await startChild('server/main.ts', { env: { ...place.env, TRUST_PROXY: '127.0.0.1' } })
  let tried = 0
  const next = () => {
    tried += 1
    return addressOf(tried)
  }
  const password = (username: string) =>
    post(server, '/sign-in/username', next(), { username, password: 'no es esta, seguro' }, 401)
  const code = async (email: string) => {
    const from = next()
    await post(server, '/email-otp/send-verification-otp', from, { email, type: 'sign-in' }, 200)
    return post(server, '/sign-in/email-otp', from, { email, otp: '000000' }, 400)
  }
  try {
    // Warm-up: code is compiled at its first use.
    for (let i = 0; i < 20; i += 1) {
      await password(`antes${i}`)
      await code(`antes${i}@example.com`)
    }
    const passwords = await tryBoth(tries, {
      known: i => password(usernameOf(i)),
      unknown: i => password(`nadie${i}`),
    })
    const codes = await tryBoth(tries, {
      known: i => code(`persona${i}@example.com`),
      unknown: i => code(`nadie${i}@example.com`),
    })
    return [...linesOf('wrong password', passwords, tries), ...linesOf('wrong code', codes, tries)]
  } finally {
    await server.stop()
  }
}

/** The members page of a large organization, one reader after another. */
async function membersPage(place: Installation, pages: number): Promise<Line[]> {
  const server = await startChild('server/main.ts', { env: place.env })
  try {
    const read = async (path: string, i: number) => {
      const begin = performance.now()
      const reply = await fetch(server.url + path, {
        headers: {
          cookie: place.cookies[i % people] as string,
          accept: path.startsWith('/api/') ? '*/*' : 'text/html',
        },
      })
      const bytes = (await reply.arrayBuffer()).byteLength
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`)
      return { ms: performance.now() - begin, bytes }
    }
    const lines: Line[] = []
    for (const [what, path, goal] of [
      ['page', `/org/${place.org.slug}`, 50],
      ['page of 50 by call', '/api/members/members?pageSize=50', 50],
      ['list of 1,000 by call', '/api/members/members', 50],
    ] as const) {
      for (let i = 0; i < 20; i += 1) await read(path, i)
      const times: number[] = []
      let bytes = 0
      for (let i = 0; i < pages; i += 1) {
        const one = await read(path, i)
        times.push(one.ms)
        bytes = one.bytes
      }
      const about = `${what} of an organization with ${members} members, ${Math.round(bytes / 1024)} KB`
      lines.push(
        bound(`${about}, p95`, percentile(times, 0.95), 'ms', goal),
        figure(`${about}, median`, spreadOf([median(times)]), 'ms'),
      )
    }
    return lines
  } finally {
    await server.stop()
  }
}

/** Runs in an installation of its own, which is deleted afterwards. */
const inInstallation = async (
  volume: Parameters<typeof openInstallation>[0],
  work: (place: Installation) => Promise<Line[]>,
): Promise<Line[]> => {
  const place = await openInstallation(volume)
  try {
    return await work(place)
  } finally {
    place.remove()
  }
}

export async function run(args: readonly string[]): Promise<boolean> {
  const [rounds, seconds] = [option(args, 'rounds', 5), option(args, 'seconds', 3)]
  const [tries, pages] = [option(args, 'tries', 1000), option(args, 'pages', 400)]
  const empty = { conversations: 0, messages: 0 }
  takeLoadCore()
  const parts: Readonly<Record<string, () => Promise<Line[]>>> = {
    requests: () =>
      inInstallation({ conversations: 1000, messages: 10_000, people }, async place => {
        const keys = giveKeys(place)
        return [...(await authenticating(place, keys, rounds)), ...(await calling(place, keys, rounds, seconds))]
      }),
    guessing: () => inInstallation({ ...empty, people: tries }, place => guessing(place, tries)),
    members: () => inInstallation({ ...empty, people: members }, place => membersPage(place, pages)),
  }
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined
  const lines: Line[] = []
  for (const [part, measure] of Object.entries(parts))
    if (only === undefined || only === part) lines.push(...(await measure()))
  return report(args, lines, [
    `${rounds} rounds of 200 batches of ${each} requests; ${rounds} rounds of ${seconds} s, ${loadTool} over ${connections} connections, ${people} people or keys in turn`,
    `${tries} tries of each, one after the other, in turn, each for another name from another network; chance: 99 of 100 random partings lie closer`,
    `${pages} pages, one after the other; ${cores}`,
  ])
}
