import t from 'tap'
import { metaJson, signatureOf } from '#server/simulator/webhooks/serialize.ts'

const secret = 'sandbox-app-secret'

t.test('non-ASCII text and slashes are escaped like at Meta', async t => {
  t.equal(metaJson({ a: 'á/' }), '{"a":"\\u00e1\\/"}')
  t.equal(metaJson('👍'), '"\\ud83d\\udc4d"')
  t.equal(metaJson({ body: 'a"b\\c\n\u2028' }), '{"body":"a\\"b\\\\c\\n\\u2028"}')
  t.same(JSON.parse(metaJson({ 'ñ/': ['¿Hola? 👍 \u007f'] })), { 'ñ/': ['¿Hola? 👍 \u007f'] })
})

t.test('the signature covers exactly these bytes', async t => {
  t.equal(
    signatureOf(Buffer.from('{"a":"\\u00e1\\/"}'), secret),
    'sha256=2486a463d9b0ef19abce421642aa988e94efc61420c13e6cc5d188079f409d50',
  )
  const webhook = {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        changes: [
          {
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922' },
              contacts: [{ profile: { name: 'José Ñandú' }, wa_id: '5491155551234' }],
              messages: [
                {
                  from: '5491155551234',
                  id: 'wamid.HBgNNTQ5MTE1NTU1MTIzNBUCABIYFDNBNEE2NTk5QUVFMDM4MTAxNDRGAA==',
                  timestamp: '1763632800',
                  type: 'text',
                  text: { body: '¿Hola? 👍 http://x.y/z' },
                },
              ],
            },
            field: 'messages',
          },
        ],
      },
    ],
  }
  const body = Buffer.from(metaJson(webhook))
  t.equal(body.length, 529)
  t.equal(signatureOf(body, secret), 'sha256=72673dfe4f91635c0bef4ba28b3cd4681b92e3d6d2bf4575911c4e181755c5d8')
})
