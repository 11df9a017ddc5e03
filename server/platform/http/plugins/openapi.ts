import type { FastifyInstance } from 'fastify'
import type { CallList, DescribedCall, WebhookList } from '../described-calls.ts'
import { callOf, type MountedEndpoint, openApiDocument, type TagOf } from './openapi-document.ts'
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

const documentCall: DescribedCall = {
  service: 'api',
  name: 'document',
  method: 'GET',
  url: '/api/openapi.json',
  summary: 'All calls as an OpenAPI 3.1 document.',
  access: 'anyone',
  reply: { type: 'object' },
  refuses: [429, 500],
}

/** `/api/openapi.json`: every call with schemas, errors and access. `tagOf`: the part of the API that a call is in. */
export function mountApiDocument(
  app: FastifyInstance,
  list: ApiList,
  { describedWebhooks, tagOf }: { describedWebhooks?: () => WebhookList; tagOf?: TagOf },
): void {
  let document: Printed | undefined
  const describeCalls = () => ({ calls: [documentCall] })
  app.get('/api/openapi.json', { config: { describeCalls } }, async (request, reply) => {
    const { calls, schemas } = await list()
    const { webhooks, schemas: webhookSchemas } = describedWebhooks?.() ?? { webhooks: [], schemas: {} }
    document ??= print(JSON.stringify(openApiDocument(calls, { ...schemas, ...webhookSchemas }, webhooks, tagOf)))
    return sendPrinted(request, reply, document, 'application/json; charset=utf-8')
  })
}
