import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type FlowNode, type NodeOf, nodeKind } from '#shared/flows/graph.ts'
import { type FlowNames, templateKey, templateText } from '#shared/flows/names.ts'
import { nodeFields, nodeKinds } from '#shared/flows/nodes/all.ts'
import type { FlowRule } from '#shared/flows/nodes/condition.ts'
import { listFiles, root } from '#test/helpers/sources.ts'
import texts from '../../../locales/es/flows.json' with { type: 'json' }

t.test('every kind of node has a schema and texts', async t => {
  const types = Object.keys(nodeKinds)
  t.same(Object.keys(nodeFields), types, 'programs get the kinds in the same order')
  for (const type of types) {
    t.ok(texts.node[type as 'start'], `the title of ${type}`)
    t.ok(texts.nodeHint[type as 'start'], `the hint of ${type}`)
  }
  const forms = listFiles(['client/flows/nodes'], /\.tsx$/).map(path => path.replace(/^.*\/|\.tsx$/g, ''))
  t.ok(forms.length > 10)
  t.same(
    forms.filter(kind => !types.includes(kind)),
    [],
    'no form is left over',
  )
})

const written = new Set<string>()
const collect = (value: object, path: string): void => {
  for (const [key, inner] of Object.entries(value))
    if (typeof inner === 'string') written.add((path + key).replace(/_(one|other)$/, ''))
    else collect(inner, `${path}${key}.`)
}
collect(texts, '')

const at = { id: 'n', x: 0, y: 0 }
const variable = { left: 'variable', name: 'flujo.v', value: '1' } as const
const rules: readonly FlowRule[] = [
  ...(['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith', 'greater'] as const).map(
    op => ({ ...variable, op }) as const,
  ),
  ...(['greaterOrEqual', 'less', 'lessOrEqual', 'isSet', 'isEmpty', 'fitsPattern', 'notFitsPattern'] as const).map(
    op => ({ ...variable, op }) as const,
  ),
  ...[{ left: 'tag', op: 'has', tagId: 't' } as const, { left: 'tag', op: 'hasNot', tagId: 't' } as const],
  ...[{ left: 'hours', op: 'inside' } as const, { left: 'hours', op: 'outside' } as const],
  ...[{ left: 'window', op: 'open' } as const, { left: 'window', op: 'closed' } as const],
]
const named: FlowNames = {
  ...{ tags: new Map([['t', 'VIP']]), teams: new Map([['e', 'Ventas']]), members: new Map([['u', 'Ana']]) },
  ...{ flows: new Map([['f', 'Menú']]), sends: new Map(), templates: new Map([['aviso es', 'Hola {{1}}']]) },
}
const branches = [
  { id: 'a', weight: 60 },
  { id: 'b', weight: 40 },
]
const summaries: readonly (readonly [FlowNode, string])[] = [
  ...(['image', 'video', 'audio', 'document'] as const).map(
    kind =>
      [{ ...at, type: 'message', text: '', media: { kind, url: 'https://a.example/x' } }, `media.${kind}`] as const,
  ),
  ...rules.map(
    rule =>
      [
        { ...at, type: 'condition', all: true, rules: [rule] },
        `ruleText.${rule.op}${rule.left === 'variable' ? ' flujo.v 1' : rule.left === 'tag' ? ' VIP' : ''}`,
      ] as const,
  ),
  [{ ...at, type: 'condition', all: true, rules: rules.slice(-2) }, 'ruleText.openruleText.andruleText.closed'],
  [{ ...at, type: 'condition', all: false, rules: rules.slice(-2) }, 'ruleText.openruleText.orruleText.closed'],
  [{ ...at, type: 'split', branches }, 'split.share A 60 · split.share B 40'],
  [{ ...at, type: 'set', variable: 'v', value: '' }, 'says.set v …'],
  [{ ...at, type: 'set', variable: '', value: 'Ana', contact: 'name' }, 'says.contact.name Ana'],
  [{ ...at, type: 'set', variable: '', value: 'VIP', contact: 'note' }, 'says.contact.note VIP'],
  [{ ...at, type: 'tag', action: 'add', tagId: 't' }, 'says.tag.add VIP'],
  [{ ...at, type: 'tag', action: 'remove', tagId: 'gone' }, 'says.tag.remove …'],
  [{ ...at, type: 'wait', ms: 90_000 }, 'says.wait.seconds 90'],
  [{ ...at, type: 'wait', ms: 120_000 }, 'says.wait.minutes 2'],
  [{ ...at, type: 'wait', ms: 3_600_000 }, 'says.wait.hours 1'],
  [{ ...at, type: 'wait', ms: 172_800_000 }, 'says.wait.days 2'],
  [{ ...at, type: 'wait', ms: 0, until: '09:00' }, 'says.until 09:00'],
  [{ ...at, type: 'handoff' }, 'says.handoff'],
  [{ ...at, type: 'handoff', teamId: 'e' }, 'says.handoffTo Ventas'],
  [{ ...at, type: 'handoff', teamId: 'e', userId: 'u' }, 'says.handoffTo Ana'],
  [{ ...at, type: 'subflow', flowId: 'f' }, 'Menú'],
  [{ ...at, type: 'template', template: 'aviso', language: 'es', values: {} }, 'aviso'],
]

t.test('a summary says what a node does, in texts that exist', async t => {
  const read = (key: string, params = {}) => {
    t.ok(written.has(key), `flows.json has ${key}`)
    return [key, ...Object.values(params)].join(' ')
  }
  for (const [node, summary] of summaries) t.equal(nodeKind(node).summary?.(node, read, named), summary)
})

t.test('a template’s text shows the step’s values, as far as they are known', async t => {
  const step = (template: string): NodeOf<'template'> => ({
    ...{ ...at, type: 'template', template, language: 'es' },
    values: { 'body.1': '{{contacto.nombre}}', 'body.2': ' ' },
  })
  const names = { templates: new Map([[templateKey(step('aviso')), 'Hola {{1}}, te esperamos a las {{2}}.']]) }
  t.equal(templateText(step('aviso'), names), 'Hola {{contacto.nombre}}, te esperamos a las {{2}}.')
  t.equal(templateText(step('otra'), names), '')
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
