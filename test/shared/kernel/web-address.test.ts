import t from 'tap'
import { isWebAddress } from '#shared/kernel/web-address.ts'

t.test('addresses that a browser can open', async t => {
  for (const address of [
    'https://www.trigal.com.ar',
    'HTTP://trigal.com.ar/menú?de=hoy#postres',
    'https://panadería.example:8443/',
  ])
    t.ok(isWebAddress(address), address)
})

t.test('addresses that it cannot open, or that hide where they lead', async t => {
  for (const address of [
    '',
    'www.trigal.com.ar',
    'https://',
    'https:trigal.com.ar',
    'https://trigal',
    'https://tri gal.com.ar',
    'https://trigal.com.ar:99999',
    'ftp://trigal.com.ar',
    'javascript:alert(1)',
    'https://ana@trigal.com.ar',
    'https://ana:secreto@trigal.com.ar',
  ])
    t.notOk(isWebAddress(address), address)
})
