import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { keyOf, rank } from '#client/palette/rank.ts'
import { settings } from '#client/palette/settings.ts'
import { synonymsOf } from '#client/palette/synonyms.ts'
import { organizationPages } from '#client/settings/sections.ts'
import { navigationFor } from '#client/shell/navigation.ts'
import { languages } from '#shared/kernel/language.ts'
import { listFiles, readSource, root } from '#test/helpers/sources.ts'

const textsOf = (language: string, namespace: string) =>
  JSON.parse(readFileSync(join(root, `locales/${language}/${namespace}.json`), 'utf8'))

/** Titles and words of all that an owner finds, in a language. */
const allOf = (language: string) => {
  const shell = textsOf(language, 'shell')
  const palette = textsOf(language, 'palette')
  const items = navigationFor({ role: 'owner', sandbox: true }).flatMap(({ items }) =>
    items.flatMap(item => [item, ...(item.items ?? [])]),
  )
  return [
    ...items.map(({ title }) => ({ name: title as string, title: shell.nav[title.slice('nav.'.length)] as string })),
    ...settings.map(({ name }) => ({ name: name as string, title: palette.setting[name] as string })),
  ]
}

/** What is found for typed words, best first. */
const find = (typed: string, language: string) =>
  allOf(language)
    .map(({ name, title }) => ({
      name,
      score: rank(keyOf(name, title), typed, [synonymsOf[name as keyof typeof synonymsOf] ?? '']),
    }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name)

const wanted: Readonly<Record<string, string>> = {
  miembros: 'members',
  members: 'members',
  usuarios: 'members',
  users: 'members',
  equipos: 'teams',
  teams: 'teams',
  contraseña: 'password',
  contrasena: 'password',
  password: 'password',
  sonido: 'notifications',
  sound: 'notifications',
  idioma: 'preferences',
  language: 'preferences',
  'zona horaria': 'region',
  'time zone': 'region',
  feriados: 'hours',
  holidays: 'hours',
  'palabras de baja': 'opt-outs',
  unsubscribe: 'opt-outs',
  '2fa': 'second-factor',
  firma: 'person',
  signature: 'person',
  'api keys': 'keys',
  campaña: 'nav.bulk',
  broadcast: 'nav.bulk',
  chatbot: 'nav.flows',
  canned: 'nav.settingsAnswers',
}
for (const language of languages)
  for (const [typed, name] of Object.entries(wanted))
    t.test(`“${typed}” finds ${name} on a page in ${language}`, async t => {
      t.ok(find(typed, language).includes(name), find(typed, language).join(', '))
    })

t.test('keywords are matched at the beginning of their words only', async t => {
  t.equal(rank('x\nPrecios', 'ono', ['sonido tono']), 0)
  t.equal(rank('x\nPrecios', 'prueba', ['perfil ruta baja']), 0)
  t.ok(rank('x\nPrecios', 'TÓN', ['sonido tono']) > 0)
  t.ok(rank('x\nPrecios', 'pre', ['premio']) > rank('x\nCostos', 'pre', ['precios']), 'a title is before a keyword')
})

t.test('every page and setting has other words by which it is found', async t => {
  const lacking = allOf('es').filter(({ name }) => !synonymsOf[name as keyof typeof synonymsOf])
  t.same(lacking, [])
})

t.test('every heading that the palette leads to exists, and every card of the settings is led to', async t => {
  const code = listFiles(['client/settings', 'client/notifications', 'client/outgoing-webhooks'], /\.tsx$/)
    .map(path => readSource(path).code)
    .join('\n')
  const written = [...code.matchAll(/<(?:h2|IntegrationCard)\s+id="([\w-]+)"/g)].map(([, id]) => id as string)
  const headings = [
    ...new Set([...written, ...organizationPages.flatMap(({ sections }) => sections.map(({ id }) => id as string))]),
  ]
  const led = settings.flatMap(({ url }) => url('x').split('#')[1] ?? [])
  t.same(
    led.filter(id => !headings.includes(id)),
    [],
  )
  t.same(
    headings.filter(id => !led.includes(id)),
    [],
  )
})
