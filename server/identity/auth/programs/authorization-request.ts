import { type AuthorizationRequest, type ProgramScope, programScopes } from '#shared/programs/api.ts'
import { authErrors } from '../errors.ts'
import type { Client, Clients } from './clients.ts'
import { hostOfRedirectUri, matchesRedirectUri, withAnswer } from './redirect-uri.ts'

/** The request of a program to a person. */
interface ProgramRequest {
  readonly client: Client
  readonly host: string
  readonly redirectUri: string
  readonly challenge: string
  readonly scopes: readonly ProgramScope[]
  /** Undefined: the request is right. */
  readonly fault: string | undefined
  /** The address that brings an answer to the program. */
  addressWith(answer: Readonly<Record<string, string>>): string
}

const challengeForm = /^[\w-]{43}$/

/** Unknown scopes are left out, as RFC 6749 §3.3 allows; without a scope, all are asked for. */
const scopesIn = (scope: string | undefined): readonly ProgramScope[] => {
  if (!scope?.trim()) return programScopes
  const asked = new Set(scope.split(/\s+/))
  return programScopes.filter(one => asked.has(one))
}

/** An absent resource counts as ours, because there is only one. @see RFC 8707 */
export const isOurResource = (asked: string | undefined, resource: string): boolean =>
  asked === undefined || asked === resource || asked === `${resource}/`

/**
 * @throws AUTH_PROGRAM_UNKNOWN, AUTH_PROGRAM_ADDRESS_WRONG: only the person can be told, because the address may be
 * somebody else's
 */
export function readRequest(
  request: AuthorizationRequest,
  { clients, issuer, resource }: { clients: Pick<Clients, 'find'>; issuer: string; resource: string },
): ProgramRequest {
  const client = clients.find(request.clientId)
  if (!client) throw authErrors.PROGRAM_UNKNOWN()
  const { redirectUri, state } = request
  if (!client.redirectUris.some(one => matchesRedirectUri(one, redirectUri))) throw authErrors.PROGRAM_ADDRESS_WRONG()
  const scopes = scopesIn(request.scope)
  const faultOf = (): string | undefined => {
    if (request.responseType !== 'code') return 'unsupported_response_type'
    if (request.codeChallengeMethod !== 'S256' || !challengeForm.test(request.codeChallenge ?? ''))
      return 'invalid_request'
    if (!isOurResource(request.resource, resource)) return 'invalid_target'
    return scopes.length ? undefined : 'invalid_scope'
  }
  return {
    client,
    host: hostOfRedirectUri(redirectUri),
    redirectUri,
    challenge: request.codeChallenge ?? '',
    scopes,
    fault: faultOf(),
    addressWith: answer => withAnswer(redirectUri, { ...answer, state, iss: issuer }),
  }
}
