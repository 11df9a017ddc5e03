import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { publicLookup } from '#server/platform/outbound/address.ts'
import { allowedBy, createMayCall, readAllowedAddresses } from '#server/platform/outbound/allowed.ts'
import { createOutbound, createPublicFetch } from '#server/platform/outbound/outbound.ts'

t.test('a list has addresses and ranges of both families', async t => {
  const { addresses, faults } = readAllowedAddresses(' 127.0.0.1, 10.0.0.0/8 ,fd00::/8,, ')
  t.same([addresses, faults], [['127.0.0.1', '10.0.0.0/8', 'fd00::/8'], []])
  const isAllowed = allowedBy(addresses)
  for (const ip of ['127.0.0.1', '10.255.0.1', 'fd12::1']) t.ok(isAllowed(ip), ip)
  for (const ip of ['127.0.0.2', '11.0.0.1', 'fe80::1', '::1', '169.254.169.254', 'localhost', ''])
    t.notOk(isAllowed(ip), ip)
  for (const wrong of ['localhost', '10.0.0.0/33', '10.0.0.0/', '*', '0.0.0.0/0/0'])
    t.equal(readAllowedAddresses(wrong).faults.length, 1, wrong)
})

t.test('without a list nothing but usual addresses may be called; with one, what can be in it', async t => {
  const none = createMayCall([])
  const some = createMayCall(['10.0.0.0/8'])
  t.ok(none('https://example.com/'))
  for (const address of ['http://10.0.0.5:5678/webhook', 'http://n8n:5678/', 'https://n8n.internal/']) {
    t.notOk(none(address), address)
    t.ok(some(address), address)
  }
  for (const address of ['http://127.0.0.1/', 'http://[::1]/', 'ftp://10.0.0.5/', 'http://me:secret@10.0.0.5/', 'nope'])
    t.notOk(some(address), address)
})

t.test('a name that is called with http reaches only addresses of the list', async t => {
  const server = createServer((_request, response) => response.end('reached'))
  t.teardown(() => new Promise(done => server.close(done)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const outbound = (list: string[]) =>
    createOutbound({
      fetch: createPublicFetch(undefined, { isAllowed: allowedBy(list) }),
      mayCall: createMayCall(list),
    })
  const call = { timeoutMs: 3_000, maxBytes: 100 }
  const answer = await outbound(['127.0.0.1']).call(`http://127.0.0.1:${port}/`, call)
  t.equal(answer.body.toString(), 'reached')
  t.equal((await outbound(['127.0.0.0/8', '::1']).call(`http://localhost:${port}/`, call)).body.toString(), 'reached')
  await t.rejects(outbound(['10.0.0.0/8']).call(`http://localhost:${port}/`, call), {
    name: 'OutboundFailure',
    reason: 'private',
  })
  await t.rejects(outbound([]).call(`http://127.0.0.1:${port}/`, call), { name: 'OutboundFailure', reason: 'address' })
  // The first address of a name may be allowed, and another one not.
  const lookup = publicLookup(
    ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ])) as never,
    allowedBy(['127.0.0.1']),
  )
  await t.rejects(createPublicFetch(lookup)(`http://two.example.com:${port}/`), { cause: { name: 'PrivateAddress' } })
})
