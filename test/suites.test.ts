import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { listFiles, readSource, root } from '#test/helpers/sources.ts'
import { suitesNightly, suitesOnBoth, suitesOnBothNightly, suitesOnOne } from './stages/suites-on-both.ts'

/** Who has a database of these has one of the engine that the run is for. */
const makers = ['test/helpers/db.ts']

const known = new Map<string, boolean>()

/** Whether a file comes by a database, over however many others. */
const isOnDatabase = (path: string): boolean => {
  const answer = known.get(path)
  if (answer !== undefined) return answer
  // Of those that import one another, whoever asked first finds out.
  known.set(path, false)
  const targets = readSource(path).imports.flatMap(({ target, typeOnly }) => (target && !typeOnly ? [target] : []))
  const found = targets.some(
    target =>
      makers.includes(target) ||
      (/^test\/.*\.ts$/.test(target) && existsSync(join(root, target)) && isOnDatabase(target)),
  )
  known.set(path, found)
  return found
}

const files = listFiles(['test'], /\.test\.ts$/)
const onOne = Object.keys(suitesOnOne)

t.test('a suite that works on a database runs on both engines, or says why it does not', async t => {
  const listed = [...suitesOnBoth, ...suitesOnBothNightly, ...onOne]
  t.same(
    files.filter(file => isOnDatabase(file) && !listed.includes(file)),
    [],
  )
  t.same(
    listed.filter((file, i) => listed.indexOf(file) !== i),
    [],
    'each stands once',
  )
  t.same(
    listed.filter(file => !files.includes(file) || !isOnDatabase(file)),
    [],
    'each is there, and works on a database',
  )
})

t.test('each suite that waits for the night is there', async t => {
  t.same(
    Object.keys(suitesNightly).filter(file => !files.includes(file)),
    [],
  )
})

t.test('that is seen over several files', async t => {
  t.ok(isOnDatabase('test/helpers/chat-stage.ts'))
  t.notOk(isOnDatabase('test/suites.test.ts'))
})
