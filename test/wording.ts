/**
 * `npm run wording -- server/platform`: lists comments and texts that readers have to decode, by the patterns of
 * `test/helpers/wording.ts`. It reports and never fails: a phrase may be right where it stands.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, root } from './helpers/sources.ts'
import { fragmentsIn, mannerismsIn } from './helpers/wording.ts'

const folders = process.argv.slice(2)
const files = listFiles(folders.length ? folders : ['server', 'client', 'shared', 'test'], /\.(?:tsx?|mjs|css|md)$/)
const counts = new Map<string, number>()
for (const path of files) {
  const text = readFileSync(join(root, path), 'utf8')
  for (const { line, phrase, instead } of [...mannerismsIn(text), ...fragmentsIn(text)]) {
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
    if (folders.length) console.log(`${path}:${line}  "${phrase}": ${instead}`)
  }
}
console.log('')
for (const [phrase, count] of [...counts].sort(([, a], [, b]) => b - a))
  console.log(`${String(count).padStart(6)}  ${phrase}`)
if (!folders.length) console.log('\nName a folder or several to see the lines: npm run wording -- server/platform')
