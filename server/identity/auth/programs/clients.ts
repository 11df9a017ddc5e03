import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#server/platform/crypto/installation-secret.ts'
import { randomToken } from '#server/platform/crypto/random.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { isPlainName, mixesAlphabets } from '#shared/kernel/plain-name.ts'
import { programNameMax } from '#shared/programs/api.ts'
import { isRedirectUri } from './redirect-uri.ts'
import { ProgramRefused } from './refusal.ts'

/** A program that has registered. */
export interface Client {
  /** Names it where the id is too long. */
  readonly hash: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

export interface Clients {
  /**
   * Registers a program. Nothing is stored: the id holds what was registered, and our signature.
   * @returns the answer of RFC 7591 §3.2.1
   * @throws ProgramRefused
   * @see RFC 7591 §A.5.2
   */
  register(metadata: unknown): Readonly<Record<string, unknown>>
  /** Undefined: we have not made this id. */
  find(clientId: string): Client | undefined
}

interface Payload {
  readonly name: string
  readonly uris: readonly string[]
}

const maxRedirectUris = 10
/** The length of all addresses together, so that the id fits into an address itself. */
const redirectUrisMaxChars = 2000
const fallbackName = 'MCP'

const nameIn = (given: unknown): string => {
  if (given === undefined) return fallbackName
  const name = typeof given === 'string' ? given.trim().replace(/ +/g, ' ') : ''
  if (name.length > programNameMax || !isPlainName(name) || mixesAlphabets(name))
    throw new ProgramRefused(
      'invalid_client_metadata',
      `client_name must be readable, at most ${programNameMax} characters`,
    )
  return name
}

const urisIn = (given: unknown): readonly string[] => {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= maxRedirectUris
  if (!isList || !given.every(isRedirectUri))
    throw new ProgramRefused(
      'invalid_redirect_uri',
      `redirect_uris must be 1 to ${maxRedirectUris} addresses with https, http on localhost, 127.0.0.1 or [::1], or of an app (com.example.app:/…)`,
    )
  if (given.join('').length > redirectUrisMaxChars)
    throw new ProgramRefused('invalid_redirect_uri', `redirect_uris may have ${redirectUrisMaxChars} characters in all`)
  return given
}

export function createClients({
  clock,
  secret,
  previousSecrets = [],
}: {
  readonly clock: Clock
  readonly secret: string
  readonly previousSecrets?: readonly string[]
}): Clients {
  const keys = [secret, ...previousSecrets].map(one => deriveKey(one, 'registered programs'))
  const sign = (key: Buffer, payload: string) => createHmac('sha256', key).update(payload).digest('base64url')
  const isSigned = (payload: string, signature: string) =>
    keys.some(key => {
      const [ours, theirs] = [Buffer.from(sign(key, payload)), Buffer.from(signature)]
      return ours.length === theirs.length && timingSafeEqual(ours, theirs)
    })

  return {
    register(metadata) {
      const { client_name, redirect_uris } = (metadata ?? {}) as Record<string, unknown>
      const uris = urisIn(redirect_uris)
      const name = nameIn(client_name)
      // The random part tells two installations of one program apart.
      const payload = Buffer.from(JSON.stringify({ name, uris, id: randomToken(12) })).toString('base64url')
      return {
        client_id: `${payload}.${sign(keys[0] as Buffer, payload)}`,
        client_id_issued_at: Math.floor(clock.now().getTime() / 1000),
        client_name: name,
        redirect_uris: uris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }
    },

    find(clientId) {
      const [payload = '', signature = '', ...rest] = clientId.split('.')
      if (rest.length || !isSigned(payload, signature)) return undefined
      const { name, uris } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Payload
      return { hash: createHash('sha256').update(clientId).digest('base64url'), name, redirectUris: uris }
    },
  }
}
