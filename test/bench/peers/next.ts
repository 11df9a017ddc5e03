/** What a Next page of client components with the same elements costs; `folder` was prepared by `parts/next-app.ts`. */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const [folder] = process.argv.slice(2) as [string]
type Next = (options: { dev: boolean; dir: string }) => {
  prepare(): Promise<void>
  getRequestHandler(): Parameters<typeof createServer>[1]
}
const next = createRequire(join(folder, 'package.json'))('next') as Next
const app = next({ dev: false, dir: folder })
await app.prepare()
const server = createServer(app.getRequestHandler())
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
  console.log(`ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
