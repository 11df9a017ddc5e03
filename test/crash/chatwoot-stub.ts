import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ChatwootApi, chatwootApi, chatwootToken } from '#test/fixtures/dumps/chatwoot-api.ts'
import type { Tables } from '#test/fixtures/dumps/plain.ts'
import { pixel } from '#test/helpers/neighbours.ts'

/** Chatwoot's API over the rows of a dump, at an address of this machine. */
export async function startChatwoot(tables: Tables) {
  let api: ChatwootApi
  const server = createServer((request, response) => {
    const { status, body, headers = {} } = api.answer(request.url ?? '', name => String(request.headers[name] ?? ''))
    response.writeHead(status, headers).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  api = chatwootApi({ tables, address, picture: Buffer.from(pixel, 'base64') })
  return {
    from: { address, token: chatwootToken },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
