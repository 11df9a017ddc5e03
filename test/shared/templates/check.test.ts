import fc from 'fast-check'
import t from 'tap'
import type { TemplateDraft } from '#shared/templates/api.ts'
import { checkTemplate, parameterFormatOf } from '#shared/templates/check.ts'
import { fillVariables, variableNames } from '#shared/templates/variables.ts'

type Part = Record<string, unknown>
const body = (text: string, ...examples: string[]): Part => ({
  type: 'BODY',
  text,
  ...(examples.length ? { example: { body_text: [examples] } } : {}),
})
const draft = (components: Part[], more: Partial<TemplateDraft> = {}): TemplateDraft => ({
  name: 'pedido_listo',
  language: 'es_AR',
  category: 'UTILITY',
  components: components as never,
  ...more,
})
const good = body('Hola {{1}}, tu pedido {{2}} ya está listo.', 'Ana', '860198')
const buttons = (...list: Part[]): Part => ({ type: 'BUTTONS', buttons: list })
const quick = (text: string): Part => ({ type: 'QUICK_REPLY', text })
const web = (url: string, example?: string): Part => ({
  type: 'URL',
  text: 'Ver',
  url,
  ...(example ? { example: [example] } : {}),
})
const faults = (template: TemplateDraft) => checkTemplate(template).map(({ field, code }) => `${field} ${code}`)

t.test('a template that Meta accepts has no fault', async t => {
  const header = (format: string): Part => ({ type: 'HEADER', format, example: { header_handle: ['media:a'] } })
  const card = (handle: string): Part => ({
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } },
      body('Una torta de chocolate.'),
      buttons(quick('Quiero'), web('https://x.com/{{1}}', 'torta')),
    ],
  })
  const named = {
    type: 'BODY',
    text: 'Hola {{nombre}}, te esperamos el {{dia}} en la panadería.',
    example: {
      body_text_named_params: [
        { param_name: 'dia', example: 'sábado' },
        { param_name: 'nombre', example: 'Ana' },
      ],
    },
  }
  const accepted: [string, TemplateDraft][] = [
    ['body alone', draft([body('Tu pedido ya está listo.')])],
    [
      'every ordinary part',
      draft([header('DOCUMENT'), good, { type: 'FOOTER', text: 'Respondé BAJA' }, buttons(quick('Sí'), quick('No'))]),
    ],
    ['video', draft([header('VIDEO'), good])],
    ['place', draft([{ type: 'HEADER', format: 'LOCATION' }, good])],
    [
      'header with a variable',
      draft([{ type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}', example: { header_text: ['860'] } }, good]),
    ],
    ['named variables', draft([named])],
    [
      'buttons of all kinds',
      draft(
        [
          good,
          buttons(
            quick('Sí'),
            web('https://x.com'),
            web('https://x.com/p/{{1}}', 'abc'),
            { type: 'PHONE_NUMBER', text: 'Llamar', phone_number: '+5491155550000' },
            { type: 'COPY_CODE', example: 'DESC25' },
            { type: 'FLOW', text: 'Reservar', flow_id: '123' },
          ),
        ],
        { category: 'MARKETING' },
      ),
    ],
    [
      'carousel',
      draft([good, { type: 'CAROUSEL', cards: [card('media:a'), card('media:b')] }], { category: 'MARKETING' }),
    ],
    [
      'one-time code',
      draft(
        [
          { type: 'BODY', add_security_recommendation: true },
          { type: 'FOOTER', code_expiration_minutes: 10 },
          buttons({ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copiar' }),
        ],
        { category: 'AUTHENTICATION' },
      ),
    ],
    [
      'one tap',
      draft(
        [
          { type: 'BODY' },
          buttons({
            type: 'OTP',
            otp_type: 'ONE_TAP',
            supported_apps: [{ package_name: 'com.ejemplo.app', signature_hash: 'K8a/AINcGX7' }],
          }),
        ],
        { category: 'AUTHENTICATION' },
      ),
    ],
    [
      'offer',
      draft([{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Solo hoy' } }, good], {
        category: 'MARKETING',
      }),
    ],
  ]
  for (const [name, template] of accepted) t.same(faults(template), [], name)
})

t.test('each rule names its field', async t => {
  const refused: [string, TemplateDraft, string][] = [
    ['no name', draft([good], { name: '' }), 'name required'],
    ['capitals', draft([good], { name: 'Pedido' }), 'name nameCharacters'],
    ['513 characters', draft([good], { name: 'a'.repeat(513) }), 'name tooLong'],
    ['a language of nobody', draft([good], { language: 'es_XX' }), 'language languageUnknown'],
    ['nothing', draft([]), 'components bodyRequired'],
    ['1025 characters', draft([body(`${'a '.repeat(512)}a`)]), 'components.0.text tooLong'],
    ['begins with a variable', draft([body('{{1}} tu pedido está listo', 'Ana')]), 'components.0.text variableAtEdge'],
    ['ends with a variable', draft([body('Hola, tu pedido es {{1}} ', 'Ana')]), 'components.0.text variableAtEdge'],
    [
      'two together',
      draft([body('Hola señora {{1}} {{2}} su pedido está listo', 'a', 'b')]),
      'components.0.text variablesTogether',
    ],
    [
      'too many',
      draft([body('Hola {{1}}, va {{2}} y {{3}} ya.', 'a', 'b', 'c')]),
      'components.0.text variablesTooMany',
    ],
    ['a gap', draft([body('Hola {{1}}, tu pedido {{3}} ya está.', 'a', 'b')]), 'components.0.text variableOrder'],
    [
      'zero',
      draft([body('Hola {{0}}, tu pedido ya está.', 'a')], { parameterFormat: 'POSITIONAL' }),
      'components.0.text variableNumber',
    ],
    ['mixed', draft([body('Hola {{nombre}}, tu pedido {{1}} ya está.', 'a')]), 'components.0.text variableName'],
    ['a capital in a name', draft([body('Hola {{Nombre}}, tu pedido ya está.')]), 'components.0.text variableName'],
    ['stray braces', draft([body('Hola {{1}, tu pedido ya está.')]), 'components.0.text variableMalformed'],
    [
      'empty braces',
      draft([body('Hola {{}}, tu pedido ya está listo.')], { parameterFormat: 'POSITIONAL' }),
      'components.0.text variableNumber',
    ],
    [
      'no example',
      draft([body('Hola {{1}}, tu pedido {{2}} ya está.', 'Ana')]),
      'components.0.example.body_text.0.1 exampleRequired',
    ],
    [
      'an example in two lines',
      draft([body('Hola {{1}}, tu pedido ya está.', 'A\nB')]),
      'components.0.example.body_text.0.0 exampleOneLine',
    ],
    [
      '61 characters above',
      draft([{ type: 'HEADER', format: 'TEXT', text: 'a'.repeat(61) }, good]),
      'components.0.text tooLong',
    ],
    [
      'two variables above',
      draft([{ type: 'HEADER', format: 'TEXT', text: 'De {{1}} a {{2}}' }, good]),
      'components.0.text headerOneVariable',
    ],
    [
      'a picture without a file',
      draft([{ type: 'HEADER', format: 'IMAGE' }, good]),
      'components.0.example.header_handle fileRequired',
    ],
    ['a header of nothing', draft([{ type: 'HEADER', format: 'GIF' }, good]), 'components.0.format headerFormat'],
    ['a variable below', draft([good, { type: 'FOOTER', text: 'Hola {{1}}' }]), 'components.1.text noVariables'],
    ['61 characters below', draft([good, { type: 'FOOTER', text: 'a'.repeat(61) }]), 'components.1.text tooLong'],
    [
      'eleven buttons',
      draft([good, buttons(...Array.from({ length: 11 }, (_, i) => quick(`b${i}`)))]),
      'components.1.buttons tooMany',
    ],
    ['a label with an emoji', draft([good, buttons(quick('Voy 🎉'))]), 'components.1.buttons.0.text labelEmoji'],
    ['a label with a keycap', draft([good, buttons(quick('1️⃣'))]), 'components.1.buttons.0.text labelEmoji'],
    ['a label in bold', draft([good, buttons(quick('*Voy*'))]), 'components.1.buttons.0.text labelMarks'],
    ['a label with a variable', draft([good, buttons(quick('Voy {{1}}'))]), 'components.1.buttons.0.text noVariables'],
    ['a label on two lines', draft([good, buttons(quick('Voy\nya'))]), 'components.1.buttons.0.text oneLine'],
    ['a long label', draft([good, buttons(quick('a'.repeat(26)))]), 'components.1.buttons.0.text tooLong'],
    [
      'replies apart',
      draft([good, buttons(quick('Sí'), web('https://x.com'), quick('No'))]),
      'components.1.buttons quickRepliesApart',
    ],
    [
      'replies between',
      draft([good, buttons(web('https://x.com'), quick('No'), web('https://y.com'))]),
      'components.1.buttons quickRepliesApart',
    ],
    [
      'three addresses',
      draft([good, buttons(web('https://x.com'), web('https://y.com'), web('https://z.com'))]),
      'components.1.buttons.2.type tooManyOfKind',
    ],
    [
      'a variable in the middle',
      draft([good, buttons(web('https://x.com/{{1}}/a', 'b'))]),
      'components.1.buttons.0.url urlVariableAtEnd',
    ],
    [
      'an address without example',
      draft([good, buttons(web('https://x.com/{{1}}'))]),
      'components.1.buttons.0.example.0 exampleRequired',
    ],
    ['a script', draft([good, buttons(web('javascript:alert(1)'))]), 'components.1.buttons.0.url urlInvalid'],
    [
      'a code of 16',
      draft([good, buttons({ type: 'COPY_CODE', example: 'a'.repeat(16) })]),
      'components.1.buttons.0.example tooLong',
    ],
    [
      'a code button in a sale',
      draft([good, buttons({ type: 'OTP', otp_type: 'COPY_CODE' })]),
      'components.1.buttons.0.type buttonNotHere',
    ],
    ['no flow', draft([good, buttons({ type: 'FLOW', text: 'Ir' })]), 'components.1.buttons.0.flow_id flowRequired'],
    ['two bodies', draft([good, good]), 'components.1.type componentTwice'],
    ['a part of nobody', draft([good, { type: 'BANNER' }]), 'components.1.type componentUnknown'],
    ['an inherited name', draft([good, { type: 'constructor' }]), 'components.1.type componentUnknown'],
    [
      'a code with a text',
      draft([{ type: 'BODY', text: 'Tu código' }, buttons({ type: 'OTP', otp_type: 'COPY_CODE' })], {
        category: 'AUTHENTICATION',
      }),
      'components.0.text codeOwnText',
    ],
    ['a code without button', draft([{ type: 'BODY' }], { category: 'AUTHENTICATION' }), 'components codeButton'],
    [
      '91 minutes',
      draft(
        [
          { type: 'BODY' },
          { type: 'FOOTER', code_expiration_minutes: 91 },
          buttons({ type: 'OTP', otp_type: 'COPY_CODE' }),
        ],
        { category: 'AUTHENTICATION' },
      ),
      'components.1.code_expiration_minutes range',
    ],
    ['one card', draft([good, { type: 'CAROUSEL', cards: [{}] }]), 'components.1.cards cardCount'],
    [
      'a footer beside cards',
      draft([good, { type: 'FOOTER', text: 'x' }, { type: 'CAROUSEL', cards: [] }]),
      'components.1.type besideCarousel',
    ],
    ['a life too short', draft([good], { ttlSeconds: 10 }), 'ttlSeconds range'],
  ]
  for (const [name, template, fault] of refused) t.ok(faults(template).includes(fault), `${name}: ${faults(template)}`)
})

t.test('the cards of a carousel must have the same structure', async t => {
  const card = (...types: string[]): Part => ({
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['media:a'] } },
      buttons(...types.map(type => (type === 'URL' ? web('https://x.com') : quick('Sí')))),
    ],
  })
  const template = draft([good, { type: 'CAROUSEL', cards: [card('QUICK_REPLY', 'URL'), card('URL')] }])
  t.same(faults(template), ['components.1.cards.1.components cardsDiffer'])
})

t.test('any input from the network gets an answer, never an exception', async t => {
  const words = fc.constantFrom('HEADER', 'BODY', 'BUTTONS', 'CAROUSEL', 'URL', 'OTP', 'TEXT', '{{1}}', '__proto__', '')
  const { tree } = fc.letrec(tie => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      words,
      fc.anything({ maxDepth: 1 }),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(
        fc.constantFrom('type', 'text', 'format', 'buttons', 'cards', 'components', 'example', 'url'),
        tie('tree'),
      ),
    ),
  }))
  fc.assert(
    fc.property(
      fc.array(tree, { maxLength: 6 }),
      fc.constantFrom('MARKETING', 'UTILITY', 'AUTHENTICATION'),
      (list, category) => {
        for (const { field, code } of checkTemplate(draft(list as Part[], { category: category as 'UTILITY' })))
          if (field === '' || code === '') throw new Error('a fault without a place')
      },
    ),
    { numRuns: 400 },
  )
  t.pass('no exception')
})

t.test('a far too long text is refused for its length alone', async t => {
  t.same(faults(draft([body('{{'.repeat(250_000)), { type: 'FOOTER', text: '{{1}} '.repeat(80_000) }])), [
    'components.0.text tooLong',
    'components.1.text tooLong',
  ])
  t.same(faults(draft([body(`{{${' '.repeat(3000)}`)])), ['components.0.text tooLong'])
})

t.test('the texts tell the variable format, and values fill them in', async t => {
  t.equal(parameterFormatOf(draft([body('Hola {{1}}')])), 'POSITIONAL')
  t.equal(parameterFormatOf(draft([body('Hola {{nombre}}')])), 'NAMED')
  t.same(variableNames('{{2}} a {{1}} b {{2}}'), ['1', '2'])
  t.equal(fillVariables('Hola {{1}} y {{ 2 }} y {{3}}', { 1: 'Ana', 2: '{{1}}' }), 'Hola Ana y {{1}} y {{3}}')
})
