import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#server/platform/crypto/installation-secret.ts'
import { randomToken } from '#server/platform/crypto/random.ts'
import { cookieAttributes, cookieName, cookieValue } from '../sessions/cookie.ts'

/**
 * A sign-in to one address in one browser. `asked`: it requested a code. `known`: somebody signed in here before, so it
 * gets budgets of its own. The cookie proves either, and contains neither person nor address.
 */
export interface Flow {
  readonly id: string
  readonly kind: 'asked' | 'known'
}

export interface Flows {
  /** The flow in a cookie header; undefined: none, or for another address. */
  find(cookie: string | undefined, address: string): Flow | undefined
  create(): Flow
  /** A complete `set-cookie` header. */
  cookieOf(flow: Flow, address: string): string
}

const askedSeconds = 60 * 60
const knownSeconds = 180 * 24 * 60 * 60
const form = /^([\w-]{22})\.(asked|known)\.([\w-]{43})$/

interface FlowParts {
  readonly publicUrl: string
  readonly secret: string
  /** Cookies signed with them are still accepted. */
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
