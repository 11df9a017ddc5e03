/**
 * Two organizations side by side: while one does the most expensive things at the largest size, the other's calls and
 * customers are served. For webhooks, keywords and HTTP steps see `webhook-turns` and `flow-turns`, for files
 * `simulator-files`.
 */
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { defaultRateLimits } from '#server/platform/http/plugins/rate-limit.ts'
import { flowsPerPage } from '#shared/flows/api.ts'
import { fold } from '#shared/kernel/fold.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { cardMessages } from '#test/helpers/card-webhooks.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import {
  dearAnswers,
  dearFiles,
  dearInputs,
  formulaFlow,
  patternQuestionFlow,
  refusedSaves,
  textsWebhook,
  wordyFlow,
  wrongFlows,
} from '#test/helpers/dear-flows.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { signatureOf, textWebhook } from '#test/helpers/webhooks.ts'

t.setTimeout(fileTimeoutMs)

/** Between two looks at whether something is stored. */
const pollMs = 2

/** Processor time of this thread in milliseconds, without other programs and the requesting thread. */
const used = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
const costOf = async (work: () => unknown) => {
  const before = used()
  await work()
  return used() - before
}

/** Sends requests from another thread. `times`: how often, fifty at once. */
const asker = new Worker(
  `const { parentPort } = require('node:worker_threads')
  parentPort.on('message', async ({ url, init, times }) => {
    const once = async () => {
      const reply = await fetch(url, init)
      return { status: reply.status, text: (await reply.text()).slice(0, 2000) }
    }
    const answers = []
    let left = times
    const oneByOne = async () => {
      while (left > 0) {
        left -= 1
        answers.push(await once())
      }
    }
    await Promise.all(Array.from({ length: 50 }, oneByOne))
    parentPort.postMessage(answers)
  })`,
  { eval: true },
)
t.teardown(() => asker.terminate())

interface Asked {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly times?: number
}

const stageOf = async (t: Test) => {
  const limits = { ...defaultRateLimits, reads: 1e9, writes: 1e9, writesOfOrg: 1e9 }
  const backend = await startBackend(t, { limits })
  const origin = `http://127.0.0.1:${(backend.app.server.address() as AddressInfo).port}`
  const ask = (path: string, { times = 1, ...init }: Asked) =>
    new Promise<{ status: number; text: string }[]>((resolve, reject) => {
      asker.once('error', reject)
      asker.once('message', answers => {
        asker.off('error', reject)
        resolve(answers)
      })
      asker.postMessage({ url: origin + path, init, times })
    })
  const officeOf = async (name: string) => {
    const owner = await aMember({ databases: backend.databases, orgName: name, email: `${name}@example.com` })
    const headers = { cookie: owner.cookie, origin: 'http://localhost:3000' }
    await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers })
    const keys = await connectionKeys(backend.parts, owner.org.id)
    if (!keys) throw new Error('not connected')
    const call = async (path: string, body?: object | string, method = body ? 'POST' : 'GET', times = 1) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const more = body ? { body: text, headers: { ...headers, 'content-type': 'application/json' } } : { headers }
      return ask(`/api${path}`, { method, times, ...more })
    }
    return {
      ...{ keys, headers, call },
      made: async (path: string, body: object): Promise<string> => {
        const [{ status, text } = { status: 0, text: '' }] = await call(path, body)
        if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
        return JSON.parse(text.slice(0, text.indexOf(',')).concat('}')).id
      },
      webhook: (body: string) => {
        const signed = { 'x-hub-signature-256': signatureOf(body, keys.appSecret) }
        const headers = { 'content-type': 'application/json', ...signed }
        return ask(`/webhooks/whatsapp/${keys.id}`, { method: 'POST', body, headers })
      },
    }
  }
  const [busy, quiet] = [await officeOf('ruidosa'), await officeOf('tranquila')]

  let messages = 0
  /** A call, and a customer's message until it is stored. */
  const serveQuiet = async () => {
    const list = await backend.inject({ method: 'GET', url: '/api/whatsapp/conversations', headers: quiet.headers })
    if (list.statusCode !== 200) throw new Error(list.body)
    messages += 1
    const { phoneNumberId, wabaId, appSecret, id } = quiet.keys
    const wamid = `wamid.quiet${messages}`
    const payload = textWebhook({ phoneNumberId, wabaId, wamid, from: '5491155550001', text: `${messages}` })
    const signature = signatureOf(payload, appSecret)
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
    await backend.inject({ method: 'POST', url: `/webhooks/whatsapp/${id}`, headers, payload })
    const stored = backend.databases.read.selectFrom('message').select('seq').where('wamid', '=', wamid)
    // Asking without a pause would count as work, the more of it the slower a loaded machine answers.
    while (!(await stored.executeTakeFirst())) await setTimeout(pollMs)
  }

  return {
    ...{ backend, busy, serveQuiet },
    /** During `work`: the longest turn of the event loop, and the longest wait of the quiet organization. */
    async beside<T>(work: () => Promise<T>) {
      let [turn, wait, last, isOver] = [0, 0, used(), false]
      const tick = () => {
        const now = used()
        turn = Math.max(turn, now - last)
        last = now
        if (isOver) clearInterval(ticks)
      }
      const ticks = setInterval(tick, 1)
      const done = work().finally(() => {
        isOver = true
      })
      // Measured at least once, even if the work has ended.
      do wait = Math.max(wait, await costOf(serveQuiet))
      while (!isOver)
      return { result: await done, turn, wait }
    },
  }
}
type Stage = Awaited<ReturnType<typeof stageOf>>
type Statuses = readonly { readonly status: number }[]

interface HeavyCall {
  /** Prepares what is needed, such as a large body. */
  prepare?(stage: Stage): Promise<string>
  work(stage: Stage, prepared: string): Promise<Statuses>
  readonly statuses: readonly number[]
}

const settled = async ({ backend }: Stage, asked: Promise<Statuses>): Promise<Statuses> => {
  const answers = await asked
  await backend.settle()
  return answers
}
const flowOf = (flow: object) => (stage: Stage) => stage.busy.made('/whatsapp/flows', flow)
const liveFlowOf = (flow: object) => async (stage: Stage) => {
  const id = await flowOf(flow)(stage)
  const [published] = await stage.busy.call(`/whatsapp/flows/${id}/publish`, {})
  if (published?.status !== 200) throw new Error(published?.text)
  return id
}
const cards = cardMessages('5491155550009')

const heavyCalls: Readonly<Record<string, HeavyCall>> = {
  'formulas of twenty customers': {
    prepare: liveFlowOf(formulaFlow),
    work: stage => settled(stage, stage.busy.webhook(textsWebhook(stage.busy.keys, dearAnswers, 'f'))),
    statuses: [200],
  },
  'answers of twenty customers to a pattern': {
    prepare: liveFlowOf(patternQuestionFlow),
    work: stage =>
      settled(
        stage,
        stage.busy.webhook(
          textsWebhook(
            stage.busy.keys,
            dearAnswers.map(({ from, body }) => ({ from, body: body === 'hola' ? body : 'aab'.repeat(333) })),
            'p',
          ),
        ),
      ),
    statuses: [200],
  },
  'a flow that is played with fifteen long texts': {
    prepare: flowOf(formulaFlow),
    work: (stage, id) => stage.busy.call(`/whatsapp/flows/${id}/simulate`, { inputs: dearInputs }),
    statuses: [200],
  },
  ...Object.fromEntries(
    Object.entries(refusedSaves).map(([what, body]): [string, HeavyCall] => [
      `a save of ${what}`,
      {
        prepare: flowOf({ name: 'Vacío', triggers: [] }),
        work: (stage, id) => stage.busy.call(`/whatsapp/flows/${id}`, body, 'PUT', 5),
        statuses: [400],
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(wrongFlows).map(([what, flow]): [string, HeavyCall] => [
      `publishing ${what}`,
      {
        prepare: flowOf(flow),
        work: (stage, id) => stage.busy.call(`/whatsapp/flows/${id}/publish`, {}),
        statuses: [422],
      },
    ]),
  ),
  'twelve lists of flows that are full of triggers': {
    async prepare(stage) {
      for (let n = 0; n < flowsPerPage; n += 1) await flowOf(wordyFlow(n))(stage)
      return ''
    },
    work: stage => stage.busy.call('/whatsapp/flows', undefined, 'GET', 12),
    statuses: [200],
  },
  'a file of contacts with a cell of 330,000 labels': {
    prepare: async () => JSON.stringify({ text: dearFiles.labels }),
    work: ({ busy }, body) => busy.call('/whatsapp/contact-imports/preview', body),
    statuses: [200],
  },
  'a file of numbers of 7.9 MB of quotes': {
    prepare: async () => JSON.stringify({ csv: { text: dearFiles.quotes, phoneColumn: 'tel' } }),
    work: ({ busy }, body) => busy.call('/whatsapp/bulk-sends/file', body),
    statuses: [200, 400, 422],
  },
  ...Object.fromEntries(
    Object.entries(cards).map(([what, message]): [string, HeavyCall] => [
      `a message of 257 ${what}`,
      {
        work: stage => {
          const { phoneNumberId, wabaId } = stage.busy.keys
          const value = `{"metadata":{"phone_number_id":"${phoneNumberId}"},"messages":[${message}]}`
          const entry = `{"id":"${wabaId}","changes":[{"field":"messages","value":${value}}]}`
          const webhook = `{"object":"whatsapp_business_account","entry":[${entry}]}`
          return settled(stage, stage.busy.webhook(webhook))
        },
        statuses: [200],
      },
    ]),
  ),
  '1,355 changes of a name': {
    work: ({ busy }) => busy.call('/auth/update-user', { name: 'Ana' }, 'POST', 1355),
    statuses: [200, 429],
  },
}

/** The unit of measure, so that a slow machine does not fail: folding a long text a hundred times. */
const foldLong = () => {
  for (let i = 0; i < 100; i += 1) fold(`${'İ'.repeat(4000)}${i}`)
}

/**
 * How many long texts one turn, and the wait of the other organization, may take. An idle machine measures up to 6 and
 * 30, a loaded one three times that; the faults that this suite was written for measured in the hundreds.
 */
const maxTexts = { turn: 20, wait: 100 }

/** A collection of garbage or a busy machine can fall into one turn. What takes too long by itself does so each time. */
const maxTries = 3

for (const [what, { prepare, work, statuses }] of Object.entries(heavyCalls))
  t.test(what, async t => {
    const measure = async () => {
      const stage = await stageOf(t)
      const prepared = (await prepare?.(stage)) ?? ''
      for (let i = 0; i < 3; i += 1) await stage.serveQuiet()
      await stage.backend.settle()
      const unit = (await costOf(foldLong)) / 2 + (await costOf(foldLong)) / 2
      const { result, turn, wait } = await stage.beside(() => work(stage, prepared))
      const found = [...new Set(result.map(({ status }) => status))]
      t.strictSame(
        found.filter(status => !statuses.includes(status)),
        [],
        `${found}`,
      )
      t.strictSame(stage.backend.errors(), [])
      return { result, turns: turn / unit, waits: wait / unit }
    }
    const isShort = ({ turns, waits }: { turns: number; waits: number }) =>
      turns < maxTexts.turn && waits < maxTexts.wait
    let measured = await measure()
    for (let tries = 1; tries < maxTries && !isShort(measured); tries += 1) measured = await measure()
    const { result, turns, waits } = measured
    t.ok(turns < maxTexts.turn, `the longest turn takes as long as ${turns.toFixed(1)} texts`)
    t.ok(waits < maxTexts.wait, `the other one waits as long as ${waits.toFixed(1)} texts take`)
    if (what.startsWith('1,355')) {
      const taken = result.filter(({ status }) => status === 200).length
      t.ok(taken <= defaultRateLimits.accountWrites, `${taken} of them are taken`)
    }
  })
