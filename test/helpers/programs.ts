import { createHash, randomBytes } from 'node:crypto'
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Test } from 'tap'
import type { ProgramScope } from '#shared/programs/api.ts'
import { type AMember, testPublicUrl } from './actors.ts'
import type { TestBackend } from './backend.ts'
import { textOf } from './mcp.ts'

export const callback = 'http://127.0.0.1:45454/callback'
/** Converts the parameters of an authorization request to the names of our API. */
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The query of an authorization request as the page passes it on. */
export const requestIn = (address: URL): Record<string, string> =>
  Object.fromEntries([...address.searchParams].map(([name, value]) => [camel(name), value]))

/** Approves or refuses an authorization request as the page does. Returns the address to which the browser is sent. */
export async function letIn(
  backend: TestBackend,
  { cookie, org }: Pick<AMember, 'cookie' | 'org'>,
  request: Record<string, string>,
  scopes: readonly string[],
) {
  const reply = await backend.inject({
    method: 'POST',
    url: '/api/organization/programs',
    headers: { cookie, 'x-organization': org.slug },
    payload: { request, scopes },
  })
  const { address } = reply.json() as { address?: string }
  return {
    status: reply.statusCode,
    code: reply.json().code as string,
    address: address ? new URL(address) : undefined,
  }
}

/** The official client with its own OAuth flow: it discovers the server, registers, and asks a person for a token. */
export function officialClient(
  address: string,
  { name, redirectUrl, fetch }: { name: string; redirectUrl: string; fetch?: typeof globalThis.fetch },
) {
  const kept: {
    discovered?: OAuthDiscoveryState
    client?: OAuthClientInformationMixed
    tokens?: OAuthTokens
    verifier?: string
    asked?: URL
  } = {}
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl] },
    state: () => 'state-1',
    discoveryState: () => kept.discovered,
    saveDiscoveryState(discovered) {
      kept.discovered = discovered
    },
    clientInformation: () => kept.client,
    saveClientInformation(client) {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    redirectToAuthorization(asked) {
      kept.asked = asked
    },
  }
  const open = () => {
    const client = new Client({ name: 'agent', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', address), {
      authProvider,
      ...(fetch ? { fetch } : {}),
    })
    return { client, transport }
  }
  return {
    kept,
    /** The address to which the client sends the person. */
    async ask(): Promise<URL> {
      const { client, transport } = open()
      await client.connect(transport).catch(() => undefined)
      if (!kept.asked) throw new Error('The client did not ask a person')
      return kept.asked
    },
    /** Connects with the parameters that came to `redirectUrl`. */
    async finish(answer: URLSearchParams): Promise<Client> {
      await open().transport.finishAuth(answer)
      const { client, transport } = open()
      await client.connect(transport)
      return client
    },
  }
}

/** The official client, connected with the consent of a member. */
export async function connectProgram(
  t: Test,
  backend: TestBackend,
  who: AMember,
  { name = 'Agente', scopes = ['chat:read', 'note:write'] as readonly ProgramScope[] } = {},
) {
  const agent = officialClient(testPublicUrl, {
    name,
    redirectUrl: callback,
    // The client knows the installation by its public address.
    fetch: (url, init) => fetch(String(url).replace(testPublicUrl, backend.url), init),
  })
  const asked = await agent.ask()
  const { address } = await letIn(backend, who, requestIn(asked), scopes)
  const client = await agent.finish(address?.searchParams as URLSearchParams)
  t.teardown(() => client.close())
  const use = async <T>(tool: string, args: Record<string, unknown> = {}): Promise<T> => {
    const result = await client.callTool({ name: tool, arguments: args })
    if (result.isError) throw new Error(`${tool}: ${textOf(result)}`)
    return result.structuredContent as T
  }
  return { client, use, kept: agent.kept, asked, address }
}

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** A program that makes every request itself. */
export async function aProgram(backend: TestBackend, metadata: object = { redirect_uris: [callback] }) {
  const registered = await backend.inject({ method: 'POST', url: '/oauth/register', payload: metadata })
  const { verifier, challenge } = pkce()
  const clientId = registered.json().client_id as string
  const request = (more: Record<string, string> = {}) => ({
    clientId,
    redirectUri: callback,
    responseType: 'code',
    codeChallenge: challenge,
    codeChallengeMethod: 'S256',
    ...more,
  })
  const post = (path: string, fields: Record<string, string>) =>
    backend.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ client_id: clientId, ...fields }).toString(),
    })
  const exchange = (code: string, more: Record<string, string> = {}) =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      code_verifier: verifier,
      ...more,
    })
  const refresh = (token: string, more: Record<string, string> = {}) =>
    post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...more })
  const revoke = (token: string) => post('/oauth/revoke', { token })
  /** Connects with the consent of this member. Returns the response with the tokens. */
  const connect = async (who: AMember, scopes: readonly string[] = ['chat:read']) => {
    const { address } = await letIn(backend, who, request(), scopes)
    const code = address?.searchParams.get('code') ?? ''
    const reply = (await exchange(code)).json() as { access_token: string; refresh_token: string }
    return { code, access: reply.access_token, refresh: reply.refresh_token }
  }
  /** Makes a call of MCP with this token. */
  const ask = (token: string, method = 'tools/list') =>
    backend.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      payload: { jsonrpc: '2.0', id: 1, method },
    })
  return { registered, clientId, verifier, request, exchange, refresh, revoke, connect, ask }
}
