/**
 * `npm run test:watch -- inbox`: runs the tests with that word in their path at every change of a source; without a
 * word, all unit tests.
 */
import { watch } from 'node:fs'
import { join } from 'node:path'
import { root } from './stages/stage.ts'
import { unit } from './stages/unit.ts'

const words = process.argv.slice(2)
const quietMs = 150
let running = false
let again = false
let timer: NodeJS.Timeout | undefined

const round = async () => {
  if (running) {
    again = true
    return
  }
  running = true
  do {
    again = false
    const { passed, failed } = await unit.run(words)
    console.log(`\n${passed} passed, ${failed} failed; waiting for a change (Ctrl+C ends)`)
  } while (again)
  running = false
}

for (const folder of ['server', 'shared', 'client', 'locales', 'migrations', 'test'])
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (!name || !/\.(ts|tsx|json)$/.test(name) || name.includes('snapshots')) return
    clearTimeout(timer)
    timer = setTimeout(() => void round(), quietMs)
  })
await round()
