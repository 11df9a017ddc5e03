import t from 'tap'
import { changedSuites } from './stages/changed-suites.ts'

const all = [
  'test/boundaries.test.ts',
  'test/locales.test.ts',
  'test/suites.test.ts',
  'test/snapshots.test.ts',
  'test/server/features/flows/engine.test.ts',
  'test/server/messaging/tags/tags.test.ts',
  'test/shared/flows/triggers/triggers.test.ts',
  'test/shared/kernel/phone.test.ts',
]
const rules = all.slice(0, 4)

t.test('a changed feature brings its suites, and the rules of the whole tree always run', async t => {
  t.same(changedSuites(all, []), rules)
  const flows = ['test/server/features/flows/engine.test.ts', 'test/shared/flows/triggers/triggers.test.ts']
  t.same(changedSuites(all, ['server/features/flows/flows.ts']), [...rules, ...flows])
  t.same(changedSuites(all, ['shared/flows/triggers/triggers.ts']), [...rules, ...flows])
  t.same(changedSuites(all, ['client/tags/tag.tsx', 'locales/es/tags.json']), [
    ...rules,
    'test/server/messaging/tags/tags.test.ts',
  ])
  t.same(changedSuites(all, ['test/shared/kernel/phone.test.ts', 'README.md']), [
    ...rules,
    'test/shared/kernel/phone.test.ts',
  ])
})
