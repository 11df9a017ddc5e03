/** `@fastify/http-proxy` in front of an upstream, and nothing else. */
import type { AddressInfo } from 'node:net'
import httpProxy from '@fastify/http-proxy'
import Fastify from 'fastify'

const [upstream] = process.argv.slice(2) as [string]
const app = Fastify()
await app.register(httpProxy, { upstream, prefix: '/api' })
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
console.log(`ready: http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
