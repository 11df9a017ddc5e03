import type { lookup } from 'node:dns'
import t from 'tap'
import { isPublicAddress, PrivateAddress, publicLookup } from '#server/platform/outbound/address.ts'
import { isOutboundAddress } from '#shared/outbound/address.ts'

t.test('public addresses are told from private ones in all their forms', async t => {
  for (const address of ['142.250.79.10', '1.1.1.1', '2607:f8b0:4005:805::200a', '2a00:1450:4003::1'])
    t.ok(isPublicAddress(address), address)
  for (const address of [
    '127.0.0.1',
    '127.8.8.8',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
    'no address',
    '',
  ])
    t.notOk(isPublicAddress(address), address)
})

t.test('addresses of push services are accepted', async t => {
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
    'https://web.push.apple.com/QGuQyavXutnMtEw',
    'https://wns2-by3p.notify.windows.com/w/?token=BQYAAA%3d',
  ])
    t.ok(isOutboundAddress(endpoint), endpoint)
})

const answering = (...addresses: string[]) =>
  publicLookup(((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup)

t.test('a name is connected to only if all its addresses are public', async t => {
  const ask = (found: string[], all: boolean) =>
    new Promise((resolve, reject) =>
      answering(...found)('push.example.com', { all }, (error, address) => (error ? reject(error) : resolve(address))),
    )
  t.equal(await ask(['1.1.1.1'], false), '1.1.1.1')
  t.same(await ask(['1.1.1.1'], true), [{ address: '1.1.1.1', family: 4 }])
  for (const inside of ['127.0.0.1', '169.254.169.254', 'fd00::1'])
    await t.rejects(ask(['1.1.1.1', inside], true), PrivateAddress)
  await t.rejects(ask([], true))
})
