import { randomToken } from '#server/platform/crypto/random.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { KeyHolder, OrgCaller, Person } from '#server/platform/http/actor.ts'
import { appErrors, forbidden } from '#server/platform/http/errors.ts'
import { isoIn, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { fallbackLanguage, type Language } from '#shared/kernel/language.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { mcpPath } from '#shared/mcp/address.ts'
import { maxProgramsListed, maxProgramsPerMember, maxProgramsPerOrg, type programsApi } from '#shared/programs/api.ts'
import { authErrors } from '../errors.ts'
import { createKeyHolders } from '../keys/api-keys.ts'
import { readRequest } from './authorization-request.ts'
import { type Clients, createClients } from './clients.ts'
import type { ProgramParts } from './parts.ts'
import {
  countPrograms,
  deleteEndedPrograms,
  deleteProgram,
  findLiveProgram,
  findMemberId,
  findProgramOfOrg,
  findProgramOfPerson,
  type ListedProgram,
  listProgramsOfOrg,
  listProgramsOfPerson,
} from './program-store.ts'
import { countOpenCodes, insertCode } from './token-store.ts'
import { createTokens, programTokenHash, scopesOf, type Tokens } from './tokens.ts'

/** Programs that people connect to an organization with OAuth 2.1. */
export interface Programs {
  readonly service: ServiceOf<typeof programsApi, OrgCaller & Person>
  readonly clients: Clients
  readonly tokens: Tokens
  /** The program that an access token belongs to. Undefined: the token is not usable. */
  readHolder(text: string, language?: Language): Promise<KeyHolder | undefined>
  /** Deletes programs, tokens and codes that have ended; returns how many. */
  prune(now: Date): Promise<number>
}

const codeMs = 5 * 60_000
/** Codes of one member that can be used at the same time. */
const maxOpenCodes = 20
const pruneBatchSize = 500

const present = (row: ListedProgram) => ({
  id: row.id,
  name: row.name ?? '',
  host: row.host,
  scopes: scopesOf(row.permissions),
  connectedAt: row.createdAt,
  lastUsedAt: row.lastRequest,
})

export function createPrograms(parts: ProgramParts): Programs {
  const { databases, clock, config } = parts
  const clients = createClients(parts)
  const tokens = createTokens({ ...parts, clients })
  const holders = createKeyHolders(parts)
  const ours = { clients, issuer: config.publicUrl, resource: `${config.publicUrl}${mcpPath}` }

  const end = async (caller: Person, program: ListedProgram) => {
    const { orgId, id } = program
    await inTransaction(databases, async trx => {
      await parts.onProgram?.(trx, {
        orgId,
        action: 'programEnded',
        actor: { kind: 'person', id: caller.userId, name: caller.name, impersonatedBy: caller.impersonatedBy },
        sessionId: caller.sessionId,
        name: program.name ?? '',
      })
      await deleteProgram(trx, orgId, id)
    })
    return { success: true }
  }

  const service: ServiceOf<typeof programsApi, OrgCaller & Person> = {
    /** @throws AUTH_PROGRAM_UNKNOWN, AUTH_PROGRAM_ADDRESS_WRONG */
    getRequest(_person, { query }) {
      const { client, host, scopes, fault, addressWith } = readRequest(query, ours)
      return {
        program: { name: client.name, host },
        scopes: [...scopes],
        refusal: addressWith({ error: fault ?? 'access_denied' }),
        isFaulty: fault !== undefined,
      }
    },

    /** @throws AUTH_NOT_WHILE_IMPERSONATING, AUTH_TOO_MANY_PROGRAMS, and those of `getRequest` */
    async connect(caller, { body }) {
      if (caller.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
      const {
        client,
        host,
        redirectUri,
        challenge,
        scopes: asked,
        fault,
        addressWith,
      } = readRequest(body.request, ours)
      if (fault !== undefined) return { address: addressWith({ error: fault }) }
      const scopes = asked.filter(scope => body.scopes.includes(scope))
      const tooMuch = body.scopes.find(scope => !roleCan(caller.role, scope) || !asked.includes(scope))
      if (tooMuch) throw forbidden(tooMuch)
      const { orgId, userId, name, sessionId, ssoProviderId = null } = caller
      const code = randomToken(32)
      await inTransaction(databases, async trx => {
        const now = isoNow(clock)
        const memberId = await findMemberId(trx, orgId, userId)
        if (memberId === undefined) throw appErrors.FORBIDDEN()
        const { ofOrg, ofMember } = await countPrograms(trx, orgId, { memberId, clientHash: client.hash })
        const isFull = ofOrg >= maxProgramsPerOrg || (await countOpenCodes(trx, orgId, memberId, now)) >= maxOpenCodes
        if (isFull || ofMember >= maxProgramsPerMember)
          throw authErrors.TOO_MANY_PROGRAMS({ params: { max: maxProgramsPerMember } })
        await insertCode(trx, orgId, {
          code_hash: programTokenHash(code),
          member_id: memberId,
          client_hash: client.hash,
          name: client.name,
          host,
          redirect_uri: redirectUri,
          challenge,
          scopes: scopes.join(' '),
          sso_provider_id: ssoProviderId,
          expires_at: isoIn(clock, codeMs),
        })
        const actor = { kind: 'person', id: userId, name } as const
        await parts.onProgram?.(trx, { orgId, action: 'programConnected', actor, sessionId, name: client.name, scopes })
      })
      return { address: addressWith({ code }) }
    },

    async listOwn({ userId, boundOrgId }) {
      const rows = await listProgramsOfPerson(databases.read, userId, maxProgramsListed)
      const shown = rows.filter(({ orgId }) => boundOrgId === undefined || orgId === boundOrgId)
      return { items: shown.map(row => ({ ...present(row), organization: { name: row.orgName, slug: row.orgSlug } })) }
    },

    /** @throws AUTH_PROGRAM_NOT_FOUND, AUTH_NOT_WHILE_IMPERSONATING */
    async disconnect(caller, { params }) {
      if (caller.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
      const program = await findProgramOfPerson(databases.read, caller.userId, params.id)
      const isOpen = caller.boundOrgId === undefined || caller.boundOrgId === program?.orgId
      if (!program || !isOpen) throw authErrors.PROGRAM_NOT_FOUND()
      return end(caller, program)
    },

    async list({ orgId }) {
      const rows = await listProgramsOfOrg(databases.read, orgId, maxProgramsPerOrg)
      return { items: rows.map(row => ({ ...present(row), connectedBy: row.connectedBy })) }
    },

    /** @throws AUTH_PROGRAM_NOT_FOUND */
    async end(caller, { params }) {
      const program = await findProgramOfOrg(databases.read, caller.orgId, params.id)
      if (!program) throw authErrors.PROGRAM_NOT_FOUND()
      return end(caller, program)
    },
  }

  return {
    service,
    clients,
    tokens,
    async readHolder(text, language = fallbackLanguage) {
      const [row] = await findLiveProgram(databases.read, { hash: programTokenHash(text), now: isoNow(clock) })
      return row && holders.toHolder(row, language)
    },
    prune: now =>
      inBatches(pruneBatchSize, limit => inTransaction(databases, trx => deleteEndedPrograms(trx, now, limit))),
  }
}
