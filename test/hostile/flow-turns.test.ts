/**
 * Organizations side by side: the most expensive keywords, and services that never answer, leave the flows of another
 * organization as quick as before.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { keywordLimits } from '#shared/flows/triggers/keyword-limits.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { type Drawn, graphOf, onHello } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { signatureOf, textWebhook } from '#test/helpers/webhooks.ts'

t.setTimeout(fileTimeoutMs)

/** Flows do not answer old messages. */
const secondsNow = () => String(Math.floor(Date.now() / 1000))
const says = (text: string) => graphOf([{ id: 'm', type: 'message', text }], [['s', 'next', 'm']])

/** Organizations of one installation, each with its own number. */
const officesOf = async (t: Test, names: readonly string[], options: Parameters<typeof startBackend>[1] = {}) => {
  const backend = await startBackend(t, options)
  const officeOf = async (name: string) => {
    const owner = await aMember({ databases: backend.databases, orgName: name, email: `${name}@example.com` })
    const ask = async (method: 'POST' | 'PUT', path: string, payload?: object) => {
      const url = `/api/whatsapp${path}`
      const headers = { cookie: owner.cookie }
      const reply = await backend.inject({ method, url, headers, ...(payload ? { payload } : {}) })
      t.ok(reply.statusCode < 300, `${path} ${reply.statusCode} ${reply.body.slice(0, 500)}`)
      return reply.json()
    }
    await ask('POST', '/connection/sandbox')
    const keys = await connectionKeys(backend.parts, owner.org.id)
    if (!keys) throw new Error('not connected')
    const send = async (payload: Buffer) => {
      const headers = {
        'content-type': 'application/json',
        'x-hub-signature-256': signatureOf(payload, keys.appSecret),
      }
      const reply = await backend.inject({ method: 'POST', url: `/webhooks/whatsapp/${keys.id}`, headers, payload })
      t.equal(reply.statusCode, 200)
    }
    return {
      ...{ keys, send },
      say: (from: string, text: string, wamid: string) =>
        send(
          textWebhook({
            phoneNumberId: keys.phoneNumberId,
            wabaId: keys.wabaId,
            from,
            wamid,
            text,
            timestamp: secondsNow(),
          }),
        ),
      publish: async (flow: { name: string; graph: object; triggers: object[] }) => {
        const { id } = await ask('POST', '/flows', flow)
        await ask('POST', `/flows/${id}/publish`, {})
        return id as string
      },
      /** Milliseconds until the flow has sent this text. */
      untilSaid: async (text: string) => {
        const began = performance.now()
        const isSaid = async () =>
          (await backend.databases.read
            .selectFrom('message')
            .select('seq')
            .where('org_id', '=', owner.org.id)
            .where('direction', '=', 'out')
            .where('text', '=', text)
            .executeTakeFirst()) !== undefined
        while (!(await isSaid())) {
          if (performance.now() - began > 30_000) throw new Error(`${text} is never said`)
          await new Promise(resolve => setTimeout(resolve, 5))
        }
        return performance.now() - began
      },
      sessions: async () =>
        backend.databases.read.selectFrom('flow_session').select('state').where('org_id', '=', owner.org.id).execute(),
    }
  }
  const offices = []
  for (const name of names) offices.push(await officeOf(name))
  return { backend, offices }
}

t.test('the most expensive keywords of one organization do not delay the flow of another', async t => {
  const { backend, offices } = await officesOf(t, ['ruidosa', 'tranquila'])
  const [busy, quiet] = offices as [(typeof offices)[0], (typeof offices)[0]]
  const perTrigger = 50
  const listed = (count: number, of: (i: number) => string) =>
    Array.from({ length: count / perTrigger }, (_, k) =>
      Array.from({ length: perTrigger }, (_, i) => of(k * perTrigger + i)),
    )
  const patterns = listed(keywordLimits.patterns, i => `(a|b)*a(a|b){80}[cd]${i % 10}`)
  await busy.publish({
    name: 'Patrones',
    graph: says('no'),
    triggers: patterns.map((words, i) => ({ id: `p${i}`, kind: 'keyword', match: 'pattern', words })),
  })
  const words = listed(keywordLimits.words, i => `a${i}`)
  for (let n = 0; n * 20 < words.length; n += 1)
    await busy.publish({
      name: `Palabras ${n}`,
      graph: says('no'),
      triggers: words
        .slice(n * 20, n * 20 + 20)
        .map((words, i) => ({ id: `w${i}`, kind: 'keyword', match: 'contains', words })),
    })
  await quiet.publish({ name: 'Saludo', graph: says('Buenas'), triggers: onHello })
  await quiet.say('5491155550001', 'nada', 'wamid.warm')
  await backend.settle()

  const text = 'ab'.repeat(1000)
  const messages = Array.from({ length: 400 }, (_, i) => ({
    ...{ id: `wamid.b${i}`, from: `54911${60_000_000 + (i % 200)}`, timestamp: secondsNow(), type: 'text' },
    text: { body: `${text}${i}` },
  }))
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: busy.keys.phoneNumberId },
    messages,
  }
  const entry = [{ id: busy.keys.wabaId, changes: [{ field: 'messages', value }] }]
  await busy.send(Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry })))
  await quiet.say('5491155550002', 'hola', 'wamid.quiet')
  const before = process.cpuUsage()
  await quiet.untilSaid('Buenas')
  const { user, system } = process.cpuUsage(before)
  t.ok((user + system) / 1000 < 1000, `${(user + system) / 1000} ms of processor until it was answered`)
  await backend.settle()
  t.same(backend.errors(), [])
})

t.test('services that never answer two organizations do not delay the flow of a third', async t => {
  let [asked, givenUp] = [0, 0]
  const server = createServer(request => {
    asked += 1
    request.socket.once('close', () => {
      givenUp += 1
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const silent = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pushFetch: typeof fetch = (url, init) => {
    const { hostname, pathname } = new URL(String(url))
    return hostname === 'rapida.example'
      ? Promise.resolve(Response.json({ pedido: { estado: 'listo' } }))
      : fetch(`${silent}${pathname}`, init)
  }
  const { offices } = await officesOf(t, ['una', 'otra', 'tercera'], { pushFetch })
  const looksUp = (host: string, text: string) => {
    const http = {
      ...{ id: 'h', type: 'http', method: 'GET', url: `https://${host}/pedidos`, timeoutMs: 10_000 },
      ...{ headers: [], send: 'nothing', body: '', form: [], map: [{ variable: 'estado', path: 'pedido.estado' }] },
      ...{ mock: { status: 200, body: '' }, ends: [] },
    } as unknown as Drawn
    return graphOf(
      [http, { id: 'm', type: 'message', text }, { id: 'x', type: 'message', text: 'No pude mirar.' }],
      [
        ['s', 'next', 'h'],
        ['h', 'next', 'm'],
        ['h', 'error', 'x'],
      ],
    )
  }
  const [one, other, third] = offices as [(typeof offices)[0], (typeof offices)[0], (typeof offices)[0]]
  for (const office of [one, other])
    await office.publish({ name: 'Cuelga', graph: looksUp('callada.example', 'nunca'), triggers: onHello })
  await third.publish({ name: 'Mira', graph: looksUp('rapida.example', 'Está {{flujo.estado}}'), triggers: onHello })
  for (const [o, office] of [one, other].entries())
    for (let i = 0; i < 12; i += 1) await office.say(`54911${70_000_000 + o * 1000 + i}`, 'hola', `wamid.h${o}-${i}`)
  while (asked < 2 || (await one.sessions()).length < 12 || (await other.sessions()).length < 12)
    await new Promise(resolve => setTimeout(resolve, 20))

  await third.say('5491155550003', 'hola', 'wamid.third')
  const ms = await third.untilSaid('Está listo')
  t.equal(givenUp, 0, `it waited for no place that another had: ${ms} ms`)
  for (const office of [one, other]) {
    const states = (await office.sessions()).map(({ state }) => state)
    t.ok(states.filter(state => state === 'waitingCall').length >= 8, 'the others are still waiting')
  }
  // The product waits at its end for what it has asked.
  server.closeAllConnections()
  server.close()
})
