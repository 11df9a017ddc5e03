/** The same calls to the simulated Graph API and to the gateway get the same answers, ids and addresses aside. */
import t from 'tap'
import { gatewayCustomer, gatewayStage } from '#test/helpers/gateway-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

type Call = readonly ['GET' | 'POST' | 'DELETE', string, object?]

const text = { messaging_product: 'whatsapp', to: `+${gatewayCustomer}`, type: 'text', text: { body: 'Hola' } }
const template = (name: string) => ({ ...text, type: 'template', template: { name, language: { code: 'es_AR' } } })
const newTemplate = {
  name: 'aviso_nuevo',
  language: 'es_AR',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Tu pedido está listo para retirar.' }],
}

/** With `{n}` for the number's id and `{w}` for the account's. */
const calls: readonly Call[] = [
  ['POST', '{n}/messages', text],
  ['POST', '{n}/messages', { ...text, to: '12' }],
  ['POST', '{n}/messages', { ...text, messaging_product: undefined }],
  ['POST', '{n}/messages', { ...text, text: undefined }],
  ['POST', '{n}/messages', { ...text, text: { body: '' } }],
  ['POST', '{n}/messages', { ...text, type: 'carrier_pigeon' }],
  ['POST', '{n}/messages', { ...text, type: 'image', image: {} }],
  ['POST', '{n}/messages', { ...text, type: 'image', image: { id: '1' } }],
  ['POST', '{n}/messages', { ...text, type: 'image', image: { link: 'https://shop.example/a.png' } }],
  ['POST', '{n}/messages', { ...text, type: 'interactive', interactive: { type: 'button', body: { text: 'x' } } }],
  ['POST', '{n}/messages', template('no_such_template')],
  ['POST', '{n}/messages', { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.none' }],
  ['POST', '{n}/messages', { messaging_product: 'whatsapp', status: 'seen', message_id: 'wamid.none' }],
  ['GET', '{n}'],
  ['GET', '{n}?fields=display_phone_number,verified_name,quality_rating'],
  ['GET', '{n}?fields=shoe_size'],
  ['GET', '{n}/whatsapp_business_profile?fields=about,websites,vertical'],
  ['POST', '{n}/whatsapp_business_profile', { messaging_product: 'whatsapp', about: 'Panes desde 1950' }],
  ['GET', '{n}/whatsapp_business_profile?fields=about'],
  ['POST', '{n}/whatsapp_business_profile', { messaging_product: 'whatsapp', vertical: 'CIRCUS' }],
  ['GET', '{n}/block_users'],
  ['POST', '{n}/calls', { messaging_product: 'whatsapp', action: 'connect', to: gatewayCustomer }],
  ['GET', `{n}/call_permissions?user_wa_id=${gatewayCustomer}`],
  ['GET', '{n}/nothing'],
  ['GET', '{w}'],
  ['GET', '{w}/phone_numbers'],
  ['GET', '{w}/flows'],
  ['GET', '{w}/message_templates?fields=name,status,language&limit=1'],
  ['GET', '{w}/message_templates?name=no_such_template'],
  ['GET', '{w}/message_templates?status=["PAUSED","DISABLED"]'],
  ['POST', '{w}/message_templates', newTemplate],
  ['POST', '{w}/message_templates', { ...newTemplate, name: 'otro_aviso', components: [] }],
  ['DELETE', '{w}/message_templates?name=no_such_template'],
  ['GET', '424242424242'],
  ['DELETE', '424242424242'],
  ['GET', 'me'],
]

const volatile = new Set(['id', 'fbtrace_id', 'next', 'previous', 'before', 'after', 'wa_id', 'user_id'])
/** With a mark in place of what differs from call to call. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, volatile.has(name) ? typeof inner : plain(inner)]),
  )
}

t.test('the gateway answers what Meta would', async t => {
  const { backend, number, waba, key, say, databases } = await gatewayStage(t)
  await say('Buenas')
  const { id } = await databases.read.selectFrom('wa_connection').select('id').executeTakeFirstOrThrow()
  const token = (await backend.parts.numbers.findByConnectionId(id))?.accessToken ?? ''
  const ask = async ([method, path, body]: Call, at: string, bearer: string) => {
    const reply = await backend.inject({
      method,
      url: `${at}/v25.0/${path.replace('{n}', number).replace('{w}', waba)}`,
      headers: { authorization: `Bearer ${bearer}` },
      ...(body ? { payload: body } : {}),
    })
    await backend.settle()
    return { status: reply.statusCode, body: reply.json() }
  }
  for (const call of calls) {
    const [method, path, body] = call
    // The template exists after the first time.
    const other = body === newTemplate ? ([method, path, { ...newTemplate, name: 'aviso_segundo' }] as const) : call
    const meta = await ask(call, '/sandbox/graph', token)
    const ours = await ask(other, '/graph', key)
    t.same(plain(ours), plain(meta), `${method} ${path} ${JSON.stringify(body ?? '')}`)
  }
  const page = await ask(['GET', '{w}/message_templates?limit=1'], '/graph', key)
  t.match(page.body.paging.next, new RegExp(`/graph/v25.0/${waba}/message_templates\\?`))
  t.notMatch(page.body.paging.next, token)
  const next = new URL(page.body.paging.next)
  const second = await backend.inject({ url: next.pathname + next.search, headers: { authorization: `Bearer ${key}` } })
  t.not(second.json().data[0].id, page.body.data[0].id)
  t.match(await ask(['GET', `debug_token?input_token=${key}`], '/graph', key), {
    status: 200,
    body: { data: { is_valid: true, scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'] } },
  })
  t.match(await ask(['GET', 'debug_token?input_token=x'], '/graph', key), { body: { data: { is_valid: false } } })
  t.match(await ask(['POST', '{n}/register', { pin: '123456' }], '/graph', key), {
    status: 403,
    body: { error: { code: 10 } },
  })
  t.match(await ask(['POST', '{w}/subscribed_apps'], '/graph', key), { body: { success: true } })
  t.match(await ask(['GET', '{n}?access_token=x'], '/graph', key), { status: 200 }, 'the header counts')
  t.same(backend.errors(), [])
})
