/**
 * What a page of these bytes costs when it is nothing but plain elements: React and Fastify, and nothing of the product.
 * It is given the page as a file and renders it anew, streamed, for every request.
 */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { renderToPipeableStream } from 'react-dom/server'
import { treeOf } from '../parts/html-tree.ts'

const [file] = process.argv.slice(2) as [string]
const tree = treeOf(readFileSync(file, 'utf8'))

const app = Fastify()
app.get('/*', (_request, reply) => {
  reply.hijack()
  const { pipe } = renderToPipeableStream(tree, {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onShellReady: () => {
      reply.raw.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      pipe(reply.raw)
    },
  })
})
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
console.log(`ready: http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
