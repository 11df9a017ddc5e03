/** Serves Recado's product API from another Recado, which it calls with the API key of one organization. */
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'

interface AdapterParts {
  /** The Recado that keeps the conversations. */
  readonly behind: string
  /** The API key at `behind` for an organization of the Recado in front. */
  readonly keys: ReadonlyMap<string, string>
  /** The URL of the Recado in front, once it listens. */
  frontUrl(): string
}

export async function startAdapter({ behind, keys, frontUrl }: AdapterParts) {
  let url = ''
  const claimsOf = async ({ headers }: IncomingMessage) => {
    const keySet = createRemoteJWKSet(new URL('/.well-known/jwks.json', frontUrl()))
    return (await jwtVerify(headers.authorization?.slice('Bearer '.length) ?? '', keySet, { audience: url })).payload
  }

  const forward = (request: IncomingMessage, response: ServerResponse, key: string) => {
    const { authorization: _token, host: _host, ...headers } = request.headers
    const path = request.url?.startsWith('/api/') ? request.url : `/api${request.url}`
    const inner = ask(behind + path, { method: request.method as string, headers: { ...headers, 'x-api-key': key } })
    inner.on('response', answer => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)))
    inner.on('error', () => response.destroy())
    request.pipe(inner)
  }

  /** The stream of all organizations, here of one. Events have the numbers of the Recado behind. */
  const stream = async (request: IncomingMessage, response: ServerResponse) => {
    const [[org, key] = ['', '']] = keys
    const lastId = request.headers['last-event-id'] as string | undefined
    const inner = ask(`${behind}/api/sse`, {
      headers: { 'x-api-key': key, ...(lastId ? { 'last-event-id': lastId } : {}) },
    })
    inner.on('response', answer => {
      response.writeHead(answer.statusCode ?? 502, { 'content-type': 'text/event-stream' })
      answer.setEncoding('utf8').on('data', (text: string) => {
        response.write(text.replaceAll('data: {', `data: {"org":${JSON.stringify(org)},`))
      })
      answer.on('end', () => response.end())
    })
    inner.on('error', () => response.destroy())
    response.on('close', () => inner.destroy())
    inner.end()
  }

  const server = createServer(async (request, response) => {
    try {
      const claims = await claimsOf(request)
      if (request.url === '/sse') return await stream(request, response)
      const key = keys.get(String(claims.org))
      if (!key) return response.writeHead(403).end('{"message":"organization"}')
      return forward(request, response, key)
    } catch {
      return response.writeHead(401).end('{"message":"token"}')
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, server }
}
