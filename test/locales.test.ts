import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { errorCodes } from '#server/platform/http/errors.ts'
import { languages } from '#shared/kernel/language.ts'
import { lineOf, listFiles, readSource, root } from '#test/helpers/sources.ts'

type Texts = Map<string, string>

const flatten = (value: unknown, path: string, into: Texts): Texts => {
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) flatten(inner, path ? `${path}.${key}` : key, into)
  else into.set(path, value as string)
  return into
}

/** The texts of a language, by keys such as `inbox:row.unread_one`. */
const textsOf = (language: string): Texts => {
  const all: Texts = new Map()
  for (const path of listFiles([`locales/${language}`], /\.json$/)) {
    const namespace = basename(path, '.json')
    const inside = flatten(JSON.parse(readFileSync(join(root, path), 'utf8')), '', new Map())
    for (const [key, text] of inside) all.set(`${namespace}:${key}`, text)
  }
  return all
}

const byLanguage = new Map(languages.map(language => [language, textsOf(language)]))
const [first, ...others] = languages
const reference = byLanguage.get(first) as Texts
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{\s*-?\s*([\w.]+)[^}]*\}\}/g)].map(match => match[1] as string)
const pluralForm = /_(?:zero|one|two|few|many|other)$/
const baseOf = (key: string) => key.replace(pluralForm, '')
const withoutNamespace = (key: string) => key.slice(key.indexOf(':') + 1)

const claim = (name: string, faults: readonly string[]) =>
  t.test(name, async t => {
    for (const fault of faults) t.fail(fault)
    if (faults.length === 0) t.pass(name)
  })

const everyText = [...byLanguage].flatMap(([language, texts]) =>
  [...texts].map(([key, text]) => ({ language, key, text })),
)

/** Names of roles in code. Spanish texts have Spanish names for them. */
const roleNames = /\b(?:owners?|admins?|members?|viewers?)\b/i

claim(
  'no Spanish text names a role in English',
  [...(byLanguage.get('es') ?? [])].flatMap(([key, text]) => (roleNames.test(text) ? [`es ${key}: ${text}`] : [])),
)

claim(
  'every language has the same files and keys',
  others.flatMap(language => {
    const texts = byLanguage.get(language) as Texts
    return [
      ...[...reference.keys()].filter(key => !texts.has(key)).map(key => `locales/${language} lacks ${key}`),
      ...[...texts.keys()].filter(key => !reference.has(key)).map(key => `locales/${first} lacks ${key}`),
    ]
  }),
)

claim(
  'no text is empty',
  everyText
    .filter(({ text }) => typeof text !== 'string' || text.trim() === '' || !text.isWellFormed())
    .map(({ language, key }) => `locales/${language} ${key} is empty: write the text`),
)

/** The placeholders of a text. The form for one thing may leave out the number. */
const facts = (text: string) =>
  [...new Set(placeholders(String(text)))]
    .filter(name => name !== 'count')
    .sort()
    .join(', ')

claim(
  'all languages use the same placeholders',
  [...reference].flatMap(([key, text]) =>
    others.flatMap(language => {
      const other = byLanguage.get(language)?.get(key)
      if (other === undefined || facts(other) === facts(text)) return []
      return [`${key} takes {${facts(text)}} in ${first} and {${facts(other)}} in ${language}`]
    }),
  ),
)

// Spanish has a third form for round millions, which none of our counts reaches.
const neededForms = ['one', 'other'] as const
claim(
  'plurals are complete',
  [...byLanguage].flatMap(([language, texts]) =>
    [...new Set([...texts.keys()].filter(key => pluralForm.test(key)).map(baseOf))].flatMap(base =>
      neededForms
        .filter(form => !texts.has(`${base}_${form}`))
        .map(form => `locales/${language} lacks ${base}_${form}`),
    ),
  ),
)

const sources = listFiles(['server', 'client', 'shared'], /\.(ts|tsx)$/).map(readSource)

for (const { path, code } of sources)
  if (path !== 'server/platform/http/errors.ts' && /\bdefineErrors\(/.test(code)) await import(join(root, path))

claim(
  'every error code has a text in every language',
  [...byLanguage].flatMap(([language, texts]) =>
    [...errorCodes.keys()]
      .filter(code => !texts.has(`errors:${code}`))
      .map(code => `locales/${language}/errors.json lacks ${code}`),
  ),
)

/** Every string of the code, and every template as a pattern of the strings it can produce. */
const literals = new Set<string>()
const templates: { readonly start: string; readonly pattern: RegExp }[] = []
const quoted = /'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"/g
const template = /`((?:\\.|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`\\])*)`/g
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const hole = /\$\{((?:[^{}]|\{[^{}]*\})*)\}/g

const readStrings = (code: string): void => {
  for (const [, single, double] of code.matchAll(quoted)) literals.add(single ?? double ?? '')
  for (const [, text = ''] of code.matchAll(template)) {
    // A placeholder contains code with strings and templates of its own.
    for (const [, inner = ''] of text.matchAll(hole)) readStrings(inner)
    const parts = text.replace(hole, '\u0000').split('\u0000')
    const start = parts[0] as string
    // Only templates that begin like a key: `kind.${type}`, `errors:${code}`.
    if (parts.length === 1) literals.add(text)
    else if (/^[\w-]+[.:][\w.:-]*$/.test(start))
      templates.push({ start, pattern: new RegExp(`^${parts.map(escaped).join('[\\w.-]+')}$`) })
  }
}
for (const { code } of sources) readStrings(code)

const isWritten = (key: string) => {
  const base = baseOf(key)
  if (key.startsWith('errors:') && errorCodes.has(withoutNamespace(key))) return true
  const forms = [key, base, withoutNamespace(key), withoutNamespace(base)]
  if (forms.some(form => literals.has(form))) return true
  // `errors:${code}` does not say which codes exist; the registry above does.
  return templates.some(({ start, pattern }) => start !== 'errors:' && forms.some(form => pattern.test(form)))
}

claim(
  'every text is used',
  [...reference.keys()]
    .filter(key => !isWritten(key))
    .map(key => `${key} is used nowhere: delete it in every language`),
)

const call = /\b(?:t|i18n\.t)\(\s*(?:'([^']+)'|"([^"]+)")/g
const opened = /useTranslation\(\s*(\[[^\]]*\]|'[^']+')/g
/** Hooks that open a namespace: `useInboxWords` opens `inbox`. */
const openedByRoom = /\buse([A-Z]\w*)Words\(\)/g

claim(
  'every text that pages use exists',
  sources
    .filter(({ path }) => path.startsWith('client/'))
    .flatMap(({ path, code }) => {
      const named = [
        ...[...code.matchAll(opened)].flatMap(match =>
          [...(match[1] as string).matchAll(/'([^']+)'/g)].map(found => found[1] as string),
        ),
        ...[...code.matchAll(openedByRoom)].map(match => (match[1] as string).toLowerCase()),
      ]
      const isThere = (key: string) =>
        ['', ...neededForms.map(form => `_${form}`)].some(form =>
          key.includes(':') || named.length
            ? (key.includes(':') ? [key] : named.map(namespace => `${namespace}:${key}`)).some(full =>
                reference.has(full + form),
              )
            : [...reference.keys()].some(full => withoutNamespace(full) === key + form),
        )
      return [...code.matchAll(call)]
        .filter(match => !isThere((match[1] ?? match[2]) as string))
        .map(
          match =>
            `${path}:${lineOf(code, match.index)} uses ${match[1] ?? match[2]}, which no file in locales has: add it in every language`,
        )
    }),
)
