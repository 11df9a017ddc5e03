import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import type { Translate } from '#server/platform/text/i18n.ts'
import type { Language } from '#shared/kernel/language.ts'
import { mcpPath } from '#shared/mcp/address.ts'
import { resourceMetadataPath } from '#shared/programs/addresses.ts'
import { programScopes } from '#shared/programs/api.ts'
import { type Calls, createCalls } from './calls.ts'
import { mcpErrors } from './errors.ts'
import { createMcpServer } from './server.ts'

const version = '1'

const shared = { service: 'mcp', url: mcpPath, access: 'member', takesKeys: true, takesOrganization: true } as const
const message: DescribedCall = {
  ...shared,
  name: 'message',
  method: 'POST',
  summary:
    'Model Context Protocol (Streamable HTTP, without sessions): a JSON-RPC message. The key comes as a bearer token, likewise the access token of a connected program.',
  body: {
    type: 'object',
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'integer'] },
      method: { type: 'string' },
      params: { type: 'object' },
    },
    required: ['jsonrpc', 'method'],
  },
  example: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  reply: { type: 'object' },
  refuses: [400, 401, 403, 413, 415, 429, 500, 503],
}

/** Calls that clients of the protocol try. Without sessions there is nothing to open or to end. */
const withoutSession = (['GET', 'DELETE'] as const).map(
  (method): DescribedCall => ({
    ...shared,
    name: `${method.toLowerCase()}Session`,
    method,
    summary: 'Answers 405: this MCP server has no sessions.',
    status: 405,
    reply: { type: 'object' },
    refuses: [400, 401, 403, 429, 500, 503],
  }),
)

/** The headers of the request that the protocol reads. */
const headersOf = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && /^(?:accept|content-type|mcp-.*)$/.test(name) ? [[name, value]] : [],
    ),
  )

/**
 * The header tells programs where they can ask a person for a token.
 * @see RFC 9728 §5.1
 * @throws APP_KEY_INVALID, MCP_KEY_REQUIRED
 */
const requireKey = (request: FastifyRequest, reply: FastifyReply, metadata: string): void => {
  if (typeof request.caller.key === 'object') return
  const isGiven = request.caller.key === 'invalid'
  const challenge = `Bearer resource_metadata="${metadata}", scope="${programScopes.join(' ')}"`
  reply.header('www-authenticate', isGiven ? `${challenge}, error="invalid_token"` : challenge)
  throw isGiven ? appErrors.KEY_INVALID() : mcpErrors.KEY_REQUIRED()
}

/** The caller of one request. */
interface Asking {
  readonly calls: Calls
  readonly language: Language
}

interface McpParts {
  readonly config: { readonly publicUrl: string }
  translate(language: Language, key: string, params?: Parameters<Translate>[1]): string
}

/** `/mcp`: agents use the API's calls as tools. Each request has its key and stands alone, so any process answers it. */
export function mountMcp(app: FastifyInstance, { config, translate }: McpParts): void {
  const callsOf = createCalls(app, translate)
  const address = `${config.publicUrl}${mcpPath}`
  const metadata = `${config.publicUrl}${resourceMetadataPath}`

  const handler = createMcpHandler(
    ({ authInfo }) => {
      const asking = authInfo?.extra as unknown as Asking
      return createMcpServer(asking.calls, text => translate(asking.language, text), version)
    },
    {
      // Nothing here changes while an agent listens.
      maxSubscriptions: 0,
      onerror: error => app.log.debug({ err: errorFacts(error) }, 'a message of an agent was refused'),
    },
  )

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    requireKey(request, reply, metadata)
    if (Array.isArray(request.body)) throw mcpErrors.BATCH()
    const asking: Asking = { calls: callsOf(request), language: request.caller.language }
    // The library passes it on to the function above and does not read it.
    const authInfo = { token: '', clientId: '', scopes: [], extra: { ...asking } }
    const web = new Request(address, { method: request.method, headers: headersOf(request) })
    const { status, headers, body } = await handler.fetch(web, { parsedBody: request.body, authInfo })
    reply.status(status)
    for (const [name, value] of headers) if (name !== 'content-length') reply.header(name, value)
    return reply.send(body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer()))
  }

  app.post(mcpPath, { config: { describeCalls: () => ({ calls: [message, ...withoutSession] }) } }, answer)
  app.get(mcpPath, answer)
  app.delete(mcpPath, answer)
}
