import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Compile } from 'typebox/compile'
import { languages } from '#shared/kernel/language.ts'
import { orgSettingFields, orgSettingKeys, plainSettingField, plainSettingKeys } from '#shared/orgs/setting-fields.ts'
import { root } from '#test/helpers/sources.ts'

t.test('each field has a column of its own, and a default that can be stored', async t => {
  const columns = orgSettingKeys.map(key => orgSettingFields[key].column)
  t.equal(new Set(columns).size, columns.length)
  for (const key of orgSettingKeys) {
    const { schema, default: fallback } = orgSettingFields[key]
    t.ok(fallback === null || Compile(schema).Check(fallback), key)
  }
})

t.test('fields that the settings call changes have texts in both languages', async t => {
  for (const language of languages) {
    const texts = JSON.parse(readFileSync(join(root, `locales/${language}/org-settings.json`), 'utf8'))
    t.same(Object.keys(texts).sort(), [...plainSettingKeys].sort(), language)
    for (const key of plainSettingKeys) {
      const needed = plainSettingField(key).form ? ['label', 'hint', 'fault'] : ['label']
      t.same(Object.keys(texts[key]), needed, `${language} ${key}`)
    }
  }
})
