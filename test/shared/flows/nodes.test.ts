import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { nodeFields, nodeKinds } from '#shared/flows/nodes/all.ts'
import { listFiles, root } from '#test/helpers/sources.ts'
import texts from '../../../locales/es/flows.json' with { type: 'json' }

t.test('every kind of node has a schema, a look and texts', async t => {
  const types = Object.keys(nodeKinds)
  t.same(Object.keys(nodeFields), types, 'programs get the kinds in the same order')
  for (const type of types) {
    t.ok(existsSync(join(root, `client/flows/nodes/looks/${type}.ts`)), `client/flows/nodes/looks/${type}.ts`)
    t.ok(texts.node[type as 'start'], `the title of ${type}`)
    t.ok(texts.nodeHint[type as 'start'], `the hint of ${type}`)
  }
  const kindsIn = (folder: string) => listFiles([folder], /\.tsx?$/).map(path => path.replace(/^.*\/|\.tsx?$/g, ''))
  t.same(kindsIn('client/flows/nodes/looks').sort(), types.sort(), 'no look is left over')
  t.same(
    kindsIn('client/flows/nodes/forms').filter(kind => !types.includes(kind)),
    [],
    'no form is left over',
  )
})

t.test('every problem of a flow has a text', async t => {
  const codes = listFiles(['shared/flows'], /\.ts$/).flatMap(path =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\bcode: '(\w+)'|'(\w+(?:TooLong))'/g)].map(
      ([, code, long]) => code ?? long ?? '',
    ),
  )
  t.ok(codes.length > 40)
  for (const code of new Set(codes)) t.ok(texts.problem[code as 'outputOpen'], code)
})
