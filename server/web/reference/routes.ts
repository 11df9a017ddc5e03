import type { FastifyInstance } from 'fastify'
import type { DescribedCall, WebhookList } from '#server/platform/http/described-calls.ts'
import { appErrors, errorCodes } from '#server/platform/http/errors.ts'
import type { Translate } from '#server/platform/http/plugins/error-reply.ts'
import type { ApiList } from '#server/platform/http/plugins/openapi.ts'
import { type Printed, print, sendPrinted } from '#server/platform/http/plugins/printed.ts'
import { fallbackLanguage, languages, toLanguage } from '#shared/kernel/language.ts'
import { groups } from './groups.ts'
import {
  errorsPage,
  eventsPage,
  groupPage,
  otherPages,
  type PageName,
  type ReferenceParts,
  referencePolicy,
  searchPage,
  startPage,
} from './page.ts'
import { maxAskedLength } from './search.ts'

const lng = { enum: [...languages] }
const pages = [...groups, ...otherPages] as const
const shared = {
  service: 'api',
  method: 'GET',
  access: 'anyone',
  reply: { type: 'string' },
  replyType: 'text/html',
} as const
const calls: readonly DescribedCall[] = [
  {
    ...shared,
    name: 'reference',
    url: '/api/docs',
    summary: 'The start page of this reference, or with `q` the calls that have those words.',
    query: { type: 'object', properties: { lng, q: { type: 'string', maxLength: maxAskedLength } } },
    refuses: [429, 500],
  },
  {
    ...shared,
    name: 'referencePage',
    url: '/api/docs/:page',
    summary: 'A page of this reference.',
    params: { type: 'object', properties: { page: { enum: [...pages] } }, required: ['page'] },
    query: { type: 'object', properties: { lng } },
    refuses: [404, 429, 500],
  },
]

const isPage = (name: string): name is PageName => (pages as readonly string[]).includes(name)

const makers: Readonly<Record<(typeof otherPages)[number] | 'start', (parts: ReferenceParts) => string>> = {
  start: startPage,
  events: eventsPage,
  errors: errorsPage,
}

interface Asked {
  readonly Params: { readonly page?: string }
  readonly Querystring: { readonly lng?: unknown; readonly q?: unknown }
}

/** `/api/docs`: the reference of every call, made when somebody first opens a page of it. */
export function mountReference(
  app: FastifyInstance,
  list: ApiList,
  {
    translate,
    config,
    describedWebhooks,
  }: { translate: Translate; config?: { publicUrl: string }; describedWebhooks?: () => WebhookList },
): void {
  const base = config?.publicUrl.replace(/\/$/, '') ?? ''
  const printed = new Map<string, Printed>()

  const partsFor = async (asked: Asked['Querystring'], spoken: ReferenceParts['language'] | undefined) => {
    const chosen = toLanguage(asked.lng)
    return {
      list: await list(),
      events: describedWebhooks?.() ?? { webhooks: [], schemas: {} },
      codes: errorCodes,
      language: chosen ?? spoken ?? fallbackLanguage,
      keepsLanguage: chosen !== undefined,
      translate,
      base,
    }
  }
  const pageOf = async (parts: ReferenceParts, name: PageName | 'start'): Promise<Printed> => {
    const key = `${name} ${parts.language} ${parts.keepsLanguage}`
    const isOther = name === 'start' || name === 'events' || name === 'errors'
    const page = printed.get(key) ?? print(isOther ? makers[name](parts) : await groupPage(parts, name))
    printed.set(key, page)
    return page
  }

  for (const [url, config] of [
    ['/api/docs', { describeCalls: () => ({ calls }) }],
    ['/api/docs/:page', {}],
  ] as const)
    app.get<Asked>(url, { config }, async (request, reply) => {
      const { page = 'start' } = request.params
      if (page !== 'start' && !isPage(page)) throw appErrors.NOT_FOUND()
      const parts = await partsFor(request.query, request.caller?.language)
      const asked = typeof request.query.q === 'string' ? request.query.q.trim().slice(0, maxAskedLength) : ''
      const answer = asked && page === 'start' ? print(searchPage(parts, asked)) : await pageOf(parts, page)
      reply.header('content-security-policy', referencePolicy)
      return sendPrinted(request, reply, answer, 'text/html; charset=utf-8')
    })
}
