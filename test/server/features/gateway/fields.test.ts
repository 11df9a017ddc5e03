import t from 'tap'
import { gatewayStage } from '#test/helpers/gateway-stage.ts'

t.test('a program reads the fields of an edge, and nothing behind it', async t => {
  const { graph, number, waba } = await gatewayStage(t)
  const allowed = [
    `${number}?fields=id,status,throughput{level},health_status`,
    `${number}/whatsapp_business_profile?fields=about,email`,
    `${waba}?fields=name,currency`,
    `${waba}/phone_numbers?fields=verified_name`,
    `${waba}/message_templates?fields=name,status&limit=1`,
  ]
  for (const path of allowed) t.equal((await graph('GET', path)).status, 200, path)
  const refused: readonly (readonly [path: string, field: string, type: string])[] = [
    [`${number}?fields=webhook_configuration`, 'webhook_configuration', 'WhatsAppBusinessPhoneNumber'],
    [
      `${number}?fields=status,whatsapp_business_account{id}`,
      'whatsapp_business_account',
      'WhatsAppBusinessPhoneNumber',
    ],
    [`${number}?fields=constructor`, 'constructor', 'WhatsAppBusinessPhoneNumber'],
    [
      `${waba}?fields=owner_business{owned_whatsapp_business_accounts{id}}`,
      'owner_business',
      'WhatsAppBusinessAccount',
    ],
    [`${waba}?fields=assigned_users.limit(9){id}`, 'assigned_users', 'WhatsAppBusinessAccount'],
    [`${waba}?fields=pricing_analytics.start(1).end(2)`, 'pricing_analytics', 'WhatsAppBusinessAccount'],
    [`${waba}/phone_numbers?fields=certificate`, 'certificate', 'WhatsAppBusinessPhoneNumber'],
    [`${waba}/message_templates?fields=name,account`, 'account', 'WhatsAppMessageTemplate'],
    [`${waba}/flows?fields=application`, 'application', 'WhatsAppBusinessFlow'],
    [`${number}/whatsapp_business_profile?fields=owner`, 'owner', 'WhatsAppBusinessProfile'],
  ]
  for (const [path, field, type] of refused)
    t.match(
      await graph('GET', path),
      {
        status: 400,
        body: {
          error: {
            message: `(#100) Tried accessing nonexisting field (${field}) on node type (${type})`,
            type: 'OAuthException',
            code: 100,
            fbtrace_id: String,
          },
        },
      },
      path,
    )
})

t.test('fields that cannot be read are refused', async t => {
  const { graph, number } = await gatewayStage(t)
  for (const fields of ['status},owner{id', 'status{', 'status(}', 'status)(', '{}{owner', 'a&fields=b'])
    t.match(await graph('GET', `${number}?fields=${fields}`), { status: 400, body: { error: { code: 100 } } }, fields)
})

t.test('a query does not make another call of it', async t => {
  const { graph, number, waba } = await gatewayStage(t)
  for (const query of ['method=delete', `ids=${waba}`, 'metadata=1'])
    t.match(
      await graph('GET', `${number}?${query}`),
      { status: 200, body: { id: number, verified_name: String } },
      query,
    )
})
