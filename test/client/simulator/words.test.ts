import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { faultCodes } from '#client/simulator/words.ts'
import { languages } from '#shared/kernel/language.ts'
import { namedFaults } from '#shared/simulator/faults.ts'
import { root } from '#test/helpers/sources.ts'

for (const language of languages)
  t.test(`every simulated failure has a plain name in ${language}`, async t => {
    const { fault } = JSON.parse(readFileSync(join(root, `locales/${language}/simulator.json`), 'utf8'))
    t.same(Object.keys(fault.code).sort(), [...new Set([...faultCodes, ...namedFaults])].sort())
  })
