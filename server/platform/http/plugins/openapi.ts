import type { FastifyInstance } from 'fastify'
import { fallbackLanguage, type Language, languages, toLanguage } from '#shared/kernel/language.ts'
import type { CallList, DescribedCall, WebhookList } from '../described-calls.ts'
import { errorCodes } from '../errors.ts'
import type { Translate } from './error-reply.ts'
import { callOf, type MountedEndpoint, openApiDocument } from './openapi-document.ts'
import { docsPage, docsPolicy } from './openapi-page.ts'
import { type Printed, print, sendPrinted } from './printed.ts'

/** All calls, collected when first needed, so that starting costs nothing. */
export type ApiList = () => Promise<CallList>

const byAddress = (a: DescribedCall, b: DescribedCall) =>
  a.url < b.url ? -1 : a.url > b.url ? 1 : a.method < b.method ? -1 : 1

/** Collects every call that is mounted below `app` from now on, by its contract or its own description. */
export function collectCalls(app: FastifyInstance): ApiList {
  const endpoints: MountedEndpoint[] = []
  const describers = new Set<() => CallList | Promise<CallList>>()
  app.addHook('onRoute', route => {
    const { endpoint, service, name, describeCalls } = route.config ?? {}
    if (describeCalls) describers.add(describeCalls)
    if (endpoint && service && name && [route.method].flat().includes(endpoint.method))
      endpoints.push({ service, name, url: route.url, endpoint })
  })
  let known: Promise<CallList> | undefined
  const ask = async (): Promise<CallList> => {
    const lists = await Promise.all([...describers].map(describe => describe()))
    const calls = [...endpoints.map(callOf), ...lists.flatMap(one => one.calls).toSorted(byAddress)]
    return { calls, schemas: Object.assign({}, ...lists.map(one => one.schemas)) }
  }
  return () => {
    known ??= ask().catch(error => {
      known = undefined
      throw error
    })
    return known
  }
}

const open = { access: 'anyone', refuses: [429, 500] } as const
const pageCalls: readonly DescribedCall[] = [
  {
    ...open,
    service: 'api',
    name: 'document',
    method: 'GET',
    url: '/api/openapi.json',
    summary: 'Every call as an OpenAPI 3.1 document.',
    reply: { type: 'object' },
  },
  {
    ...open,
    service: 'api',
    name: 'page',
    method: 'GET',
    url: '/api/docs',
    summary: 'Every call as an HTML page, in the language of the browser or of `lng`.',
    query: { type: 'object', properties: { lng: { enum: [...languages] } } },
    reply: { type: 'string' },
    replyType: 'text/html',
  },
]

/** `/api/openapi.json` and `/api/docs`: every call with schemas, errors and access. */
export function mountApiPages(
  app: FastifyInstance,
  list: ApiList,
  {
    translate,
    config,
    describedWebhooks,
  }: { translate: Translate; config?: { publicUrl: string }; describedWebhooks?: () => WebhookList },
): void {
  const base = config?.publicUrl ?? ''
  let document: Printed | undefined
  const pages = new Map<Language, Printed>()

  app.get('/api/openapi.json', { config: { describeCalls: () => ({ calls: pageCalls }) } }, async (request, reply) => {
    const { calls, schemas } = await list()
    const { webhooks, schemas: webhookSchemas } = describedWebhooks?.() ?? { webhooks: [], schemas: {} }
    document ??= print(JSON.stringify(openApiDocument(calls, { ...schemas, ...webhookSchemas }, webhooks)))
    return sendPrinted(request, reply, document, 'application/json; charset=utf-8')
  })
  app.get('/api/docs', async (request, reply) => {
    const asked = toLanguage((request.query as { lng?: unknown }).lng)
    const language = asked ?? request.caller?.language ?? fallbackLanguage
    const { calls, schemas = {} } = await list()
    const page =
      pages.get(language) ?? print(docsPage({ calls, named: schemas, codes: errorCodes, language, translate, base }))
    pages.set(language, page)
    reply.header('content-security-policy', docsPolicy)
    return sendPrinted(request, reply, page, 'text/html; charset=utf-8')
  })
}
