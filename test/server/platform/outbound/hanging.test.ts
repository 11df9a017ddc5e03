import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { createPublicFetch } from '#server/platform/outbound/outbound.ts'

t.test('calls that hang at a host leave connections for others there', async t => {
  const hanging: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url === '/hangs') hanging.push(response)
    else response.end('there')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fetch = createPublicFetch(undefined, { isAllowed: () => true })
  const stop = new AbortController()
  const calls = Array.from({ length: 60 }, () => fetch(`${host}/hangs`, { signal: stop.signal }).catch(() => 'stopped'))
  while (hanging.length < 10) await pause(5)
  const answer = await fetch(`${host}/answers`, { signal: AbortSignal.timeout(20_000) })
  t.equal(await answer.text(), 'there')
  stop.abort()
  t.same(await Promise.all(calls), Array(60).fill('stopped'))
})
