/**
 * Keeps scripts and styles of earlier builds for a while: a tab that was opened before an upgrade still asks for them.
 * Their names contain a hash of their content, so they do not collide.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const keptMs = 7 * 24 * 60 * 60_000
const keptBytes = 64 * 1024 * 1024

const listOf = folder => (existsSync(folder) ? readdirSync(folder) : [])

/** Moves the assets aside before a build empties their folder. An interrupted build may have left some there already. */
export function putAsideAssets({ assets, aside }) {
  mkdirSync(aside, { recursive: true })
  for (const name of listOf(assets)) renameSync(join(assets, name), join(aside, name))
}

/**
 * Copies back what the build did not make: assets that were replaced within the last seven days, newest first, up to
 * 64 MB. `record` stores when each was replaced.
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
