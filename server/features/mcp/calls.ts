import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { admit, innerCallers } from '#server/platform/http/access.ts'
import { organizationOf } from '#server/platform/http/http.ts'
import { refusalIn, toWireError } from '#server/platform/http/refusals.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'
import type { WireError } from '#shared/kernel/error.ts'
import { type Arguments, argumentsOf } from './arguments.ts'
import { asData } from './data.ts'
import { type Tool, tools } from './tools.ts'

type Json = Record<string, unknown>
type Translate = (language: FastifyRequest['caller']['language'], key: string, params?: Json) => string

/** The answer to a call: the reply of its contract, or the error. */
type Answer = { readonly value: Json } | { readonly refusal: WireError }

/** Headers that the call of a tool keeps from the request that asked for it. */
const kept = ['accept-language', 'user-agent', 'x-organization', 'traceparent'] as const

/**
 * The calls of one request to `/mcp`. Each goes through the routes of the API with the caller of that request, so that
 * rights, visibility, limits, validation and the record of calls are those of the API.
 */
export interface Calls {
  /** True if the caller has the right to a tool. */
  mayUse(tool: Tool): Promise<boolean>
  ask(endpoint: EndpointShape, given: Json): Promise<Answer>
}

const argumentsByEndpoint = new Map<EndpointShape, Arguments>(
  tools.map(({ endpoint }) => [endpoint, argumentsOf(endpoint)]),
)

export const createCalls =
  (app: FastifyInstance, translate: Translate) =>
  (request: FastifyRequest): Calls => {
    const { caller, headers, id, ip } = request
    const own = Object.fromEntries(kept.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])))

    const mayUse = async ({ endpoint }: Tool): Promise<boolean> => {
      try {
        await admit(endpoint, caller, organizationOf(request))
        return true
      } catch (error) {
        if (refusalIn(error)) return false
        throw error
      }
    }

    return {
      mayUse,
      async ask(endpoint, given) {
        try {
          const { headers: ofCall, ...asked } = (argumentsByEndpoint.get(endpoint) as Arguments).requestOf(given)
          // Begun inside: without `await` there, it would begin where its answer is awaited.
          const reply = await innerCallers.run(
            caller,
            async () =>
              await app.inject({ ...asked, headers: { ...own, ...ofCall, 'x-request-id': id }, remoteAddress: ip }),
          )
          const value = reply.json<Json>()
          return reply.statusCode < 400 ? { value } : { refusal: value as unknown as WireError }
        } catch (error) {
          const refusal = refusalIn(error)
          if (!refusal) throw error
          return { refusal: toWireError(refusal, id, (text, params) => translate(caller.language, text, params)) }
        }
      },
    }
  }

export const inputSchemaOf = (endpoint: EndpointShape): Json =>
  (argumentsByEndpoint.get(endpoint) as Arguments).inputSchema

/** A refusal says its reason in words, and each field that does not fit. */
const refusalText = ({ message, code, details = [] }: WireError): string =>
  [`${message} (${code})`, ...details.map(({ field, message: why }) => `${field}: ${why}`)].join('\n')

/** The result of a tool: the answer as the contract has it, and as text for clients that show only that. */
export const resultOf = (answer: Answer): CallToolResult =>
  'refusal' in answer
    ? { isError: true, content: [{ type: 'text', text: refusalText(answer.refusal) }] }
    : { structuredContent: answer.value, content: [{ type: 'text', text: asData(JSON.stringify(answer.value)) }] }
