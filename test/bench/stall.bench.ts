import { createHmac } from 'node:crypto'
import { Agent, FormData, fetch, type RequestInit } from 'undici'
import { flowsPerPage } from '#shared/flows/api.ts'
import { keywordLimits } from '#shared/flows/triggers/keyword-limits.ts'
import { anonymousLimitValues } from '#shared/kernel/limits.ts'
import { pictureMaxBytes } from '#shared/media/pictures.ts'
import { anyFileMaxBytes } from '#shared/media/sent-files.ts'
import { maxInlineBytes } from '#shared/templates/api.ts'
import { headerMedia } from '#shared/templates/components.ts'
import {
  dearAnswers,
  dearFiles,
  dearInputs,
  dearTexts,
  formulaFlow,
  patternFlow,
  patternQuestionFlow,
  refusedSaves,
  textsWebhook,
  wordsFlow,
  wordyFlow,
  wrongFlows,
} from '#test/helpers/dear-flows.ts'
import { startChild } from './parts/child.ts'
import { openInstallation } from './parts/installation.ts'
import { bodiesOf, type Call, formsOf, queriesOf } from './parts/largest-inputs.ts'
import { webhooksOf } from './parts/largest-webhooks.ts'
import { bound, report } from './parts/report.ts'
import { type Sender, waitBehindFullWebhooks } from './parts/webhook-turns.ts'

export const name = 'stall'
export const title = 'How long one request, webhook or job of the largest size holds the event loop'

const longestTurnMs = 100
/** From a webhook to the open tabs, whatever another organization's webhooks are. */
const longestBehindMs = 1000
/** One for the calls of the product and one for each of sign-in: some end the session that asks. */
const people = 80
const authBodyBytes = 64 * 1024
/** Lines of the report; whatever is missing took less. */
const shown = 40
/** What the simulated Graph API takes at most, of a file and of anything else. */
const graphFileBytes = 16 * 1024 * 1024
const floodCalls = 1355
const longAnswers = 300
const jobs = {
  left: 'jobs, all that the requests left',
  answers: `jobs, ${longAnswers} long answers to send`,
  index: 'jobs, 20,000 messages into the index',
  deletion: 'jobs, an organization of 20,000 messages deleted',
}
const words = 'flow, ten thousand words and a webhook of 50 texts'
const lists = 'flow, twelve lists of flows full of triggers'
const wordyTexts = Array.from({ length: 50 }, (_, i) => ({ from: '5491144440000', body: `${'x '.repeat(2000)}${i}` }))
const behind = "another organization's message behind three webhooks of 14,000"
const pages = [
  '/login',
  '/organizations',
  '/org/:org/c',
  '/org/:org/template',
  '/org/:org/stats',
  '/org/:org',
  '/nowhere',
]

interface Facts {
  readonly calls: readonly Call[]
  /** Paths of better-auth that can be reached. */
  readonly auth: readonly { method: string; path: string }[]
}
interface Keys {
  readonly phoneNumberId: string
  readonly wabaId: string
  readonly accessToken: string
  readonly appId: string
}

/** An address that is sent elsewhere comes back in a header, longer for its escapes. */
const dispatcher = new Agent({ maxHeaderSize: 128 * 1024 })

const pdfOf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes - 9, 'x')])
const pngOf = (bytes: number) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(bytes - 8)])

/** Every call, page, file, kind of webhook and job at its largest; the worst first. `--only WORD`: those with that word. */
export async function run(args: readonly string[]): Promise<boolean> {
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined
  const place = await openInstallation({ conversations: 1000, messages: 20_000, people })
  const child = await startChild('test/bench/subjects/stall.ts', { env: { ...place.env, SIGNUP: 'open' } })
  const turns: { what: string; cpuMs: number; status: number | undefined }[] = []
  const isMeant = (what: string) => !only || what.includes(only)
  const measure = async (what: string, work: () => Promise<number | undefined>) => {
    if (!isMeant(what)) return
    await child.ask('longest')
    const status = await work()
    const { cpuMs } = await child.ask<{ cpuMs: number }>('longest')
    turns.push({ what, cpuMs, status })
  }
  const [cookie] = place.cookies as [string]
  const ask = async (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) => {
    const headers = { cookie, ...init.headers }
    const reply = await fetch(child.url + path, { redirect: 'manual', ...init, headers, dispatcher })
    return { status: reply.status, body: Buffer.from(await reply.arrayBuffer()) }
  }
  const statusOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).status
  const json = { 'content-type': 'application/json' }

  /** What is compiled and loaded at the first asking is no part of a request's size. */
  const warmUp = async ({ calls, auth }: Facts) => {
    const addresses = [
      ...pages.map(page => page.replace(':org', place.org.slug)),
      // The stream of events ends only with its listener.
      ...calls
        .filter(({ method, url }) => method === 'GET' && url !== '/api/sse')
        .map(({ url }) => url.replace(/:\w+/g, 'x')),
      ...auth.filter(({ method }) => method === 'GET').map(({ path }) => `/api/auth${path}`),
    ]
    for (const address of [...addresses, ...addresses]) await ask(address)
  }

  const askCalls = async ({ calls, auth }: Facts) => {
    const addressOf = ({ url }: Call) => url.replace(/:\w+/g, 'x')
    for (const call of calls) {
      for (const [kind, query] of Object.entries(queriesOf(call)))
        if (call.method === 'GET')
          await measure(`GET ${call.url}, ${kind}`, () => statusOf(`${addressOf(call)}?${query}`))
      for (const [kind, body] of Object.entries(bodiesOf(call)))
        if (call.method !== 'GET')
          await measure(`${call.method} ${call.url}, ${kind}`, () =>
            statusOf(addressOf(call), { method: call.method, body, headers: json }),
          )
    }
    for (const [i, { method, path }] of auth.entries()) {
      const as = { ...json, cookie: place.cookies[i + 1] as string }
      const url = `/api/auth${path}`
      const call = { method, url, bodyLimit: authBodyBytes }
      for (const [kind, input] of Object.entries(method === 'GET' ? queriesOf(call) : bodiesOf(call)))
        await measure(`${method} ${url}, ${kind}`, () =>
          method === 'GET'
            ? statusOf(`${url}?${input}`, { headers: as })
            : statusOf(url, { method, body: input, headers: as }),
        )
    }
    const anonymous = bodiesOf({ method: 'POST', url: '', bodyLimit: authBodyBytes, bodyValues: anonymousLimitValues })
    for (const [kind, body] of Object.entries(anonymous))
      await measure(`anonymous sign-in, ${kind}`, () =>
        statusOf('/api/auth/sign-in/email-otp', { method: 'POST', body, headers: { ...json, cookie: '' } }),
      )
  }

  const askPages = async () => {
    for (const page of pages)
      for (const [kind, query] of Object.entries(
        queriesOf({ method: 'GET', url: page, query: ['search', 'tag', 'lng'] }),
      ))
        await measure(`page ${page}, ${kind}`, () => statusOf(`${page.replace(':org', place.org.slug)}?${query}`))
  }

  const askSearch = async () => {
    for (const words of ['nobody says this', 'a', 'a e i o u '.repeat(10), 'ñ'.repeat(100)])
      for (const path of ['conversations', 'all-conversations'])
        await measure(`search of ${path} for ${words.slice(0, 20)}`, () =>
          statusOf(`/api/whatsapp/${path}?search=${encodeURIComponent(words)}`),
        )
  }

  const sendWebhook = async (body: string) => {
    const { id, appSecret } = place.connection
    const signature = createHmac('sha256', appSecret).update(body).digest('hex')
    const headers = { ...json, 'x-hub-signature-256': `sha256=${signature}` }
    const status = await statusOf(`/webhooks/whatsapp/${id}`, { method: 'POST', body, headers })
    await child.ask('derived')
    return status
  }

  const sendWebhooks = async () => {
    for (const [kind, body] of Object.entries(webhooksOf(place.connection)))
      await measure(`webhook, ${kind}`, () => sendWebhook(body))
  }

  const playFlows = async () => {
    const post = (path: string, body: object, method = 'POST') =>
      ask(`/api/whatsapp/flows${path}`, { method, body: JSON.stringify(body), headers: json })
    const made = async (flow: object): Promise<string> => {
      const { status, body } = await post('', flow)
      if (status !== 201) throw new Error(`A flow was not made: ${body}`)
      return JSON.parse(String(body)).id
    }
    const published = async (id: string) => (await post(`/${id}/publish`, {})).status
    /** Only while it is measured: a flow that answers whatever nobody else does takes the other ones' customers. */
    const whileLive = async (flow: object, work: () => Promise<number>) => {
      const id = await made(flow)
      if ((await published(id)) !== 200) throw new Error('A flow was not published')
      const status = await work()
      await child.ask('idle')
      await post(`/${id}/pause`, {})
      return status
    }
    const [patterns, formulas] = [await made(patternFlow), await made(formulaFlow)]
    for (const [what, body] of Object.entries(refusedSaves))
      await measure(`flow, a save of ${what}`, async () => (await post(`/${patterns}`, body, 'PUT')).status)
    for (const [what, flow] of Object.entries(wrongFlows)) {
      const id = await made(flow)
      await measure(`flow, publishing ${what}`, () => published(id))
    }
    const answers = textsWebhook(place.connection, dearAnswers, 'formulas')
    await measure('flow, 45 formulas and the long answers of 20 customers', () =>
      whileLive(formulaFlow, () => sendWebhook(answers)),
    )
    const codes = dearAnswers.map(({ from, body }) => ({ from, body: body === 'hola' ? body : 'aab'.repeat(333) }))
    await measure('flow, a pattern and the answers of 20 customers', () =>
      whileLive(patternQuestionFlow, () => sendWebhook(textsWebhook(place.connection, codes, 'codes'))),
    )
    await measure('flow, a hundred dear patterns published', () => published(patterns))
    await measure(
      'flow, 45 formulas played with 15 long texts',
      async () => (await post(`/${formulas}/simulate`, { inputs: dearInputs })).status,
    )
    await measure('flow, a hundred dear patterns and a webhook of 50 texts', () =>
      sendWebhook(textsWebhook(place.connection, dearTexts, 'dear')),
    )
    if (isMeant(words))
      for (let i = 0; i < keywordLimits.words / 1000; i += 1) await published(await made(wordsFlow(i)))
    await measure(words, () => sendWebhook(textsWebhook(place.connection, wordyTexts, 'wordy')))
    if (isMeant(lists)) for (let i = 0; i < flowsPerPage; i += 1) await made(wordyFlow(i))
    await measure(lists, async () =>
      Math.max(...(await Promise.all(Array.from({ length: 12 }, () => statusOf('/api/whatsapp/flows'))))),
    )
  }

  const readFiles = async () => {
    const send = (path: string, body: object) => {
      const text = JSON.stringify(body)
      return () => statusOf(path, { method: 'POST', body: text, headers: json })
    }
    await measure(
      'file of contacts, a cell of 330,000 labels',
      send('/api/whatsapp/contact-imports/preview', { text: dearFiles.labels }),
    )
    await measure(
      'file of numbers, 7.9 MB of quotes',
      send('/api/whatsapp/bulk-sends/file', { csv: { text: dearFiles.quotes, phoneColumn: 'tel' } }),
    )
  }

  /** As many as came in 2.6 seconds, fifty at once; the status is the last one's. */
  const floodAccounts = () =>
    measure(`sign-in, ${floodCalls} changes of a name`, async () => {
      const headers = { ...json, cookie: place.cookies[people - 1] as string }
      const body = JSON.stringify({ name: 'Ana' })
      let [left, status] = [floodCalls, 0]
      const oneByOne = async () => {
        while (left > 0) {
          left -= 1
          status = await statusOf('/api/auth/update-user', { method: 'POST', body, headers })
        }
      }
      await Promise.all(Array.from({ length: 50 }, oneByOne))
      return status
    })

  const sendFiles = async () => {
    await measure('file of a template, 100 MB', () =>
      statusOf('/api/whatsapp/template/media?name=x.pdf', {
        method: 'POST',
        body: pdfOf(headerMedia.DOCUMENT.maxBytes),
        headers: { 'content-type': 'application/pdf' },
      }),
    )
    const form = new FormData()
    for (const [name, value] of Object.entries({
      type: 'file',
      numberTel: place.longChat || (place.phones[0] as string),
    }))
      form.set(name, value)
    form.set('file', new Blob([pdfOf(anyFileMaxBytes)], { type: 'application/pdf' }), 'x.pdf')
    await measure('file of a message, 100 MB', () => statusOf('/api/whatsapp/messages', { method: 'POST', body: form }))
    await measure('template with its picture inside', () =>
      statusOf('/api/whatsapp/template', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({
          draft: true,
          template: { name: 'picture', language: 'es', category: 'MARKETING', components: [] },
          file: { name: 'x.png', dataBase64: pngOf(maxInlineBytes).toString('base64') },
        }),
      }),
    )
    await measure('logo', () =>
      statusOf('/api/organization/logo', {
        method: 'PUT',
        headers: json,
        body: JSON.stringify({ dataBase64: pngOf(pictureMaxBytes).toString('base64') }),
      }),
    )
  }

  /** As an organization that is connected to the simulator. */
  const askSimulator = async () => {
    const created = { name: 'Simulada', slug: 'simulada' }
    await ask('/api/auth/organization/create', { method: 'POST', headers: json, body: JSON.stringify(created) })
    const inside = { 'x-organization': created.slug }
    await ask('/api/whatsapp/connection/sandbox', { method: 'POST', headers: inside })
    const keys = await child.ask<Keys>('keys', { slug: created.slug })
    if (!keys.accessToken) throw new Error(`The simulator is not connected: ${JSON.stringify(keys)}`)
    const graph = `/sandbox/graph/v25.0`
    const headers = { authorization: `Bearer ${keys.accessToken}` }
    const messages = `${graph}/${keys.phoneNumberId}/messages`
    const binary = { ...headers, 'content-type': 'application/octet-stream' }
    for (const [kind, body] of Object.entries(bodiesOf({ method: 'POST', url: '' })))
      await measure(`simulator, JSON of ${kind}`, () =>
        statusOf(messages, { method: 'POST', body, headers: { ...headers, ...json } }),
      )
    for (const [kind, body] of Object.entries(formsOf(graphFileBytes)))
      await measure(`simulator, form of ${kind}`, () =>
        statusOf(messages, {
          method: 'POST',
          body,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        }),
      )
    await measure('simulator, 16 MB of no kind', () =>
      statusOf(messages, { method: 'POST', body: Buffer.alloc(graphFileBytes, '['), headers: binary }),
    )
    for (const [kind, query] of Object.entries(
      queriesOf({ method: 'GET', url: '', query: ['fields', 'name', 'after'] }),
    ))
      await measure(`simulator, query of ${kind}`, () =>
        statusOf(`${graph}/${keys.wabaId}/message_templates?${query}`, { headers }),
      )
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('file', new Blob([pdfOf(graphFileBytes)], { type: 'application/pdf' }), 'x.pdf')
    let media = ''
    await measure('simulator, file of 16 MB', async () => {
      const { status, body } = await ask(`${graph}/${keys.phoneNumberId}/media`, {
        method: 'POST',
        body: form,
        headers,
      })
      media = JSON.parse(String(body)).id
      return status
    })
    await measure('simulator, the same file back', async () => {
      const { url } = JSON.parse(String((await ask(`${graph}/${media}`, { headers })).body))
      return statusOf(url.replace(/^https?:\/\/[^/]+/, ''), { headers })
    })
    await measure('simulator, template file of 16 MB', async () => {
      const opened = await ask(
        `${graph}/${keys.appId}/uploads?file_length=${graphFileBytes}&file_type=application/pdf`,
        {
          method: 'POST',
          headers,
        },
      )
      const { id } = JSON.parse(String(opened.body))
      return statusOf(`${graph}/${id}`, { method: 'POST', body: pdfOf(graphFileBytes), headers: binary })
    })
    await measure('simulator, a customer sends a file', () =>
      statusOf('/api/sandbox/inbound', {
        method: 'POST',
        headers: { ...json, ...inside },
        body: JSON.stringify({
          from: '5491155559999',
          type: 'document',
          mime: 'application/pdf',
          dataBase64: pdfOf(180_000).toString('base64'),
        }),
      }),
    )
  }

  /** Two organizations side by side. */
  const waitForTurn = async (): Promise<number> => {
    await child.ask('derived')
    const headers = { 'x-organization': 'simulada' }
    const quiet = await child.ask<Sender>('keys', { slug: 'simulada' })
    const newest = async () =>
      JSON.parse(String((await ask('/api/whatsapp/events/place', { headers })).body)).id as number
    const waitedMs = await waitBehindFullWebhooks({ url: child.url, busy: place.connection, quiet, place: newest })
    await child.ask('derived')
    return waitedMs
  }

  /** What waits: files announced by the webhooks, lists of templates, chores, answers to send, words to read, a deletion. */
  const runJobs = async () => {
    if (only && !Object.values(jobs).some(isMeant)) return
    await measure(jobs.left, async () => {
      await child.ask('runAll')
      return undefined
    })
    const inside = { ...json, 'x-organization': 'simulada' }
    const customer = '5491155559999'
    await ask('/api/sandbox/inbound', {
      method: 'POST',
      headers: inside,
      body: JSON.stringify({ from: customer, type: 'text', text: 'Hola' }),
    })
    await child.ask('runAll')
    const answers = Array.from({ length: longAnswers }, (_, i) => `respuesta ${i} ${'x'.repeat(4000)}`)
    await measure(jobs.answers, async () => {
      const statuses = await Promise.all(
        answers.map(message =>
          statusOf('/api/whatsapp/messages', {
            method: 'POST',
            headers: inside,
            body: JSON.stringify({ type: 'text', message, numberTel: customer }),
          }),
        ),
      )
      await child.ask('runAll')
      return Math.max(...statuses)
    })
    await measure(jobs.index, async () => {
      const place = await child.ask<number>('readAnew')
      if (place < 20_000) throw new Error(`Only ${place} messages were read`)
      return undefined
    })
    await measure(jobs.deletion, async () => {
      const left = await child.ask<number>('remove', { orgId: place.org.id })
      if (left) throw new Error('The organization was not deleted')
      return undefined
    })
  }

  try {
    const facts = await child.ask<Facts>('facts')
    await warmUp(facts)
    await askCalls(facts)
    await askPages()
    await askSearch()
    // Webhooks are derived under a lease, which a process has once it is at work.
    await child.ask('startJobs')
    await child.ask('derived')
    await sendWebhooks()
    await playFlows()
    await readFiles()
    await sendFiles()
    await floodAccounts()
    await askSimulator()
    const waits = isMeant(behind) ? [bound(behind, await waitForTurn(), 'ms', longestBehindMs)] : []
    await runJobs()
    turns.sort((a, b) => b.cpuMs - a.cpuMs)
    return report(
      args,
      [
        ...waits,
        ...turns
          .slice(0, shown)
          .map(({ what, cpuMs, status }) =>
            bound(status === undefined ? what : `${what} (${status})`, cpuMs, 'ms', longestTurnMs),
          ),
      ],
      [`longest turn of the event loop, in processor time of its thread; the worst of ${turns.length} measured`],
    )
  } finally {
    await child.stop()
    place.remove()
  }
}
