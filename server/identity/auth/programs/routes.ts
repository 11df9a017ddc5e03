import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { mcpPath } from '#shared/mcp/address.ts'
import {
  authorizePath,
  registerPath,
  resourceMetadataPath,
  revokePath,
  serverMetadataPath,
  shortResourceMetadataPath,
  tokenPath,
} from '#shared/programs/addresses.ts'
import { programScopes } from '#shared/programs/api.ts'
import type { Budgets } from '../sign-in/budget.ts'
import { describedProgramCalls } from './described-calls.ts'
import type { Programs } from './programs.ts'
import { ProgramRefused } from './refusal.ts'
import type { ProgramForm } from './tokens.ts'

interface RouteParts {
  readonly config: { readonly publicUrl: string }
  readonly programs: Pick<Programs, 'clients' | 'tokens'>
  readonly budgets: Pick<Budgets, 'network' | 'take'>
}

/** Above the largest registration and the longest client id. */
const bodyLimitBytes = 32 * 1024

/** @throws ProgramRefused for a repeated field. @see RFC 6749 §3.2 */
const readForm = (body: string): ProgramForm => {
  const fields = new URLSearchParams(body)
  const names = [...fields.keys()]
  if (new Set(names).size < names.length) throw new ProgramRefused('invalid_request', 'a field is given twice')
  return Object.fromEntries(fields)
}

const sendRefusal = (reply: FastifyReply, { error, description, status }: ProgramRefused) =>
  reply.status(status).send({ error, error_description: description })

/**
 * Mounts the routes by which programs find out how to connect, register, and get their tokens. @see RFC 9728, RFC 8414,
 * RFC 7591, RFC 6749
 */
export function mountPrograms(app: FastifyInstance, { config, programs, budgets }: RouteParts): void {
  const { publicUrl } = config
  const at = (path: string) => `${publicUrl}${path}`
  const resource = {
    resource: at(mcpPath),
    authorization_servers: [publicUrl],
    scopes_supported: programScopes,
    bearer_methods_supported: ['header'],
    resource_name: PRODUCT_NAME,
    resource_documentation: at('/docs/api'),
  }
  const server = {
    issuer: publicUrl,
    authorization_endpoint: at(authorizePath),
    token_endpoint: at(tokenPath),
    registration_endpoint: at(registerPath),
    revocation_endpoint: at(revokePath),
    scopes_supported: programScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: at('/docs/api'),
  }

  const register = async (request: FastifyRequest, reply: FastifyReply) => {
    const exhausted = await budgets.take([budgets.network(request.ip)])
    if (exhausted) {
      reply.header('retry-after', String(Math.ceil(exhausted.retryAfterSeconds)))
      throw new ProgramRefused('temporarily_unavailable', 'too many registrations from this network', 429)
    }
    return reply.status(201).send(programs.clients.register(request.body))
  }

  app.register(async scope => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: bodyLimitBytes },
      (_request, body, done) => done(null, body),
    )
    const answering =
      (answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
      async (request: FastifyRequest, reply: FastifyReply) => {
        try {
          return await answer(request, reply)
        } catch (error) {
          if (error instanceof ProgramRefused) return sendRefusal(reply, error)
          throw error
        }
      }
    /** A form; other bodies have no fields. */
    const formOf = ({ body }: FastifyRequest) => readForm(typeof body === 'string' ? body : '')
    const options = (...calls: DescribedCall[]) => ({
      config: { describeCalls: () => ({ calls }) },
      bodyLimit: bodyLimitBytes,
    })
    const calls = describedProgramCalls

    scope.get(resourceMetadataPath, options(calls.resource), async () => resource)
    scope.get(shortResourceMetadataPath, options(calls.shortResource), async () => resource)
    scope.get(serverMetadataPath, options(calls.server), async () => server)
    scope.post(registerPath, options(calls.register), answering(register))
    scope.post(
      tokenPath,
      options(calls.token),
      answering(async request => programs.tokens.issue(formOf(request))),
    )
    scope.post(
      revokePath,
      options(calls.revoke),
      answering(async (request, reply) => {
        await programs.tokens.revoke(formOf(request))
        return reply.send({})
      }),
    )
  })
}
