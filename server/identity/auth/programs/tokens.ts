import { createHash, timingSafeEqual } from 'node:crypto'
import { newId } from '#server/platform/crypto/ids.ts'
import { randomToken } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { isoIn, isoNow } from '#server/platform/time/clock.ts'
import { readKeyPermissions, toKeyPermissions } from '#shared/auth/api-keys.ts'
import { PRODUCT_KEY } from '#shared/kernel/product.ts'
import { mcpPath } from '#shared/mcp/address.ts'
import { maxProgramsPerMember, maxProgramsPerOrg, type ProgramScope } from '#shared/programs/api.ts'
import { isOurResource } from './authorization-request.ts'
import type { Clients } from './clients.ts'
import type { ProgramParts } from './parts.ts'
import { countPrograms, deleteProgram, deleteProgramsOf, insertProgram, isLiveProgram } from './program-store.ts'
import { ProgramRefused } from './refusal.ts'
import {
  bindCode,
  deleteToken,
  extendProgram,
  findCode,
  findToken,
  insertTokens,
  replaceToken,
  takeCode,
  trimTokens,
} from './token-store.ts'

/** The fields of a form that a program posted. */
export type ProgramForm = Readonly<Record<string, string | undefined>>

interface TokenReply {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

export interface Tokens {
  /** @throws ProgramRefused */
  issue(form: ProgramForm): Promise<TokenReply>
  /** Ends an access token, or with a refresh token the whole connection. @see RFC 7009 */
  revoke(form: ProgramForm): Promise<void>
}

const accessPrefix = `${PRODUCT_KEY}_access_`
export const isProgramToken = (text: unknown): boolean =>
  typeof text === 'string' && text.trim().startsWith(accessPrefix)
const refreshPrefix = `${PRODUCT_KEY}_refresh_`
const accessMs = 3_600_000
/** A program that does not connect for this long is disconnected. */
const refreshMs = 60 * 86_400_000
/** A program whose answer was lost, or that runs twice, may exchange a refresh token again within this time. */
const repeatMs = 30_000
const keptTokens = { access: 20, refresh: 50 } as const

export const programTokenHash = (text: string): string => createHash('sha256').update(text).digest('base64url')
export const scopesOf = (permissions: string | null): ProgramScope[] =>
  (readKeyPermissions(permissions) ?? []) as ProgramScope[]

const provesChallenge = (verifier: string | undefined, challenge: string): boolean => {
  if (!verifier || !/^[\w.~-]{43,128}$/.test(verifier)) return false
  const [ours, theirs] = [Buffer.from(programTokenHash(verifier)), Buffer.from(challenge)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

const invalidGrant = (why: string) => new ProgramRefused('invalid_grant', why)

export function createTokens(parts: ProgramParts & { readonly clients: Pick<Clients, 'find'> }): Tokens {
  const { databases, clock, clients, log } = parts
  const resource = `${parts.config.publicUrl}${mcpPath}`

  const requireClient = ({ client_id }: ProgramForm) => {
    const client = client_id === undefined ? undefined : clients.find(client_id)
    if (!client) throw new ProgramRefused('invalid_client', 'client_id is not one that was registered here', 401)
    return client
  }

  const addTokens = async (trx: Db, orgId: string, keyId: string, scopes: readonly string[]): Promise<TokenReply> => {
    const access = `${accessPrefix}${randomToken(32)}`
    const refresh = `${refreshPrefix}${randomToken(32)}`
    await insertTokens(trx, orgId, keyId, [
      { hash: programTokenHash(access), kind: 'access', expires_at: isoIn(clock, accessMs) },
      { hash: programTokenHash(refresh), kind: 'refresh', expires_at: isoIn(clock, refreshMs) },
    ])
    for (const kind of ['access', 'refresh'] as const)
      await trimTokens(trx, orgId, keyId, { kind, keep: keptTokens[kind] })
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: accessMs / 1000,
      refresh_token: refresh,
      scope: scopes.join(' '),
    }
  }

  /** A stolen code or token was used, too: neither user keeps the connection. */
  const endStolen = async (trx: Db, orgId: string, program: { keyId: string; name: string }) => {
    await parts.onProgram?.(trx, {
      orgId,
      action: 'programEnded',
      actor: { kind: 'key', id: program.keyId, name: program.name },
      name: program.name,
    })
    await deleteProgram(trx, orgId, program.keyId)
    log.warn(
      { orgId, keyId: program.keyId },
      'a code or token of a program was used twice; the program was disconnected',
    )
  }

  const exchangeCode = async (form: ProgramForm): Promise<TokenReply> => {
    const client = requireClient(form)
    const hash = programTokenHash(form.code ?? '')
    const known = await findCode(databases.read, hash)
    if (!known) throw invalidGrant('the code is unknown')
    const orgId = known.org_id
    // Refusals are returned, because throwing would undo that the code is used up.
    const answer = await inTransaction(databases, async (trx): Promise<TokenReply | ProgramRefused> => {
      const now = isoNow(clock)
      const code = await takeCode(trx, orgId, hash, now)
      if (!code) {
        const used = await findCode(trx, hash)
        if (used?.key_id) await endStolen(trx, orgId, { keyId: used.key_id, name: used.name })
        return invalidGrant('the code was used before')
      }
      if (code.expires_at <= now) return invalidGrant('the code has expired')
      if (code.client_hash !== client.hash) return invalidGrant('the code was made for another client')
      if (code.redirect_uri !== form.redirect_uri) return invalidGrant('redirect_uri is not the one of the request')
      if (!provesChallenge(form.code_verifier, code.challenge)) return invalidGrant('code_verifier is wrong')
      const owner = { memberId: code.member_id, clientHash: client.hash }
      await deleteProgramsOf(trx, orgId, owner)
      const { ofOrg, ofMember } = await countPrograms(trx, orgId, owner)
      if (ofOrg >= maxProgramsPerOrg || ofMember >= maxProgramsPerMember) return invalidGrant('too many programs')
      const id = newId()
      const scopes = code.scopes.split(' ') as ProgramScope[]
      await insertProgram(trx, orgId, {
        id,
        ...owner,
        name: code.name,
        host: code.host,
        ssoProviderId: code.sso_provider_id,
        permissions: JSON.stringify(toKeyPermissions(scopes)),
        keyHash: programTokenHash(randomToken(32)),
        at: now,
        endsAt: isoIn(clock, refreshMs),
      })
      await bindCode(trx, orgId, hash, id)
      return addTokens(trx, orgId, id, scopes)
    })
    if (answer instanceof ProgramRefused) throw answer
    return answer
  }

  const refresh = async (form: ProgramForm): Promise<TokenReply> => {
    const client = requireClient(form)
    const hash = programTokenHash(form.refresh_token ?? '')
    const token = await findToken(databases.read, hash)
    if (token?.kind !== 'refresh' || token.clientHash !== client.hash)
      throw invalidGrant('the refresh token is unknown, or of another client')
    const { orgId, keyId, name } = token
    const granted = scopesOf(token.permissions)
    if (form.scope?.split(/\s+/).some(one => one && !(granted as string[]).includes(one)))
      throw new ProgramRefused('invalid_scope', 'the person did not grant this scope')
    const answer = await inTransaction(databases, async (trx): Promise<TokenReply | ProgramRefused> => {
      const now = isoNow(clock)
      if (token.expiresAt <= now) return invalidGrant('the refresh token has expired')
      if (!(await isLiveProgram(trx, orgId, keyId, now)))
        return invalidGrant('the person may not use this organization with the program now')
      const replacedAt = await replaceToken(trx, orgId, hash, now)
      if (replacedAt === undefined) return invalidGrant('the refresh token is unknown')
      if (Date.parse(now) - Date.parse(replacedAt) > repeatMs) {
        await endStolen(trx, orgId, { keyId, name: name ?? '' })
        return invalidGrant('the refresh token was used before')
      }
      await extendProgram(trx, orgId, keyId, isoIn(clock, refreshMs))
      return addTokens(trx, orgId, keyId, granted)
    })
    if (answer instanceof ProgramRefused) throw answer
    return answer
  }

  return {
    async issue(form) {
      if (!isOurResource(form.resource, resource))
        throw new ProgramRefused('invalid_target', `the only resource here is ${resource}`)
      if (form.grant_type === 'authorization_code') return exchangeCode(form)
      if (form.grant_type === 'refresh_token') return refresh(form)
      throw new ProgramRefused('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
    },

    async revoke(form) {
      const client = requireClient(form)
      const hash = programTokenHash(form.token ?? '')
      const token = await findToken(databases.read, hash)
      if (!token || token.clientHash !== client.hash) return
      const { orgId, keyId, name } = token
      await inTransaction(databases, async trx => {
        if (token.kind === 'access') return deleteToken(trx, orgId, hash)
        const actor = { kind: 'key', id: keyId, name: name ?? '' } as const
        await parts.onProgram?.(trx, { orgId, action: 'programEnded', actor, name: name ?? '' })
        return deleteProgram(trx, orgId, keyId)
      })
    },
  }
}
