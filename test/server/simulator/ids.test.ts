import t from 'tap'
import { newAccessToken, newBsuid, newWamid } from '#server/simulator/ids.ts'
import { newGraphId, newTraceId, wamidOf } from '#server/whatsapp/serving/ids.ts'

t.test("a message id has the bytes of Meta's published samples", async t => {
  t.equal(
    wamidOf('16503879439', 'out', '4AD62084F2FA1632DE'),
    'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI0QUQ2MjA4NEYyRkExNjMyREUA',
  )
  t.equal(
    wamidOf('16503879439', 'in', '3A4A6599AEE03810144F'),
    'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=',
  )
})

t.test('ids have Graph’s forms and never repeat', async t => {
  const ids = new Set(Array.from({ length: 500 }, () => newGraphId()))
  t.equal(ids.size, 500)
  for (const id of ids) t.match(id, /^[1-9]\d{14}$/)
  t.match(newGraphId(17), /^[1-9]\d{16}$/)
  t.match(newTraceId(), /^A[A-Za-z0-9_-]{22}$/)
  t.match(newAccessToken(), /^EAA[A-Za-z0-9]{180,}$/)
  t.match(newBsuid('AR'), /^AR\.\d{20}$/)
  t.not(newWamid('5491155551234', 'out'), newWamid('5491155551234', 'out'))
})
