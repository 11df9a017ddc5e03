import { once } from 'node:events'
import { existsSync, lstatSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { root } from '../prepare.mjs'
import { ill, messageOf, type Verdict, well } from './finding.ts'

export const examineNode = (): Verdict => {
  const pinned = `v${(JSON.parse(readFileSync(join(root, 'node_modules/node/package.json'), 'utf8')) as { version: string }).version}`
  return process.version === pinned
    ? well(pinned)
    : ill(`${process.version} instead of ${pinned}`, 'run it through npm: npm run doctor')
}

export const examineNativeModule = async (): Promise<Verdict> => {
  try {
    const { default: Sqlite } = await import('better-sqlite3')
    const db = new Sqlite(':memory:')
    const version = String(db.prepare('select sqlite_version()').pluck().get())
    db.close()
    return well(`SQLite ${version}`)
  } catch (error) {
    return ill(messageOf(error), 'rm -rf node_modules && npm start')
  }
}

const isOpenToOthers = (path: string) => process.platform !== 'win32' && (lstatSync(path).mode & 0o077) !== 0

export const examineDataDir = async ({ dataDir }: Config): Promise<Verdict> => {
  let nearest = dataDir
  while (!existsSync(nearest)) nearest = dirname(nearest)
  try {
    await access(nearest, constants.W_OK | constants.X_OK)
  } catch {
    return ill(`${nearest} cannot be written`, `sudo chown -R "$(id -un)" ${nearest}`)
  }
  if (nearest !== dataDir) return well(`${dataDir} will be made at the first start`)
  if (isOpenToOthers(dataDir)) return ill(`${dataDir} can be read by others on this machine`, `chmod 700 ${dataDir}`)
  const secret = join(dataDir, 'secret')
  if (existsSync(secret) && isOpenToOthers(secret))
    return ill(`${secret} can be read by others on this machine`, `chmod 600 ${secret}`)
  return well(dataDir)
}

const lowDiskBytes = 1024 ** 3
export const examineDisk = ({ dataDir }: Config): Verdict => {
  let nearest = dataDir
  while (!existsSync(nearest)) nearest = dirname(nearest)
  const { bavail, bsize } = statfsSync(nearest)
  const says = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GB free`
  return bavail * bsize >= lowDiskBytes
    ? well(says)
    : ill(says, `make room on the disk of ${nearest} (df -h ${nearest})`)
}

export const setClock = 'sudo timedatectl set-ntp true'

/** This version was written after this day; a correct clock shows a later one. */
const writtenAfter = '2026-11-20'

export const examineClock = (clock: Clock): Verdict => {
  const today = isoNow(clock)
  return today < writtenAfter ? ill(`${today} is before this version was made`, setClock) : well(today)
}

const keysOf = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => keysOf(inner, path ? `${path}.${key}` : key))
    : [path]

export const examineTexts = (): Verdict => {
  const folder = join(root, 'locales')
  const keys = (language: string) =>
    readdirSync(join(folder, language))
      .sort()
      .flatMap(name => keysOf(JSON.parse(readFileSync(join(folder, language, name), 'utf8')), name))
  const [first, ...others] = readdirSync(folder).sort()
  const wanted = new Set(keys(first as string))
  const differing = others.flatMap(language => {
    const there = new Set(keys(language))
    return [...[...wanted].filter(key => !there.has(key)), ...[...there].filter(key => !wanted.has(key))]
  })
  return differing.length
    ? ill(`languages differ in ${differing.slice(0, 3).join(', ')}`, 'npm run check')
    : well(`${wanted.size} in each language`)
}

const answersAsRecado = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) })
    return response.ok && ((await response.json()) as { status?: string }).status === 'ok'
  } catch {
    return false
  }
}

export const examinePort = async ({ host, port }: Config): Promise<Verdict> => {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return well(`${host}:${port} is free`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' && (await answersAsRecado(`http://${host}:${port}`)))
      return well(`Recado is running on ${host}:${port}`)
    if (code === 'EADDRINUSE') return ill(`another program has ${host}:${port}`, `PORT=${port + 1} npm start`)
    if (code === 'EADDRNOTAVAIL') return ill(`this machine has no address ${host}`, 'HOST=127.0.0.1 npm start')
    if (code === 'EACCES')
      return ill(`${host}:${port} needs more rights`, 'PORT=3000 npm start, behind a reverse proxy')
    return ill(messageOf(error), 'set HOST and PORT')
  } finally {
    server.close()
  }
}
