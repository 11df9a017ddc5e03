import t from 'tap'
import { emptyForm, newButton, newCard, type TemplateForm } from '#client/templates/builder/form.ts'
import { templateForm } from '#client/templates/builder/form-of-template.ts'
import { templateDraft } from '#client/templates/builder/form-to-draft.ts'
import { withFormat } from '#client/templates/builder/form-variables.ts'
import { startingPoints } from '#client/templates/builder/starting-points.ts'
import type { Template, TemplateDraft } from '#shared/templates/api.ts'
import { checkTemplate } from '#shared/templates/check.ts'

/** As the server returns it. */
const stored = (draft: TemplateDraft): Template => ({
  id: '1',
  status: 'APPROVED',
  quality: 'UNKNOWN',
  rejectedReason: null,
  updatedAt: '2026-11-22T00:00:00.000Z',
  createdAt: '2026-11-22T00:00:00.000Z',
  categoryAsked: null,
  note: null,
  pausedSince: null,
  pausedUntil: null,
  media: [],
  uses: 0,
  lastUsedAt: null,
  syncedAt: null,
  name: draft.name,
  language: draft.language,
  category: draft.category,
  parameterFormat: draft.parameterFormat ?? 'POSITIONAL',
  components: draft.components,
  ttlSeconds: draft.ttlSeconds ?? null,
})
const file = { handle: 'media:a' }
const form = (part: Partial<TemplateForm>): TemplateForm => ({
  ...emptyForm('es_AR'),
  name: 'pedido',
  body: 'Hola {{1}}, tu pedido {{2}} ya está listo para retirar hoy.',
  examples: { 1: 'Ana', 2: '1042' },
  ...part,
})
const forms: Readonly<Record<string, TemplateForm>> = {
  text: form({
    header: { kind: 'TEXT', text: 'Pedido {{1}}', examples: { 1: '1042' }, file: null },
    footer: 'Gracias',
    ttl: '600',
  }),
  picture: form({ header: { kind: 'IMAGE', text: '', examples: {}, file } }),
  place: form({ header: { kind: 'LOCATION', text: '', examples: {}, file: null } }),
  buttons: form({
    buttons: [
      { ...newButton('QUICK_REPLY'), text: 'Voy' },
      { ...newButton('URL'), text: 'Ver', url: 'https://example.com/{{1}}', example: 'https://example.com/1042' },
      { ...newButton('PHONE_NUMBER'), text: 'Llamar', phone: '+541155550100' },
      { ...newButton('COPY_CODE'), example: 'VERANO' },
      { ...newButton('FLOW'), text: 'Anotarme', flowId: '77', rest: { flow_action: 'navigate', navigate_screen: 'A' } },
      { ...newButton('VOICE_CALL'), text: 'Hablar' },
      newButton('CATALOG'),
    ],
  }),
  offer: form({ category: 'MARKETING', offer: { text: 'Solo hoy', expires: true }, asksToCall: true }),
  carousel: form({
    kind: 'CAROUSEL',
    cards: [newCard(), newCard()].map(card => ({
      ...card,
      file,
      body: 'Torta de {{1}} recién hecha',
      examples: { 1: 'manzana' },
      buttons: [{ ...newButton('QUICK_REPLY'), text: 'Quiero' }],
    })),
  }),
  code: form({
    category: 'AUTHENTICATION',
    body: '',
    examples: {},
    code: {
      recommends: true,
      minutes: '5',
      type: 'ZERO_TAP',
      text: '',
      autofill: 'Completar',
      apps: [{ package_name: 'com.ejemplo.app', signature_hash: 'K8a/AINcGX7' }],
      accepted: true,
    },
  }),
}

for (const [name, written] of Object.entries(forms))
  t.test(`${name}: the form is converted to Meta’s format and back unchanged`, async t => {
    const draft = templateDraft(written)
    t.same(checkTemplate(draft), [])
    t.same(templateDraft(templateForm(stored(draft))), draft)
  })

t.test('variables change format and back without losing an example', async t => {
  const { text } = forms
  const named = withFormat(text as TemplateForm, 'NAMED', 'dato')
  t.match(named, { body: /\{\{dato_1\}\}.*\{\{dato_2\}\}/, examples: { dato_1: 'Ana', dato_2: '1042' } })
  t.same(checkTemplate(templateDraft(named)), [])
  t.same(templateDraft(withFormat(named, 'POSITIONAL', 'dato')), templateDraft(text as TemplateForm))
})

t.test('a variable named like an Object property has no example until one is entered', async t => {
  const body = 'Hola, tu pedido {{constructor}} ya está listo para retirar hoy.'
  const named = form({ format: 'NAMED', body, examples: {} })
  const draftWith = (examples: Record<string, string>) =>
    JSON.parse(JSON.stringify(templateDraft({ ...named, examples })))
  const examplesIn = (draft: TemplateDraft) => draft.components.map(one => ('example' in one ? one.example : undefined))
  t.same(examplesIn(draftWith({})), [{ body_text_named_params: [{ param_name: 'constructor', example: '' }] }])
  t.same(checkTemplate(draftWith({ constructor: '1042' })), [])
})

for (const language of ['es', 'en'])
  t.test(`every starting point in ${language} can be sent as it is`, async t => {
    for (const { key, form } of startingPoints({ main: null, reader: language }))
      t.same(checkTemplate(templateDraft(form)), [], key)
  })

t.test("starting points follow the organization's main language where they are written in it", async t => {
  const written = (main: string | null, reader: string) => {
    const [first] = startingPoints({ main, reader })
    return [first?.form.language, first?.form.name]
  }
  t.same(written('es_MX', 'en'), ['es_MX', 'pedido_listo'])
  t.same(written('en_US', 'es'), ['en_US', 'order_ready'])
  t.same(written('en', 'es'), ['en', 'order_ready'])
  t.same(written('pt_BR', 'es'), ['es_AR', 'pedido_listo'], "the reader's, as these are not written in Portuguese")
  t.same(written('est', 'en'), ['en', 'order_ready'])
  t.same(written(null, 'en'), ['en', 'order_ready'])
})
