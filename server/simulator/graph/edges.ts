import type { FastifyReply, FastifyRequest } from 'fastify'
import { asText, type Json } from '#server/whatsapp/scalars.ts'
import { readFields, selectFields } from '#server/whatsapp/serving/fields.ts'
import { codeError, paramError, unknownObject, unknownPath } from '#server/whatsapp/serving/graph-error.ts'
import { mountOf } from '#server/whatsapp/serving/graph-request.ts'
import { breakReply } from '../faults/breakage.ts'
import { acceptUpload, deleteUploadedMedia, mediaInfo } from '../media/media.ts'
import { readUpload } from '../media/upload.ts'
import { type SandboxNumber, updateNumber } from '../numbers/number-store.ts'
import { nowMs } from '../parts.ts'
import {
  createTemplate,
  editTemplate,
  removeTemplate,
  templateList,
  templateNode,
} from '../templates/template-calls.ts'
import { ensureSamples } from '../templates/template-samples.ts'
import { findTemplate, hasAnyTemplate } from '../templates/template-store.ts'
import { openUpload } from '../templates/template-upload.ts'
import { acceptMessage } from './accept.ts'
import { controlThread } from './agent.ts'
import { blockedUsers, changeBlocks } from './blocking.ts'
import type { GraphParts } from './graph-parts.ts'
import { accountNode, appSubscriptions, phoneNode, phoneNumbers, subscribedApps } from './nodes.ts'
import { pricingAnalytics } from './pricing.ts'
import { changeProfile, profileNode } from './profile.ts'
import { acceptReceipt } from './receipt.ts'

/** A call whose token and number have been checked. */
interface GraphCall {
  request: FastifyRequest
  reply: FastifyReply
  method: string
  number: SandboxNumber
  query: Json
  body: Json
}

type Edge = (call: GraphCall) => Promise<unknown>
type Edges = Readonly<Record<string, Edge>>

/** Longer than any business name. */
const maxNameChars = 100

/** Answers calls on objects of a number: the number, its account, its app, its templates and its media. */
export function createEdges(parts: GraphParts, secretOf: (number: SandboxNumber) => string) {
  const { databases, clock } = parts

  const mediaFacts = ({ request, number, query }: GraphCall) => ({
    origin: `${request.protocol}://${request.host}${mountOf(request)}`,
    appSecret: secretOf(number),
    nowMs: nowMs(clock),
    phoneNumberId: asText(query.phone_number_id),
  })

  const sendMessage: Edge = async ({ request, reply, number, body }) => {
    if (body.messaging_product !== 'whatsapp') throw paramError('The parameter messaging_product is required.')
    if (body.status !== undefined) return acceptReceipt(parts, number, body)
    const outcome = await acceptMessage(parts, number, body)
    parts.jobs.wake()
    if (outcome.kind === 'refuse') throw outcome.error
    return outcome.kind === 'break' ? breakReply(request, reply, outcome.how, parts.hanging) : outcome.body
  }

  const setSubscribed =
    (isSubscribed: boolean): Edge =>
    async ({ number }) => {
      await updateNumber(databases.write, number.orgId, { isSubscribed })
      return { success: true }
    }

  const block =
    (isBlocked: boolean): Edge =>
    async ({ reply, number, body }) => {
      const answer = await changeBlocks(parts, number, body, isBlocked)
      reply.status(answer.status)
      return answer.body
    }

  const notCalling: Edge = () => Promise.reject(codeError(138000))

  const phoneEdges: Edges = {
    'GET ': async ({ number, query }) => selectFields(phoneNode(number), readFields(query.fields)),
    'POST ': async ({ number, query, body }) => {
      const name = asText({ ...query, ...body }.new_display_name)?.trim()
      if (!name) throw paramError('The parameter new_display_name is required.')
      if (name.length > maxNameChars) throw paramError('The parameter new_display_name is too long.')
      // Names are not reviewed here; they are in use at once.
      await updateNumber(databases.write, number.orgId, { verifiedName: name })
      return { success: true }
    },
    'POST messages': sendMessage,
    'POST media': async ({ request, number }) =>
      acceptUpload(databases.write, number, await readUpload(request), nowMs(clock)),
    'POST thread_control': async ({ number, body }) =>
      parts.write(trx => controlThread(trx, number, body, nowMs(clock))),
    'GET whatsapp_business_profile': async call =>
      profileNode(databases.read, call.number, call.query, mediaFacts(call)),
    'POST whatsapp_business_profile': async ({ number, query, body }) =>
      parts.write(trx => changeProfile(trx, number, { ...query, ...body }, nowMs(clock))),
    'POST calls': notCalling,
    'GET call_permissions': notCalling,
    'GET block_users': async ({ number, query }) => blockedUsers(databases.read, number, query),
    'POST block_users': block(true),
    'DELETE block_users': block(false),
  }

  const accountEdges: Edges = {
    'GET ': async ({ number, query }) => {
      const analytics = await pricingAnalytics(databases, number, query.fields)
      return selectFields(accountNode(number, analytics), readFields(query.fields))
    },
    'GET phone_numbers': async ({ number, query }) => phoneNumbers(number, readFields(query.fields), query.after),
    // The simulated business has no catalogue.
    'GET product_catalogs': async () => ({ data: [] }),
    // The simulated business has no forms.
    'GET flows': async () => ({ data: [] }),
    'GET subscribed_apps': async ({ number }) => subscribedApps(number),
    'POST subscribed_apps': setSubscribed(true),
    'DELETE subscribed_apps': setSubscribed(false),
    'GET message_templates': async ({ request, number, query }) => {
      if (!(await hasAnyTemplate(databases.read, number.orgId)))
        await parts.write(trx => ensureSamples(trx, number.orgId, nowMs(clock)))
      return templateList(
        databases.read,
        number,
        query,
        `${request.protocol}://${request.host}${request.url.split('?')[0]}`,
      )
    },
    'POST message_templates': async ({ number, query, body }) => {
      const made = await parts.write(trx => createTemplate(parts, trx, number, { ...query, ...body }, nowMs(clock)))
      parts.jobs.wake()
      return made
    },
    'DELETE message_templates': async ({ number, query, body }) =>
      parts.write(trx => removeTemplate(trx, number, { ...query, ...body }, nowMs(clock))),
  }

  const appEdges: Edges = {
    'GET subscriptions': async ({ number }) => appSubscriptions(number),
    'POST uploads': async ({ number, query, body }) =>
      parts.write(trx => openUpload(trx, number, { ...query, ...body }, nowMs(clock))),
  }

  const templateEdges = (id: string): Edges => ({
    'GET ': async ({ number, query }) => templateNode(databases.read, number, id, query),
    'POST ': async ({ number, query, body }) => {
      const done = await parts.write(trx => editTemplate(parts, trx, number, id, { ...query, ...body }, nowMs(clock)))
      parts.jobs.wake()
      return done
    },
  })

  const mediaEdges = (id: string): Edges => ({
    'GET ': async call => mediaInfo(databases.read, call.number, id, mediaFacts(call)),
    'DELETE ': async call => deleteUploadedMedia(databases.write, call.number, id, mediaFacts(call)),
  })

  const edgesOf = async (number: SandboxNumber, id: string): Promise<Edges> => {
    if (id === number.phoneNumberId) return phoneEdges
    if (id === number.wabaId) return accountEdges
    if (id === number.appId) return appEdges
    return (await findTemplate(databases.read, number.orgId, id)) ? templateEdges(id) : mediaEdges(id)
  }

  /** @throws GraphError if the object or its edge is unknown */
  return async (call: GraphCall, [id = '', ...rest]: readonly string[]): Promise<unknown> => {
    const edge = rest.join('/')
    const edges = await edgesOf(call.number, id)
    const run = edges[`${call.method} ${edge}`]
    if (run) return run(call)
    const isOurs = edges === phoneEdges || edges === accountEdges || edges === appEdges
    const isKnownEdge = Object.keys(edges).some(key => key.endsWith(` ${edge}`))
    throw isOurs && !isKnownEdge ? unknownPath(edge) : unknownObject(call.method, id)
  }
}
