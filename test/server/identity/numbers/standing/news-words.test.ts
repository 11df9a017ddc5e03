import t from 'tap'
import { newsText } from '#server/identity/numbers/standing/news-words.ts'
import { readAccountNews } from '#server/whatsapp/fields/account-news.ts'
import { newsCodes } from '#server/whatsapp/fields/news-codes.ts'
import { languages } from '#shared/kernel/language.ts'
import { i18n } from '#test/helpers/i18n.ts'

const sayIn = (language: 'es' | 'en') => (key: string, params?: Record<string, string | number>) =>
  i18n.translator(language)(`standing:${key}`, params)

const partValue = (field: string, value: unknown, language: 'es' | 'en' = 'es') =>
  readAccountNews({ kind: 'management', wabaId: 'w', field, value } as Parameters<typeof readAccountNews>[0]).map(
    news => newsText(news, sayIn(language)),
  )

t.test('every code has words in both languages', async t => {
  for (const language of languages)
    for (const [kind, codes] of Object.entries(newsCodes))
      for (const code of codes) {
        const said = sayIn(language)(`newsCode.${kind}.${code}`)
        t.notMatch(said, /newsCode|[A-Z]{2}_|^[A-Z]+$/, `${language} ${kind} ${code}`)
      }
})

t.test('account news of Meta has texts', async t => {
  const cases: [string, unknown, string][] = [
    [
      'account_update',
      { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } },
      'Según Meta, la cuenta no cumplió sus normas (contenido para adultos)',
    ],
    [
      'account_update',
      {
        event: 'DISABLED_UPDATE',
        ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: 'January 31, 2027' },
      },
      'Meta cambió el estado de la cuenta (se va a bloquear, January 31, 2027)',
    ],
    [
      'account_update',
      { event: 'PARTNER_REMOVED', disconnection_info: { reason: 'PRIMARY_INACTIVITY' } },
      'Otra empresa dejó de tener acceso a la cuenta (el teléfono principal no se usó por mucho tiempo)',
    ],
    [
      'account_alerts',
      { alert_info: { alert_severity: 'WARNING', alert_status: 'ACTIVE', alert_type: 'OBA_APPROVED' } },
      'Aviso de Meta, la cuenta ya es oficial',
    ],
    [
      'account_settings_update',
      { phone_number_settings: { calling: {}, payload_encryption: {} } },
      'Cambió la configuración del número: llamadas, cifrado de los avisos',
    ],
    [
      'payment_configuration_update',
      { configuration_name: 'mp', status: 'Needs_Testing' },
      'Cobros con mp: falta probarlos',
    ],
    [
      'flows',
      { event: 'ENDPOINT_LATENCY', message: 'slow' },
      'Formulario de WhatsApp, tu servidor tarda en contestar: slow',
    ],
    [
      'business_username_updates',
      { username: 'trigal', status: 'revoked' },
      'Nombre de usuario trigal: Meta lo retiró',
    ],
    [
      'template_correct_category_detection',
      { message_template_name: 'aviso', correct_category: 'MARKETING' },
      'La plantilla aviso corresponde a la categoría Marketing',
    ],
    [
      'group_status_update',
      { groups: [{ group_id: 'g123456', type: 'group_suspend' }] },
      'Grupo …123456: Meta lo suspendió',
    ],
  ]
  for (const [field, value, said] of cases) {
    t.same(partValue(field, value), [said])
    t.notMatch(partValue(field, value, 'en').join(), /[A-Z]{3,}|_/, `${field} in English`)
  }
})

t.test('an unknown code is shown inside a text', async t => {
  t.same(partValue('account_update', { event: 'MOON_PHASE', violation_info: { violation_type: 'TIDE' } }), [
    'Algo que Recado todavía no conoce («MOON_PHASE») (algo que Recado todavía no conoce («TIDE»))',
  ])
  t.same(partValue('payment_configuration_update', {}), ['Cobros con —: —'])
})
