/**
 * Scripts and styles of earlier builds stay beside those of the last one for a while: a tab that was opened before an
 * upgrade asks for them when it opens something. Their names carry a hash of their contents, so that none is another's.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const keptMs = 7 * 24 * 60 * 60_000
const keptBytes = 64 * 1024 * 1024

const listOf = folder => (existsSync(folder) ? readdirSync(folder) : [])

/** Puts the assets aside before a build empties their folder; a build that was cut off has left some there already. */
export function putAsideAssets({ assets, aside }) {
  mkdirSync(aside, { recursive: true })
  for (const name of listOf(assets)) renameSync(join(assets, name), join(aside, name))
}

/**
 * Brings back what the build did not make itself: what was replaced within the last seven days, the latest first, up
 * to 64 MB. `record` remembers when each was replaced.
 */
export function bringBackAssets({ assets, aside, record, now = Date.now(), maxAgeMs = keptMs, maxBytes = keptBytes }) {
  const before = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {}
  const made = new Set(listOf(assets))
  const old = listOf(aside)
    .filter(name => !made.has(name))
    .map(name => ({ name, replacedAt: before[name] ?? now, bytes: statSync(join(aside, name)).size }))
    .sort((a, b) => b.replacedAt - a.replacedAt || (a.name < b.name ? -1 : 1))
  const kept = {}
  let bytes = 0
  mkdirSync(assets, { recursive: true })
  for (const file of old) {
    bytes += file.bytes
    if (now - file.replacedAt > maxAgeMs || bytes > maxBytes) continue
    renameSync(join(aside, file.name), join(assets, file.name))
    kept[file.name] = file.replacedAt
  }
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, JSON.stringify(kept))
}
