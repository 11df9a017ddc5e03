import t from 'tap'
import { isOwnAddress } from '#client/app/address/own-address.ts'

t.test('an installation is reachable at its address, and on the local machine at each of its names', async t => {
  const site = 'https://recado.example.com'
  t.ok(isOwnAddress(site, site))
  for (const origin of [
    'http://recado.example.com',
    'https://www.recado.example.com',
    'https://recado.example.com:8443',
    'http://192.168.0.10:3000',
    'http://localhost:3000',
  ])
    t.notOk(isOwnAddress(site, origin), origin)
  for (const origin of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    t.ok(isOwnAddress('http://localhost:3000', origin), origin)
  t.notOk(isOwnAddress('http://localhost:3000', 'http://192.168.0.10:3000'))
})
