import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomToken } from '../random.ts'
import { cookieAttributes, cookieName, cookieValue } from './cookie.ts'
import { deriveKey } from './secret.ts'

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

export function createFlows({ publicUrl, secret }: { publicUrl: string; secret: string }): Flows {
  const key = deriveKey(secret, 'sign-in flows')
  const name = cookieName(publicUrl, 'sign_in')
  const sign = ({ id, kind }: Flow, address: string) =>
    createHmac('sha256', key).update(`${kind} ${id} ${address}`).digest('base64url')

  return {
    find(cookie, address) {
      const parts = form.exec((cookie && cookieValue(cookie, name)) ?? '')
      if (!parts) return undefined
      const [, id = '', kind, signature = ''] = parts
      const flow: Flow = { id, kind: kind === 'known' ? 'known' : 'asked' }
      return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(flow, address))) ? flow : undefined
    },
    create: () => ({ id: randomToken(16), kind: 'asked' }),
    cookieOf(flow, address) {
      const seconds = flow.kind === 'known' ? knownSeconds : askedSeconds
      const value = `${flow.id}.${flow.kind}.${sign(flow, address)}`
      return `${name}=${value}; ${cookieAttributes(publicUrl, seconds)}`
    },
  }
}
