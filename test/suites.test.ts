import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import t from 'tap'
import { listFiles, readSource, root } from '#test/helpers/sources.ts'
import { suitesNightly, suitesOnBoth, suitesOnBothNightly, suitesOnOne } from './stages/suites-on-both.ts'

/** Files that open a database of the engine chosen for the run. */
const makers = ['test/helpers/db.ts']

const known = new Map<string, boolean>()

/** Whether a file opens a database, directly or through its imports. */
const isOnDatabase = (path: string): boolean => {
  const answer = known.get(path)
  if (answer !== undefined) return answer
  // In an import cycle the file that is visited first decides.
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

t.test('every suite that uses a database is listed for both engines, or with a reason for one', async t => {
  const listed = [...suitesOnBoth, ...suitesOnBothNightly, ...onOne]
  t.same(
    files.filter(file => isOnDatabase(file) && !listed.includes(file)),
    [],
  )
  t.same(
    listed.filter((file, i) => listed.indexOf(file) !== i),
    [],
    'each is listed once',
  )
  t.same(
    listed.filter(file => !files.includes(file) || !isOnDatabase(file)),
    [],
    'each exists and uses a database',
  )
})

const folders = ['server', 'client', 'shared']
const sources = listFiles(folders, /\.tsx?$/)
const stem = (path: string) => basename(path).replace(/(?:\.test)?\.tsx?$/, '')

t.test('a suite that is named like the file it tests lies in the folder that mirrors it', async t => {
  const suites = listFiles(
    folders.map(folder => `test/${folder}`),
    /\.test\.tsx?$/,
  )
  const misplaced = suites.flatMap(suite => {
    const folder = dirname(suite).slice('test/'.length)
    const zone = folder.split('/')[0]
    const imported = new Set(readSource(suite).imports.map(({ target }) => target))
    const named = sources.filter(
      path =>
        stem(path) === stem(suite) &&
        (path.startsWith(`${folder}/`) || (path.startsWith(`${zone}/`) && imported.has(path))),
    )
    const [source] = named
    // Several files of that name do not tell which of them the suite tests.
    return source === undefined || named.length > 1 || dirname(source) === folder ? [] : [`${suite} tests ${source}`]
  })
  t.same(misplaced, [], 'move each to the folder of its source')
})

t.test('each nightly suite exists', async t => {
  t.same(
    Object.keys(suitesNightly).filter(file => !files.includes(file)),
    [],
  )
})

t.test('a database is found through several imports', async t => {
  t.ok(isOnDatabase('test/helpers/chat-stage.ts'))
  t.notOk(isOnDatabase('test/suites.test.ts'))
})
