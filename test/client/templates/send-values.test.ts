import t from 'tap'
import {
  chosenFiles,
  filledComponents,
  isFilePlace,
  isSendable,
  keptValues,
  neededValues,
  sendBodyOf,
  wallTimeOf,
  zonedTime,
} from '#client/templates/send-values.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'

const components: TemplateComponent[] = [
  { type: 'HEADER', format: 'TEXT', text: 'Turno de {{1}}' },
  { type: 'BODY', text: 'Hola {{1}}, te esperamos el {{2}}.' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Voy' },
      { type: 'URL', text: 'Ver turno', url: 'https://x.example/{{1}}' },
    ],
  },
]

t.test('each value of a template has one field, which also shows its error', async t => {
  t.same(
    neededValues(components).map(({ field }) => field),
    ['body.headerExample.1', 'body.bodyExample.1', 'body.bodyExample.2', 'body.buttonExample.1'],
  )
  t.same(neededValues([{ type: 'BODY', text: 'Gracias.' }]), [])
  t.match(
    neededValues([
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hola' },
    ]),
    [{ field: 'body.image' }],
  )
})

t.test('a code is one field, an offer needs its end, and values nobody can enter are not offered', async t => {
  const code: TemplateComponent[] = [
    { type: 'BODY', text: '{{1}} es tu código.' },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ]
  t.same(
    neededValues(code).map(({ field }) => field),
    ['body.bodyExample.1'],
  )
  const offer: TemplateComponent = {
    type: 'LIMITED_TIME_OFFER',
    limited_time_offer: { text: 'Hoy', has_expiration: true },
  }
  t.match(neededValues([offer, { type: 'BODY', text: 'Dos por uno.' }]), [{ part: 'offer', field: 'body.offerEndsAt' }])
  const endsAt = '2026-12-01T20:00'
  t.equal(sendBodyOf('42', { 'body.offerEndsAt': endsAt }).offerEndsAt, new Date(endsAt).toISOString())
  t.equal(wallTimeOf(zonedTime(endsAt)), endsAt)
  t.equal(sendBodyOf('42', { 'body.image': 'https://x.example/a.pdf', 'body.name': ' f.pdf ' }).name, 'f.pdf')
  t.ok(isSendable([offer]))
  for (const type of ['MPM', 'SPM', 'ORDER_DETAILS'] as const)
    t.notOk(isSendable([{ type: 'BUTTONS', buttons: [{ type, text: 'Ver' }] }]), type)
})

t.test('entered values appear in the request and the preview; missing ones keep their placeholder', async t => {
  const values = { 'body.headerExample.1': 'Ana', 'body.bodyExample.1': ' Ana ', 'body.buttonExample.1': 'T-9' }
  t.same(sendBodyOf('42', values), {
    template: '42',
    headerExample: { 1: 'Ana' },
    bodyExample: { 1: 'Ana' },
    buttonExample: { 1: 'T-9' },
  })
  const [header, body] = filledComponents(components, values)
  t.match(header, { text: 'Turno de Ana' })
  t.match(body, { text: 'Hola Ana, te esperamos el {{2}}.' })
})

t.test('a file field accepts its kind, and templates that need other input are not offered', async t => {
  const body: TemplateComponent = { type: 'BODY', text: 'Hola' }
  for (const format of ['IMAGE', 'VIDEO', 'DOCUMENT'] as const) {
    t.ok(isSendable([{ type: 'HEADER', format }, body]))
    t.match(neededValues([{ type: 'HEADER', format }, body]), [{ part: 'file', format, field: 'body.image' }])
  }
  t.notOk(isSendable([{ type: 'HEADER', format: 'LOCATION' }, body]))
})

t.test('each card of a carousel has fields for its file and values, and shows them', async t => {
  const card = (text: string): { components: (TemplateComponent & { type: 'HEADER' | 'BODY' | 'BUTTONS' })[] } => ({
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://x.example/{{1}}' }] },
    ],
  })
  const carousel: TemplateComponent[] = [
    { type: 'BODY', text: 'Hola {{1}}' },
    { type: 'CAROUSEL', cards: [card('De {{1}}'), card('De todo')] },
  ]
  t.ok(isSendable(carousel))
  t.same(
    neededValues(carousel).map(({ field, card }) => `${card ?? '-'} ${field}`),
    [
      '- body.bodyExample.1',
      '0 body.cardExample.0.file',
      '0 body.cardExample.0.body.1',
      '0 body.cardExample.0.buttons.0',
      '1 body.cardExample.1.file',
      '1 body.cardExample.1.buttons.0',
    ],
  )
  const values = {
    'body.bodyExample.1': 'Ana',
    'body.cardExample.0.file': ' https://x.example/a.jpg ',
    'body.cardExample.0.body.1': 'pera',
    'body.cardExample.1.buttons.0': 'todo',
  }
  t.match(sendBodyOf('42', values), {
    bodyExample: { 1: 'Ana' },
    cardExample: {
      0: { file: 'https://x.example/a.jpg', body: { 1: 'pera' } },
      1: { buttons: { 0: 'todo' } },
    },
  })
  t.match(filledComponents(carousel, values)[1], {
    cards: [{ components: [{}, { text: 'De pera' }, {}] }, { components: [{}, { text: 'De todo' }, {}] }],
  })
})

t.test('headers show the template’s own files until another one is chosen', t => {
  const file = (card: number | null, id: string) => ({
    card,
    handle: `media:${id}`,
    url: `/api/whatsapp/template/media/${id}`,
    mime: 'image/png',
    name: null,
    size: 1,
  })
  const picture = { components: [{ type: 'HEADER' as const, format: 'IMAGE' as const }], media: [file(null, 'a')] }
  t.same(keptValues(picture), { 'body.image': 'media:a' })
  t.match(sendBodyOf('42', keptValues(picture)), { image: 'media:a' })
  t.same(keptValues({ ...picture, media: [] }), {}, 'one that was made elsewhere has none')
  t.same(keptValues({ ...picture, media: [file(0, 'b')] }), {}, 'that of a card is no header’s')
  t.same(['media:a', 'https://x.test/a.png', 'http://x.test/a.png', 'media:', 'media:../a', ''].filter(isFilePlace), [
    'media:a',
    'https://x.test/a.png',
  ])
  t.end()
})

t.test('the preview shows the chosen file: the stored one or another, never for an address', t => {
  const kept = { card: null, handle: 'media:k', url: '/k', mime: 'image/png', name: 'torta.png', size: 1 }
  const template = { components: [{ type: 'HEADER', format: 'IMAGE' } as const], media: [kept] }
  const shown = (file: string) => chosenFiles(template, { 'body.image': file })
  t.same(shown('media:k'), [kept])
  t.match(shown('media:other'), [{ card: null, url: '/api/whatsapp/template/media/other', mime: /^image/ }])
  t.same([shown('https://example.com/x.png'), shown('')], [[], []])
  t.end()
})
