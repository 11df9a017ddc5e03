import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#server/platform/crypto/installation-secret.ts'
import { randomToken } from '#server/platform/crypto/random.ts'
import { cookieAttributes, cookieName, cookieValue } from './cookie.ts'

/**
 * One browser's way in to one address. `asked`: it asked for a code. `known`: somebody came in with one here before, so
 * it is not the stranger whom budgets are against. The cookie proves either and names neither person nor address.
 */
export interface Flow {
  readonly id: string
  readonly kind: 'asked' | 'known'
}

export interface Flows {
  /** The flow of a cookie header that is of this address; undefined: none, or another address'. */
  find(cookie: string | undefined, address: string): Flow | undefined
  create(): Flow
  /** A whole `set-cookie` header. */
  cookieOf(flow: Flow, address: string): string
}

const askedSeconds = 60 * 60
const knownSeconds = 180 * 24 * 60 * 60
const form = /^([\w-]{22})\.(asked|known)\.([\w-]{43})$/

interface FlowParts {
  readonly publicUrl: string
  readonly secret: string
  /** What they have signed is still known. */
  readonly previousSecrets?: readonly string[]
}

export function createFlows({ publicUrl, secret, previousSecrets = [] }: FlowParts): Flows {
  const keys = [secret, ...previousSecrets].map(one => deriveKey(one, 'sign-in flows'))
  const name = cookieName(publicUrl, 'sign_in')
  const sign = ({ id, kind }: Flow, address: string, key = keys[0] as Buffer) =>
    createHmac('sha256', key).update(`${kind} ${id} ${address}`).digest('base64url')

  return {
    find(cookie, address) {
      const parts = form.exec((cookie && cookieValue(cookie, name)) ?? '')
      if (!parts) return undefined
      const [, id = '', kind, signature = ''] = parts
      const flow: Flow = { id, kind: kind === 'known' ? 'known' : 'asked' }
      const given = Buffer.from(signature)
      return keys.some(key => timingSafeEqual(given, Buffer.from(sign(flow, address, key)))) ? flow : undefined
    },
    create: () => ({ id: randomToken(16), kind: 'asked' }),
    cookieOf(flow, address) {
      const seconds = flow.kind === 'known' ? knownSeconds : askedSeconds
      const value = `${flow.id}.${flow.kind}.${sign(flow, address)}`
      return `${name}=${value}; ${cookieAttributes(publicUrl, seconds)}`
    },
  }
}
