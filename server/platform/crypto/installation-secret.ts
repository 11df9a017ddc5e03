import { hkdfSync } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log/log.ts'
import { randomHex, randomToken } from './random.ts'

const minLength = 32

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** The secret that keys are derived from. `previous`: only used to read what was signed or encrypted with it. */
interface Secrets {
  readonly secret: string
  readonly previous: readonly string[]
}

interface SecretParts {
  readonly config: Pick<Config, 'authSecret' | 'dataDir'> & Partial<Pick<Config, 'previousSecrets'>>
  readonly log: Log
}

/**
 * AUTH_SECRET and AUTH_SECRET_PREVIOUS, otherwise the lines of `DATA_DIR/secret`: the first is the secret. The file is
 * created on first use. Losing it signs everybody out and makes stored tokens unreadable.
 * @throws if it is not a regular file of ours, a line is too short, or others can read it and that cannot be changed.
 */
export function openSecrets({ config, log }: SecretParts): Secrets {
  if (config.authSecret) return { secret: config.authSecret, previous: config.previousSecrets ?? [] }
  const path = join(config.dataDir, 'secret')
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  try {
    return readSecret(path, log)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  createSecret(path)
  return readSecret(path, log)
}

/** Writes the file completely before it gets its name, so that a crash or a second process never sees half a secret. */
function createSecret(path: string): void {
  const draft = `${path}.${process.pid}.${randomHex(6)}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${randomToken(48)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
  } catch (error) {
    // Another process was first; use its secret.
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    unlinkSync(draft)
  }
}

function readSecret(path: string, log: Log): Secrets {
  const stat = lstatSync(path)
  if (!stat.isFile()) throw new Error(`${path} is not a plain file; move it away, or set AUTH_SECRET`)
  if (stat.mode & 0o077) {
    chmodSync(path, 0o600)
    log.warn({ path }, 'the secret could be read by others on this machine; its permissions are now 600')
  }
  const [secret = '', ...previous] = linesOfSecret(readFileSync(path, 'utf8'))
  if (secret.length < minLength || previous.some(one => one.length < minLength))
    throw new Error(`${path} holds no usable secret; restore it from a backup, or set AUTH_SECRET`)
  return { secret, previous }
}

/** The first line is the secret, the others are earlier ones. */
export const linesOfSecret = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

/** Derives a key for one purpose, so that a leaked key says nothing about the others. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'recado', purpose, 32))
