import t from 'tap'
import { buildTemplateMessage } from '#server/whatsapp/templates/template-message.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'

const template = (components: TemplateComponent[], parameterFormat: 'POSITIONAL' | 'NAMED' = 'POSITIONAL') => ({
  name: 'torta_lista',
  language: 'es_AR',
  parameterFormat,
  components,
})
const body: TemplateComponent = {
  type: 'BODY',
  text: 'Hola {{1}}, tu pedido {{2}} está listo. Gracias, {{1}} querida.',
}

t.test('values are placed as Meta requires, and the preview shows the result', async t => {
  const buttons: TemplateComponent = {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Voy' },
      { type: 'URL', text: 'Ver', url: 'https://x.com/p/{{1}}' },
      { type: 'COPY_CODE', example: 'A' },
    ],
  }
  const header: TemplateComponent = { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}' }
  const built = buildTemplateMessage(template([header, body, { type: 'FOOTER', text: 'Chau' }, buttons]), {
    header: { values: { 1: '42' } },
    body: { 1: 'Ana', 2: '42' },
    buttons: { 0: 'si', 1: 'abc', 2: 'DESC' },
  })
  t.same(built, {
    faults: null,
    message: {
      name: 'torta_lista',
      language: { code: 'es_AR' },
      components: [
        { type: 'header', parameters: [{ type: 'text', text: '42' }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: '42' },
          ],
        },
        { type: 'button', index: '0', sub_type: 'quick_reply', parameters: [{ type: 'payload', payload: 'si' }] },
        { type: 'button', index: '1', sub_type: 'url', parameters: [{ type: 'text', text: 'abc' }] },
        {
          type: 'button',
          index: '2',
          sub_type: 'copy_code',
          parameters: [{ type: 'coupon_code', coupon_code: 'DESC' }],
        },
      ],
    },
    preview: {
      header: 'Pedido 42',
      body: 'Hola Ana, tu pedido 42 está listo. Gracias, Ana querida.',
      footer: 'Chau',
      buttons: [{ text: 'Voy' }, { text: 'Ver', url: 'https://x.com/p/abc' }, { text: '' }],
      media: null,
      cards: [],
    },
  })
})

t.test('named values keep their names, and a document its file name', async t => {
  const named: TemplateComponent = { type: 'BODY', text: 'Hola {{nombre}}, tu factura está acá abajo.' }
  const header: TemplateComponent = { type: 'HEADER', format: 'DOCUMENT' }
  const built = buildTemplateMessage(template([header, named], 'NAMED'), {
    header: { media: { id: '9' }, fileName: 'factura.pdf' },
    body: { nombre: 'Ana' },
  })
  t.match(built, {
    message: {
      components: [
        { type: 'header', parameters: [{ type: 'document', document: { id: '9', filename: 'factura.pdf' } }] },
        { type: 'body', parameters: [{ type: 'text', parameter_name: 'nombre', text: 'Ana' }] },
      ],
    },
    preview: { media: { format: 'DOCUMENT', name: 'factura.pdf' } },
  })
})

t.test('what Meta would refuse is reported by field, and nothing is built', async t => {
  const codes = (values: Parameters<typeof buildTemplateMessage>[1], components: TemplateComponent[] = [body]) =>
    (buildTemplateMessage(template(components), values).faults ?? []).map(({ field, code }) => `${field} ${code}`)
  t.same(codes({}), ['body.1 valueRequired', 'body.2 valueRequired'])
  t.same(codes({ body: { 1: 'A\nB', 2: 'x' } }), ['body.1 valueOneLine'])
  t.same(codes({ body: { 1: 'a'.repeat(600), 2: 'x' } }), ['body tooLong'])
  t.same(codes({}, [{ type: 'HEADER', format: 'IMAGE' }]), ['header.media fileRequired'])
  t.same(codes({}, [{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://x.com/{{1}}' }] }]), [
    'buttons.0 valueRequired',
  ])
})

t.test('a limited-time offer requires its end, a form gets its token, and a code is required once', async t => {
  const offer: TemplateComponent = {
    type: 'LIMITED_TIME_OFFER',
    limited_time_offer: { text: 'Solo hoy', has_expiration: true },
  }
  const plain: TemplateComponent = { type: 'BODY', text: 'Dos medialunas por una.' }
  const buttons: TemplateComponent = { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'A' }] }
  const parts = template([offer, plain, buttons])
  const endsAt = '2026-12-01T20:00:00-03:00'
  for (const offerEndsAt of [undefined, '', 'mañana', '2026-12-01', '2026-12-01T20:00:00'])
    t.match(
      buildTemplateMessage(parts, { buttons: { 0: 'X2' }, ...(offerEndsAt === undefined ? {} : { offerEndsAt }) }),
      { faults: [{ field: 'offer.endsAt', code: 'offerEnd' }] },
      String(offerEndsAt),
    )
  t.match(buildTemplateMessage(parts, { buttons: { 0: 'X2' }, offerEndsAt: endsAt }), {
    message: {
      components: [
        {
          type: 'limited_time_offer',
          parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: Date.parse(endsAt) } }],
        },
        { type: 'button', sub_type: 'copy_code' },
      ],
    },
  })
  const form: TemplateComponent = { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Reservar', flow_id: '1' }] }
  t.match(buildTemplateMessage(template([plain, form]), {}), {
    message: { components: [{ sub_type: 'flow', index: '0', parameters: [{ action: { flow_token: 'unused' } }] }] },
  })
  const code: TemplateComponent[] = [
    { type: 'BODY', text: '{{1}} es tu código.' },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ]
  t.match(buildTemplateMessage(template(code), { body: { 1: '4711' } }), {
    message: {
      components: [
        { type: 'body', parameters: [{ text: '4711' }] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ text: '4711' }] },
      ],
    },
  })
  t.match(buildTemplateMessage(template(code), {}), { faults: [{ field: 'body.1', code: 'valueRequired' }] })
})

t.test('a template that cannot be sent from here is refused with the reason', async t => {
  const plain: TemplateComponent = { type: 'BODY', text: 'Mirá lo nuevo.' }
  const withButton = (type: string) => ({ type: 'BUTTONS', buttons: [{ type, text: 'Ver' }] }) as TemplateComponent
  const withHeader = (format: string) => ({ type: 'HEADER', format }) as TemplateComponent
  const card = (one: TemplateComponent) => ({ type: 'CAROUSEL', cards: [{ components: [one] }] }) as TemplateComponent
  const cases: [TemplateComponent, string][] = [
    [withButton('MPM'), 'needsProducts'],
    [withButton('SPM'), 'needsProducts'],
    [withButton('ORDER_DETAILS'), 'needsOrder'],
    [withButton('PAY_IN_SPACE'), 'needsOther'],
    [withHeader('PRODUCT'), 'needsProducts'],
    [withHeader('GIF'), 'needsGif'],
    [withHeader('HOLOGRAM'), 'needsOther'],
    [card(withHeader('PRODUCT')), 'needsProducts'],
  ]
  for (const [component, code] of cases)
    t.match(buildTemplateMessage(template([plain, component]), {}), { faults: [{ field: 'template', code }] }, code)
  for (const type of ['CATALOG', 'VOICE_CALL', 'REQUEST_CONTACT_INFO'])
    t.equal(buildTemplateMessage(template([plain, withButton(type)]), {}).faults, null, type)
})
