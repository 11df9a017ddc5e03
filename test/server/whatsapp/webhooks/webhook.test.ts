import fc from 'fast-check'
import t from 'tap'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { answerHandshake, UnreadableWebhook } from '#server/whatsapp/webhooks/webhook.ts'
import { payload, webhookNames } from '#test/helpers/payloads.ts'
import { itemsOf } from '#test/helpers/webhooks.ts'

const receivedAt = '2026-11-20T13:00:05.000Z'
const at = '2026-11-20T13:00:00.000Z'
const ana = { waId: '5491155551234', bsuid: 'AR.13491208655302741918', profileName: 'Ana Peña' }
const kim = { bsuid: 'AR.77771208655302741918', username: 'kim.fisher', profileName: 'Kim' }
const wabaId = '102290129340398'
const phoneNumberId = '106540352242922'
const read = (name: string) => itemsOf(payload(name), receivedAt)
const message = (body: object, facts: object = {}) => [
  { kind: 'message', wabaId, phoneNumberId, at, sender: ana, opensWindow: true, body, ...facts },
]
const media = (mime: string) => ({ providerId: '1003383421387256', mime, sha256: /^[0-9a-f]{64}$/ })
const raw = (part: string) => new RegExp(part)
const status = (state: string, seconds: number, facts: object = {}) => ({
  kind: 'status',
  status: state,
  at: `2026-11-20T13:00:0${seconds}.000Z`,
  recipient: { waId: '5491155551234' },
  ...facts,
})
const failed = (code: string, facts: object) => [status('failed', 5, { failure: { code, ...facts } })]
const managed = (field: string, value: object, facts: object = { at }) => [
  { kind: 'management', field, wabaId, value, ...facts },
]
const pastAt = (minute: string) => `2026-11-10T13:0${minute}:00.000Z`

/** The expected items of each webhook in `test/fixtures/whatsapp`; one without an entry fails. */
const claims: Record<string, object[]> = {
  text: message(
    { type: 'text', text: '¿Hola? ¿Tienen el modelo azul? 👍 https://ejemplo.com.ar/azul' },
    { wamid: /^wamid\./ },
  ),
  'text-reply': message({ type: 'text', text: 'Ese mismo' }, { replyToWamid: /^wamid\./ }),
  'text-forwarded': message({ type: 'text', content: { forwarded: true } }),
  'text-frequently-forwarded': message({ type: 'text', content: { forwarded: true, forwardedOften: true } }),
  'text-referred-product': message(
    { type: 'text', content: { referral: { sourceType: 'product', sourceId: 'AZUL-42' } } },
    { replyToWamid: /^wamid\./ },
  ),
  'text-referral': message({
    type: 'text',
    text: 'Quiero más información',
    content: {
      referral: {
        sourceType: 'ad',
        sourceId: '120226305854810726',
        url: 'https://fb.me/3cr4Wqqkv',
        headline: 'Zapatillas de verano',
        body: 'Envíos a todo el país',
        picture: /^https:/,
        welcome: /./,
        clickId: /./,
      },
    },
  }),
  image: message({ type: 'image', text: 'Así quedó ✨', media: media('image/jpeg') }),
  video: message({ type: 'video', text: 'El ruido', media: media('video/mp4') }),
  audio: message({ type: 'audio', text: '', media: media('audio/mpeg') }),
  voice: message({ type: 'voice', text: '', media: media('audio/ogg; codecs=opus') }),
  document: message({
    type: 'document',
    text: 'El comprobante',
    media: { ...media('application/pdf'), name: 'factura 0001_23.pdf' },
  }),
  sticker: message({ type: 'sticker', media: media('image/webp') }),
  location: message({
    type: 'location',
    text: 'Obelisco',
    content: {
      location: { latitude: -34.60373, longitude: -58.38157, name: 'Obelisco', address: 'Av. 9 de Julio s/n, CABA' },
    },
  }),
  'location-pin': message({
    type: 'location',
    text: '',
    content: { location: { latitude: -34.60373, longitude: -58.38157 } },
  }),
  contacts: message({
    type: 'contacts',
    text: 'Bárbara Suárez',
    content: {
      contacts: [
        {
          name: 'Bárbara Suárez',
          phones: ['+54 9 11 5555-0829'],
          emails: ['barbara@ejemplo.com.ar'],
          company: 'Librería Sur',
        },
        { name: '011 4555-0000', phones: ['011 4555-0000'], emails: [] },
      ],
    },
  }),
  'contacts-shared-by-request': message({ type: 'contacts', text: 'Ana Peña' }),
  reaction: [{ kind: 'reaction', at, sender: ana, targetWamid: /^wamid\./, emoji: '👍', opensWindow: true }],
  'reaction-removed': [{ kind: 'reaction', at, sender: ana, targetWamid: /^wamid\./, emoji: null, opensWindow: false }],
  'reaction-removed-empty': [
    { kind: 'reaction', at, sender: ana, targetWamid: /^wamid\./, emoji: null, opensWindow: false },
  ],
  button: message(
    {
      type: 'choice',
      text: 'No quiero más',
      content: { choice: { kind: 'quickReply', id: 'BAJA_860198', title: 'No quiero más' } },
    },
    { replyToWamid: /^wamid\./ },
  ),
  'button-without-context': message({ type: 'choice', content: { choice: { kind: 'quickReply', id: 'Confirmar' } } }),
  'interactive-button': message({
    type: 'choice',
    text: 'Cambiar',
    content: { choice: { kind: 'button', id: 'cambiar', title: 'Cambiar' } },
  }),
  'interactive-list': message({
    type: 'choice',
    text: 'Envío exprés',
    content: { choice: { kind: 'list', id: 'exp', title: 'Envío exprés', description: 'Llega mañana' } },
  }),
  'interactive-form': message({
    type: 'form',
    content: {
      form: {
        name: 'flow',
        fields: [
          { key: 'nombre', value: 'Ana' },
          { key: 'edad', value: '34' },
          { key: 'dni', value: '9007199254740993' },
          { key: 'acepta', value: 'true' },
          { key: 'talles', value: '38, 39' },
        ],
      },
    },
  }),
  'interactive-call-permission': message({
    type: 'choice',
    text: '',
    content: {
      choice: { kind: 'permission', id: 'accept', title: 'accept', until: '2026-11-27T13:00:00.000Z' },
    },
  }),
  'interactive-unknown': message({ type: 'unknown', content: { raw: raw('payment_reply') } }),
  'interactive-without-body': [
    ...message({ type: 'unknown', content: { raw: raw('"interactive"') } }),
    { kind: 'management', field: 'errors', value: [{ code: 131000 }] },
  ],
  order: message({
    type: 'order',
    text: 'Para el sábado',
    content: {
      order: {
        catalogId: '194836987003835',
        note: 'Para el sábado',
        items: [
          { sku: 'AZUL-42', quantity: 2, price: 30.5, currency: 'ARS' },
          { sku: 'ROJO-40', quantity: 1, price: 15, currency: 'ARS' },
        ],
      },
    },
  }),
  'system-changed-number': [
    {
      kind: 'identity',
      at,
      wamid: /^wamid\./,
      note: /changed from/,
      previous: { waId: '5491155551234', bsuid: 'AR.13491208655302741918' },
      current: { waId: '5493415556789', bsuid: 'AR.99991208655302741918' },
    },
  ],
  'system-changed-number-old': [
    { kind: 'identity', previous: { waId: '5491155551234' }, current: { waId: '5493415556789' } },
  ],
  'system-changed-user-id': [
    { kind: 'identity', previous: { waId: '5491155551234' }, current: { bsuid: 'AR.99991208655302741918' } },
  ],
  'system-identity-changed': message(
    { type: 'system', text: 'Ana Peña changed their identity', content: { news: { kind: 'identity' } } },
    { opensWindow: false },
  ),
  unsupported: message({ type: 'unsupported', content: { raw: raw('poll_creation'), withheld: 'poll' } }),
  'unsupported-old': message({ type: 'unsupported', content: { raw: raw('not currently supported') } }),
  'unsupported-too-big': message({ type: 'unsupported', content: { raw: raw('131052'), withheld: 'file' } }),
  ephemeral: message({ type: 'unsupported', content: { withheld: 'viewOnce' } }),
  'request-welcome': message({ type: 'welcome', text: '' }),
  edit: [
    { kind: 'edit', sender: ana, fromUs: undefined, at, targetWamid: /^wamid\./, text: '¿Tienen el modelo rojo?' },
  ],
  'edit-caption': [{ kind: 'edit', text: 'Así quedó al final' }],
  revoke: [{ kind: 'revoke', sender: ana, fromUs: undefined, at, targetWamid: /^wamid\./ }],
  // In another chat than Ana's own.
  group: message(
    { type: 'text', content: { group: { from: 'Ana Peña' } } },
    {
      groupId: 'Y2FwaV9ncm91cDo1NDkx',
      opensWindow: false,
      sender: { other: 'group Y2FwaV9ncm91cDo1NDkx', profileName: 'Grupo o1NDkx' },
    },
  ),
  'sender-unreadable': message(
    { type: 'text', text: '¿Siguen abiertos?' },
    { opensWindow: false, sender: { other: 'unknown 8812345678901234', profileName: 'Desconocido 8812345678901234' } },
  ),
  'sender-short-number': message({ type: 'text', text: 'Código' }, { sender: { waId: '16505' } }),
  'echo-in-messages': [
    { kind: 'echo', recipient: ana, body: { text: 'Te respondo desde el celular' } },
    { kind: 'echo', recipient: ana, body: { text: 'Y esto también' } },
  ],
  'contacts-vcard': message({
    type: 'contacts',
    text: 'Bárbara Ruiz',
    content: {
      contacts: [
        {
          name: 'Bárbara Ruiz',
          phones: ['+54 9 11 5555-0829'],
          emails: ['barbara@ejemplo.com.ar'],
          company: 'Panadería Sol, Ventas',
          addresses: ['Av. Corrientes 1234, 2° B, CABA, C1043, Argentina'],
          urls: ['https://ejemplo.com.ar'],
          birthday: '1990-05-04',
        },
      ],
    },
  }),
  'contacts-whole': message({
    type: 'contacts',
    content: {
      contacts: [
        {
          name: 'Bárbara Ruiz',
          company: 'Panadería Sol, Ventas',
          title: 'Encargada',
          addresses: ['Av. Corrientes 1234, CABA, Argentina'],
          urls: ['https://ejemplo.com.ar'],
          birthday: '1990-05-04',
        },
      ],
    },
  }),
  'form-nested': message({
    type: 'form',
    content: {
      form: {
        body: 'Enviado',
        fields: [
          { key: 'screen_0_Nombre_0', value: 'Ana' },
          { key: 'domicilio · calle', value: 'Belgrano' },
          { key: 'domicilio · numero', value: '50' },
          { key: 'turnos · 1 · dia', value: 'lunes' },
          { key: 'turnos · 1 · hora', value: '10' },
          { key: 'talles', value: '38, 39' },
        ],
      },
    },
  }),
  'form-list': message({
    type: 'form',
    content: { form: { body: 'Enviado', fields: [{ key: '', value: 'uno, dos' }] } },
  }),
  'order-without-price': message({
    type: 'order',
    content: { order: { items: [{ sku: 'AZUL-42', quantity: 2, price: undefined, currency: '' }] } },
  }),
  'call-permission-unreadable': message({
    type: 'choice',
    content: { choice: { kind: 'permission', title: 'accept', until: undefined } },
  }),
  'call-missed': message(
    { type: 'call', text: '', content: { call: { outcome: 'missed' } } },
    { wamid: 'wacid.HBgO', at: '2026-11-20T13:00:10.000Z' },
  ),
  'call-answered': message({ type: 'call', content: { call: { outcome: 'answered', seconds: 72 } } }),
  'call-ours': [{ kind: 'echo', recipient: ana, body: { type: 'call', content: { call: { outcome: 'missed' } } } }],
  'username-only': message({ type: 'text' }, { sender: kim }),
  'username-empty-number': message({ type: 'text' }, { sender: kim }),
  'user-id-in-from': message({ type: 'text' }, { sender: { bsuid: kim.bsuid, profileName: 'Kim' } }),
  'profile-name-hostile': message({ type: 'text', text: 'abc\nd' }, { sender: { ...ana, profileName: 'Ana Peña' } }),
  'profile-name-missing': message({ type: 'text' }, { sender: { waId: ana.waId } }),
  brazil: message({ type: 'text', text: 'Oi' }, { sender: { waId: '555198765432', profileName: 'João' } }),
  mexico: message({ type: 'text' }, { sender: { waId: '5215512345678', profileName: 'Lupita' } }),
  'unknown-type': message({ type: 'unknown', text: '', content: { raw: raw('"hologram":\\{"shape":"cube"') } }),
  'unknown-field': [{ kind: 'unknown', field: 'holograms', wabaId, phoneNumberId, raw: raw('"holograms"') }],
  'unknown-object': [{ kind: 'unknown', field: 'page', raw: raw('"object":"page"') }],
  'dashboard-sample': [
    {
      kind: 'message',
      wabaId: '0',
      phoneNumberId: '123456123',
      at: '2017-09-08T20:36:28.000Z',
      sender: { waId: '16315551181' },
    },
  ],
  'bad-timestamps': [receivedAt, receivedAt, receivedAt, receivedAt, at, receivedAt].map(stamp => ({
    kind: 'message',
    at: stamp,
  })),
  'value-errors': [{ kind: 'management', field: 'errors', phoneNumberId, value: [{ code: 130429 }] }],
  'value-errors-old': [{ kind: 'management', field: 'errors', value: [{ code: 0, title: 'AuthException' }] }],
  'batch-messages': [
    ...message({ type: 'text', text: 'uno' }),
    ...message({ type: 'text', text: 'dos' }, { sender: { waId: '5493415556789', profileName: 'Beto' } }),
    ...message({ type: 'image' }),
  ],
  'batch-numbers': [
    { kind: 'message', wabaId, phoneNumberId, body: { text: 'al primero' } },
    { kind: 'message', wabaId, phoneNumberId: '206540352242922', body: { text: 'al segundo' } },
    { kind: 'message', wabaId: '202290129340398', phoneNumberId: '306540352242922', body: { text: 'al tercero' } },
  ],
  duplicate: [...message({ text: '¿Hola?' }), ...message({ text: '¿Hola?' })],
  'out-of-order': [...message({ text: 'después' }, { at: '2026-11-20T13:01:00.000Z' }), ...message({ text: 'antes' })],
  'batch-with-malformed': [
    ...message({ type: 'text', text: 'antes' }),
    { kind: 'unknown', field: 'messages', raw: 'null' },
    { kind: 'unknown', field: 'messages', raw: raw('sin id') },
    ...message({ type: 'unknown', content: { raw: raw('no soy un objeto') } }),
    { kind: 'unknown', field: 'messages', raw: '7' },
    ...message({ type: 'unknown', content: { raw: raw('image/png') } }),
    ...message({ type: 'text', text: 'después' }),
  ],
  'status-sent': [status('sent', 1, { callback: 'intento-1', recipient: ana, wabaId, phoneNumberId })],
  'status-sent-v23': [status('sent', 1)],
  'status-sent-cbp': [status('sent', 1)],
  'status-delivered': [status('delivered', 2)],
  'status-read': [status('read', 3)],
  'status-played': [status('read', 4)],
  'status-failed-window': [
    status('failed', 5, {
      callback: 'intento-2',
      failure: { code: '131047', title: 'Re-engagement message', detail: /24 hours/ },
    }),
  ],
  'status-failed-undeliverable': failed('131026', { detail: 'Message Undeliverable.' }),
  'status-failed-ecosystem': failed('131049', {}),
  'status-failed-media': failed('131053', { title: 'Media upload error' }),
  'status-failed-experiment': failed('130472', {}),
  'status-failed-text-data': failed('131000', { detail: 'Something went wrong on our side' }),
  'status-failed-without-errors': failed('unknown', { title: '' }),
  'status-user-id-only': [status('delivered', 2, { recipient: ana })],
  'status-group': [status('read', 3, { recipient: {} })],
  'status-unknown': [{ kind: 'unknown', field: 'messages', raw: raw('"warning"') }],
  'status-batch-out-of-order': [status('read', 3), status('delivered', 2), status('sent', 1), status('sent', 1)],
  'template-status': managed('message_template_status_update', {
    event: 'APPROVED',
    message_template_id: 1689556908129832,
  }),
  'template-status-big-id': managed('message_template_status_update', { message_template_id: '90071992547409931234' }),
  'template-paused': managed('message_template_status_update', { event: 'PAUSED', reason: null }),
  'template-quality': managed('message_template_quality_update', { new_quality_score: 'YELLOW' }),
  'template-components': managed('message_template_components_update', { message_template_title: 'Pedido' }),
  'template-category-coming': managed('template_category_update', { correct_category: 'MARKETING' }),
  'template-category-changed': managed('template_category_update', { previous_category: 'UTILITY' }),
  'number-quality': managed('phone_number_quality_update', { event: 'THROUGHPUT_UPGRADE' }),
  'number-name': managed('phone_number_name_update', { decision: 'APPROVED' }),
  'account-ban': managed('account_update', { event: 'DISABLED_UPDATE' }),
  'account-restriction': managed('account_update', { event: 'ACCOUNT_RESTRICTION' }),
  'account-review': managed('account_review_update', { decision: 'APPROVED' }),
  capability: managed('business_capability_update', { max_phone_numbers_per_waba: 25 }),
  'account-alert': managed('account_alerts', { entity_type: 'BUSINESS' }),
  security: managed('security', { event: 'PIN_RESET_REQUEST' }),
  flows: managed('flows', { new_status: 'PUBLISHED' }),
  calls: managed('calls', { event: 'connect' }, { phoneNumberId }),
  'user-preferences-stop': managed('user_preferences', { user_preferences: [{ value: 'stop' }] }, { phoneNumberId }),
  'user-preferences-resume': managed(
    'user_preferences',
    { user_preferences: [{ value: 'resume' }] },
    { phoneNumberId },
  ),
  'user-id-update': [
    {
      kind: 'identity',
      at,
      note: 'User changed phone number',
      phoneNumberId,
      previous: { waId: '5491155551234', bsuid: 'AR.13491208655302741918' },
      current: { waId: '5491155551234', bsuid: 'AR.99991208655302741918' },
    },
  ],
  'echo-text': [
    { kind: 'echo', at, recipient: ana, body: { type: 'text', text: 'Ya te lo aparto' }, replyToWamid: /^wamid\./ },
  ],
  'echo-image': [{ kind: 'echo', recipient: ana, body: { type: 'image', text: 'Este', media: media('image/jpeg') } }],
  'echo-edit': [{ kind: 'edit', fromUs: true, text: 'Ya te lo aparto, Ana' }],
  'echo-revoke': [{ kind: 'revoke', fromUs: true, targetWamid: /^wamid\./ }],
  'echo-reaction': [{ kind: 'reaction', sender: ana, emoji: '❤️', fromUs: true }],
  'group-created': managed(
    'group_lifecycle_update',
    { groups: [{ subject: 'Pedidos del barrio' }] },
    { phoneNumberId },
  ),
  'group-renamed': managed(
    'group_settings_update',
    { groups: [{ group_subject: { text: 'Pedidos del sábado' } }] },
    { phoneNumberId },
  ),
  'state-sync': [
    ...managed('smb_app_state_sync', { state_sync: [{ action: 'add' }] }, { phoneNumberId }),
    ...managed('smb_app_state_sync', { state_sync: [{ action: 'remove' }] }, { phoneNumberId }),
  ],
  history: [
    {
      kind: 'echo',
      at: pastAt('0'),
      past: true,
      status: 'read',
      recipient: { waId: ana.waId, username: 'ana.p' },
      body: { text: 'Buenas, ¿le quedó bien?' },
    },
    {
      kind: 'message',
      at: pastAt('1'),
      past: true,
      opensWindow: false,
      sender: { waId: ana.waId },
      body: { text: 'Sí, gracias' },
    },
    { kind: 'echo', past: true, status: 'read', body: { type: 'unsupported', content: { withheld: 'pastFile' } } },
    { kind: 'echo', at: pastAt('3'), past: true, status: 'failed' },
    { kind: 'management', field: 'history', value: { metadata: { progress: 55 } } },
  ],
  'history-media': [
    {
      kind: 'message',
      past: true,
      opensWindow: false,
      sender: { waId: ana.waId },
      body: { type: 'image', media: { providerId: '24230790383178626', sha256: /^[0-9a-f]{64}$/ } },
    },
  ],
  'history-declined': [{ kind: 'management', field: 'history', value: { errors: [{ code: 2593109 }] } }],
}

const handedOver = (facts: object = {}) => [
  { kind: 'handover', wabaId, phoneNumberId, at, sender: { waId: ana.waId }, to: 'people', note: '', ...facts },
]
const byAgent = (body: object, facts: object = {}) => ({
  ...{ kind: 'echo', wabaId, phoneNumberId, at, recipient: { waId: ana.waId }, standby: true },
  body: { ...body, content: { metaAgent: true } },
  ...facts,
})

Object.assign(claims, {
  'standby-echo-text': [byAgent({ type: 'text', text: /^Abrimos/ })],
  'standby-echo-image': [byAgent({ type: 'image', text: 'El catálogo', media: media('image/jpeg') })],
  'standby-echo-user-id': [byAgent({ type: 'text' }, { recipient: { bsuid: ana.bsuid } })],
  'standby-echo-without-type': [byAgent({ type: 'text', text: 'Sin tipo' })],
  'standby-echo-flat': [byAgent({ type: 'text', text: 'Plano' })],
  'standby-mixed': [
    {
      kind: 'message',
      standby: true,
      opensWindow: true,
      body: { text: '¿A qué hora abren?', content: { metaAgent: true } },
    },
    byAgent({ type: 'text', text: 'A las 9' }, { at: receivedAt }),
    status('sent', 1),
  ],
  'standby-empty': [{ kind: 'unknown', field: 'standby', wabaId, phoneNumberId }],
  'handover-to-people': handedOver(),
  'handover-with-context': handedOver({ note: 'Quiere cambiar el talle del pedido 4711.' }),
  'handover-with-summary': handedOver({ sender: { bsuid: ana.bsuid }, note: 'Pide la factura' }),
  'handover-to-agent': handedOver({ to: 'metaAgent' }),
  'handover-without-roles': [{ kind: 'unknown', field: 'messaging_handovers', phoneNumberId }],
  'history-echoes': [
    {
      kind: 'echo',
      past: true,
      recipient: { waId: ana.waId },
      body: { type: 'image', text: 'El presupuesto', media: { providerId: '24230790383178627' } },
    },
    // The surrounding thread names the customer.
    { kind: 'echo', past: true, recipient: { other: 'unknown' }, body: { type: 'voice' } },
  ],
  'without-type': [
    ...message({
      type: 'location',
      content: { location: { name: 'Obelisco', url: 'https://ejemplo.com.ar/obelisco' } },
    }),
    ...message({
      type: 'contacts',
      content: { contacts: [{ phones: ['+54 9 11 5555-0829'], waIds: ['5491155550829'] }] },
    }),
    ...message({ type: 'text', text: 'Hola' }),
    ...message({ type: 'image', media: { providerId: '1003383421387256' } }),
    ...message({ type: 'unknown', content: { raw: raw('hologram') } }),
  ],
  'without-field': claims.text,
  'without-field-status': claims['status-read'],
  'without-field-template': claims['template-status'],
  'system-user-id-without-from': [
    { kind: 'identity', previous: { bsuid: ana.bsuid }, current: { bsuid: 'AR.99991208655302741918' } },
  ],
  'system-number-without-from': [
    {
      kind: 'identity',
      previous: { bsuid: ana.bsuid },
      current: { waId: '5493415556789', bsuid: 'AR.99991208655302741918' },
    },
  ],
  'system-parent-user-id': [
    {
      kind: 'identity',
      previous: { bsuid: 'AR.ENT.13491208655302741918' },
      current: { bsuid: 'AR.ENT.99991208655302741918' },
    },
  ],
  'system-of-nobody': [{ kind: 'unknown', field: 'messages', raw: raw('user_changed_user_id') }],
})

/** The same payloads while Meta's agent has the chat. */
const inStandby = [
  ...['text', 'text-reply', 'text-referral', 'image', 'video', 'audio', 'voice', 'document', 'sticker', 'location'],
  ...['location-pin', 'contacts', 'button', 'interactive-button', 'interactive-list', 'interactive-form', 'order'],
  ...['reaction', 'edit', 'revoke', 'unsupported', 'username-only', 'user-id-in-from', 'batch-messages'],
  ...['status-sent', 'status-delivered', 'status-read', 'status-failed-window'],
]
for (const name of inStandby)
  claims[`standby-${name}`] = (claims[name] ?? []).map(item => {
    const { kind, body } = item as { kind: string; body?: { content?: object } }
    if (kind === 'message')
      return { ...item, standby: true, body: { ...body, content: { ...body?.content, metaAgent: true } } }
    return kind === 'reaction' ? { ...item, standby: true } : item
  })

t.test('every payload gives the expected items', async t => {
  t.same(webhookNames(), Object.keys(claims).sort(), 'each row has a payload and each payload a row')
  for (const [name, expected] of Object.entries(claims)) {
    const items = read(name)
    t.equal(items.length, expected.length, `${name}: ${expected.length} items`)
    t.match(items, expected, name)
  }
})

t.test('reading a payload twice gives the same items', async t => {
  for (const name of webhookNames()) t.same(read(name), read(name))
})

t.test('the handshake echoes the challenge only with the right token, and nothing that could be markup', async t => {
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': 'tok' }
  t.equal(answerHandshake(query, 'tok'), '1158201444')
  for (const wrong of [
    { 'hub.verify_token': 'tok2' },
    { 'hub.verify_token': undefined },
    { 'hub.verify_token': ['tok', 'tok'] },
    { 'hub.mode': 'unsubscribe' },
    { 'hub.challenge': undefined },
    { 'hub.challenge': '<script>alert(1)</script>' },
    { 'hub.challenge': '1'.repeat(500) },
    { 'hub.challenge': '' },
  ])
    t.equal(answerHandshake({ ...query, ...wrong }, 'tok'), undefined, JSON.stringify(wrong))
  t.equal(answerHandshake({ ...query, 'hub.verify_token': '' }, ''), undefined, 'an empty token is never valid')
  t.equal(answerHandshake(undefined, 'tok'), undefined)
})

t.test('a body that is not JSON is an error; JSON that is not a webhook is kept', async t => {
  for (const body of ['', '{', '{"object":', 'hola', '\u0000'])
    t.throws(() => itemsOf(Buffer.from(body), receivedAt), UnreadableWebhook)
  for (const body of ['null', '7', '"text"', '[]', '{}', '{"object":"whatsapp_business_account"}', '{"entry":{}}'])
    t.match(itemsOf(Buffer.from(body), receivedAt), [{ kind: 'unknown', wabaId: '' }], body)
  t.match(
    itemsOf(Buffer.from('{"entry":[7,{"id":"1"},{"id":"1","changes":[null,{"field":"messages"}]}]}'), receivedAt),
    [
      { kind: 'unknown' },
      { kind: 'unknown', wabaId: '1' },
      { kind: 'unknown' },
      { kind: 'unknown', field: 'messages' },
    ],
  )
})

const envelope = (value: unknown, field = 'messages') =>
  Buffer.from(
    JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: wabaId, changes: [{ field, value }] }] }),
  )
const text = (facts: object = {}) => ({
  from: '5491155551234',
  id: 'wamid.A',
  timestamp: '1795179600',
  type: 'text',
  text: { body: 'hola' },
  ...facts,
})

t.test('contacts are matched to senders by identifier, not by position', async t => {
  const contacts = [
    { wa_id: '5493415556789', profile: { name: 'Beto' } },
    { wa_id: '541155551234', user_id: 'AR.1', profile: { name: 'Ana' } },
  ]
  t.match(itemsOf(envelope({ contacts, messages: [text()] }), receivedAt), [
    { sender: { waId: '5491155551234', bsuid: 'AR.1', profileName: 'Ana' } },
  ])
  t.match(itemsOf(envelope({ contacts, messages: [text({ from: undefined, from_user_id: 'AR.1' })] }), receivedAt), [
    { sender: { bsuid: 'AR.1', profileName: 'Ana' } },
  ])
  const [orphan] = itemsOf(envelope({ contacts, messages: [text({ from: '' })] }), receivedAt)
  t.match(
    orphan,
    { kind: 'message', sender: { other: 'unknown', bsuid: undefined } },
    'with several candidates none is assumed',
  )
  const [stranger] = itemsOf(envelope({ contacts, messages: [text({ from: '5492215550000' })] }), receivedAt)
  t.same(stranger?.kind === 'message' && stranger.sender, { waId: '5492215550000' })
})

t.test('a sender needs a valid number or a valid id', async t => {
  const senderOf = (from: unknown) => {
    const [item] = itemsOf(envelope({ messages: [text({ from })] }), receivedAt)
    return item?.kind === 'message' ? item.sender : item?.kind
  }
  t.same(senderOf('+54 9 11 5555-1234'), { waId: '5491155551234' })
  t.same(senderOf(5491155551234), { waId: '5491155551234' })
  t.same(senderOf('AR.ENT.77'), { bsuid: 'AR.ENT.77' })
  for (const from of ['', null, 'grupo@g.us', '12', '1'.repeat(40), {}, ['5491155551234'], 'AR.<b>'])
    t.match(senderOf(from), { other: /^unknown/, waId: undefined, bsuid: undefined }, JSON.stringify(from))
})

t.test('a timestamp is accepted up to a day after the arrival', async t => {
  const future = text({ timestamp: String(1795179600 + 30 * 86_400) })
  t.match(itemsOf(envelope({ messages: [future] }), receivedAt), [{ at: receivedAt }])
  const ahead = text({ timestamp: String(1795179600 + 3600) })
  t.match(itemsOf(envelope({ messages: [ahead] }), receivedAt), [{ at: '2026-11-20T14:00:00.000Z' }])
  t.match(
    itemsOf(envelope({ messages: [text({ timestamp: 1795179600 })] }), receivedAt),
    [{ at }],
    'a number is accepted',
  )
})

t.test('a missing timestamp is replaced by that of its entry, otherwise by the arrival', async t => {
  const body = {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: wabaId,
        time: 1795179600,
        changes: [{ field: 'messages', value: { messages: [text({ timestamp: undefined })] } }],
      },
    ],
  }
  t.match(itemsOf(Buffer.from(JSON.stringify(body)), receivedAt), [{ at }])
})

t.test('the JSON that is kept never exceeds 16 KB and never ends in half a character', async t => {
  const [item] = itemsOf(
    envelope({ messages: [text({ type: 'hologram', hologram: { body: `a${'ñ'.repeat(20_000)}` } })] }),
    receivedAt,
  )
  const kept = item?.kind === 'message' ? (item.body.content?.raw ?? '') : ''
  t.ok(Buffer.byteLength(kept) <= 16 * 1024 && Buffer.byteLength(kept) > 16_000)
  t.ok(kept.isWellFormed() && !kept.includes('\ufffd'))
})

t.test('text is kept as written, without characters that a database cannot store', async t => {
  const body = 'dos\nlíneas\ty \ud83d medio emoji\u0000'
  t.match(itemsOf(envelope({ messages: [text({ text: { body } })] }), receivedAt), [
    { body: { text: 'dos\nlíneas\ty \ufffd medio emoji' } },
  ])
  const [item] = itemsOf(envelope({ messages: [text({ text: { body: 'a'.repeat(200_000) } })] }), receivedAt)
  t.equal(item?.kind === 'message' && item.body.text.length, 65_536)
})

t.test('a file keeps only a type and a name that are safe to serve', async t => {
  const image = (facts: object) => {
    const [item] = itemsOf(
      envelope({ messages: [text({ type: 'document', document: { id: '1', ...facts } })] }),
      receivedAt,
    )
    return item?.kind === 'message' ? item.body.media : undefined
  }
  t.same(image({ mime_type: 'text/html\r\nset-cookie: a=b' }), { providerId: '1', mime: 'application/octet-stream' })
  t.same(image({ mime_type: 'Image/JPEG' }), { providerId: '1', mime: 'image/jpeg' })
  t.same(image({ filename: '../../etc/passwd\u0000', sha256: 'corto' }), {
    providerId: '1',
    mime: 'application/octet-stream',
    name: '.._.._etc_passwd',
  })
})

t.test('a message nested 140,000 deep becomes an unknown item, and those beside it are read', async t => {
  const deep = `${'['.repeat(140_000)}${']'.repeat(140_000)}`
  const body = (type: string, part: string) =>
    Buffer.from(
      `{"entry":[{"id":"1","changes":[{"field":"${type}","value":{"messages":[${part},${JSON.stringify(text())}],"x":12345678901234567890}}]}]}`,
    )
  t.match(itemsOf(body('messages', deep), receivedAt), [
    { kind: 'unknown' },
    { kind: 'message', body: { text: 'hola' } },
  ])
  t.match(
    itemsOf(body('messages', JSON.stringify(text({ type: 'x', x: 0 })).replace('"x":0', `"x":${deep}`)), receivedAt),
    [{ body: { type: 'unknown' } }, { kind: 'message' }],
  )
  t.match(itemsOf(body('flows', deep), receivedAt), [{ kind: 'unknown' }])
})

t.test('a customer’s link is kept only if it is http or https', async t => {
  const urlOf = (source_url: unknown) => {
    const [item] = itemsOf(envelope({ messages: [text({ referral: { source_url } })] }), receivedAt)
    return item?.kind === 'message' ? item.body.content?.referral?.url : undefined
  }
  for (const url of ['https://fb.me/2n0', 'http://example.com/?a=1', 'HTTPS://EXAMPLE.COM']) t.equal(urlOf(url), url)
  for (const url of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/x',
    '//example.com',
    'example.com',
    '',
    7,
    { a: 1 },
  ])
    t.equal(urlOf(url), null, JSON.stringify(url))
})

t.test('names of JavaScript properties are not mistaken for kinds, parts or fields', async t => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    t.match(itemsOf(envelope({ messages: [text({ type: name })] }), receivedAt), [
      { kind: 'message', body: { type: 'unknown' } },
    ])
    t.match(itemsOf(envelope({ messages: [text({ type: 'interactive', interactive: { type: name } })] }), receivedAt), [
      { body: { type: 'unknown' } },
    ])
    t.match(itemsOf(envelope({ statuses: [{ id: 'wamid.A', status: name }] }), receivedAt), [{ kind: 'unknown' }])
    t.match(itemsOf(envelope({}, name), receivedAt), [{ kind: 'unknown', field: name }])
  }
})

const wild = fc.anything({ maxDepth: 3, withNullPrototype: false })
const keys = fc.constantFrom(
  'type',
  'id',
  'from',
  'timestamp',
  'text',
  'image',
  'contacts',
  'interactive',
  'reaction',
  'system',
  'edit',
  'order',
  'context',
  'referral',
  'errors',
  'group_id',
)
const types = fc.constantFrom(
  'text',
  'image',
  'audio',
  'contacts',
  'interactive',
  'button',
  'order',
  'system',
  'reaction',
  'edit',
  'revoke',
  'unsupported',
  'location',
  '__proto__',
)
const garbage = fc.oneof(
  wild,
  fc.dictionary(keys, wild),
  fc
    .tuple(types, fc.dictionary(keys, wild), wild)
    .map(([type, rest, part]) => ({ id: 'wamid.G', from: '5491155550001', ...rest, type, [type]: part })),
)
const fieldNames = fc.constantFrom(
  'messages',
  'smb_message_echoes',
  'history',
  'user_id_update',
  'user_preferences',
  'account_update',
  'nothing',
)
const valueKeys = fc.constantFrom(
  'messages',
  'statuses',
  'errors',
  'contacts',
  'metadata',
  'message_echoes',
  'history',
  'user_id_update',
)
const json = (value: unknown) =>
  JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner))

const isWhole = (item: WebhookItem) =>
  typeof item.wabaId === 'string' &&
  (!('at' in item) || item.at === undefined || new Date(item.at).toISOString() === item.at)

t.test('a good message is read whatever is beside it, and nothing throws', async t => {
  fc.assert(
    fc.property(
      fc.array(garbage, { maxLength: 4 }),
      fc.array(garbage, { maxLength: 4 }),
      wild,
      (before, after, contacts) => {
        const value = {
          metadata: { phone_number_id: phoneNumberId },
          contacts,
          messages: [...before, text({ id: 'wamid.GOOD' }), ...after],
        }
        const body = json({
          object: 'whatsapp_business_account',
          entry: [{ id: wabaId, changes: [{ field: 'messages', value }] }],
        })
        const items = itemsOf(Buffer.from(body), receivedAt)
        const good = items.filter(
          item =>
            item.kind === 'message' &&
            item.wamid === 'wamid.GOOD' &&
            item.body.text === 'hola' &&
            item.sender.waId === '5491155551234',
        )
        return good.length === 1 && items.length === before.length + after.length + 1 && items.every(isWhole)
      },
    ),
    { numRuns: 500 },
  )
  t.pass()
})

t.test('a garbage entry throws nothing and does not affect the good one', async t => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fieldNames, fc.oneof(wild, fc.dictionary(valueKeys, fc.oneof(fc.array(garbage), wild)))), {
        maxLength: 4,
      }),
      wild,
      (changes, entry) => {
        const good = { field: 'messages', value: { messages: [text({ id: 'wamid.GOOD' })] } }
        const body = json({
          object: 'whatsapp_business_account',
          entry: [entry, { id: wabaId, changes: [...changes.map(([field, value]) => ({ field, value })), good] }],
        })
        const items = itemsOf(Buffer.from(body), receivedAt)
        return items.every(isWhole) && items.some(item => item.kind === 'message' && item.wamid === 'wamid.GOOD')
      },
    ),
    { numRuns: 500 },
  )
  t.pass()
})
