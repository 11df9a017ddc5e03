import t from 'tap'
import { auditFacts } from '#shared/audit/api.ts'
import { auditChangeText, auditCodes, auditValueText, inSentence } from '#shared/audit/words.ts'
import { i18n } from '#test/helpers/i18n.ts'

const wordsIn = (language: 'es' | 'en') => ({
  say: (key: string) => {
    const found = i18n.translator(language)(`audit:value.${key}`)
    t.notMatch(found, /value\./, `${language} ${key}`)
    return found
  },
  sayTime: (iso: string) => `at ${iso}`,
})

t.test('every code in an entry has words in both languages, and no entry shows a code', async t => {
  for (const language of ['es', 'en'] as const)
    for (const [fact, codes] of Object.entries(auditCodes))
      for (const code of codes) {
        const said = auditValueText(fact as keyof typeof auditCodes, code, wordsIn(language))
        // Some words are the same in English.
        if (language === 'es') t.not(said, code, `${fact} ${code}`)
      }
  t.ok(Object.keys(auditCodes).every(fact => (auditFacts as readonly string[]).includes(fact)))
})

t.test('states, roles, switches, times and sizes are put into words; names and texts stay unchanged', async t => {
  const es = wordsIn('es')
  t.equal(auditValueText('status', 'preparing', es), 'preparándose')
  t.equal(auditValueText('status', 'connected, reauthorise', es), 'conectado, hay que volver a autorizar')
  t.equal(auditValueText('role', 'billing', es), 'Facturación')
  t.equal(auditValueText('required', '1', es), 'sí')
  t.equal(auditValueText('confirms', '0', es), 'no')
  t.equal(auditValueText('startsAt', '2026-11-28T12:00:00.000Z', es), 'at 2026-11-28T12:00:00.000Z')
  t.equal(auditValueText('filesLimitBytes', String(2 ** 31), es), '2 GB')
  t.equal(auditValueText('name', 'preparing', es), 'preparing')
  t.equal(auditValueText('status', 'something of a later version', es), 'something of a later version')
})

t.test('a change shows the values before and after, or only the new one if there was none', async t => {
  const es = { ...wordsIn('es'), nothing: 'nada' }
  t.equal(auditChangeText({ fact: 'status', before: null, after: 'preparing' }, es), 'preparándose')
  t.equal(auditChangeText({ fact: 'status', before: 'draft', after: 'on' }, es), 'borrador → prendido')
  t.equal(auditChangeText({ fact: 'role', before: 'billing', after: null }, es), 'Facturación → nada')
})

t.test('an action after a name begins with a lower-case letter', async t => {
  t.equal(inSentence('Creó un flujo'), 'creó un flujo')
  t.equal(inSentence('SSO: creó'), 'SSO: creó')
})
