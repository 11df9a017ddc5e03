import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TlsOptions } from 'node:tls'
import type { Test } from 'tap'
import { handClock } from './clock.ts'
import { upstreamStage } from './upstream-stage.ts'

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => unknown

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Behaviour => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  }
}
export const waba = json({ phone: '5491150000000' })

/** A product API that behaves as a test says. With `tls`, by https. */
export const aBadUpstream = async (t: Test, { tls, host = '127.0.0.1' }: { tls?: TlsOptions; host?: string } = {}) => {
  const state = { behaviour: waba as Behaviour, asked: 0 }
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    if (['/sse', '/capabilities'].includes(request.url ?? '')) return response.writeHead(404).end()
    state.asked += 1
    return state.behaviour(request, response)
  }
  const server = tls ? createTlsServer(tls, listen) : createServer(listen)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const clock = handClock(new Date().toISOString())
  const stage = await upstreamStage(t, { url: `${tls ? 'https' : 'http'}://${host}:${port}`, clock })
  return { ...stage, state, clock }
}
