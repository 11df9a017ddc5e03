import type { Db } from '#server/platform/db/database.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Json } from '#server/whatsapp/scalars.ts'
import { waIdOfSpelling } from '#server/whatsapp/serving/address.ts'
import { customerWindowMs } from '#shared/kernel/limits.ts'
import type { SandboxInbound } from '#shared/simulator/inbound.ts'
import { newWamid } from '../ids.ts'
import { inboundMediaMs } from '../media/media.ts'
import { insertMedia } from '../media/media-store.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'
import { nowMs, type SandboxParts } from '../parts.ts'
import { deliverOnce } from '../webhooks/deliver.ts'
import { metaJson } from '../webhooks/serialize.ts'
import { envelope, messagesValue, standbyWebhook, webhookContact } from '../webhooks/statuses.ts'
import type { WebhookJobs } from '../webhooks/webhook-jobs.ts'
import type { Write } from '../write-queue.ts'
import { type Customer, ensureCustomer, updateCustomer } from './customer-store.ts'
import { type Draft, inboundDraft, opensWindow, referralOf, titleOfChoice } from './inbound.ts'
import { findMessage, insertMessages } from './message-store.ts'

type Parts = Pick<SandboxParts, 'databases' | 'clock' | 'log' | 'vault' | 'deliver'> & {
  write: Write
  webhooks: Pick<WebhookJobs, 'add'>
}

interface Composed {
  wamid: string
  waId: string
  bodies: string[]
}

/** The WhatsApp id of a typed number. @throws InvalidInput */
export const requireWaId = (text: string, field: string): string => {
  const waId = waIdOfSpelling(text)
  if (waId === undefined) throw new InvalidInput([{ field, code: 'format', params: {} }])
  return waId
}

const timeOf = (body: SandboxInbound, now: number): number => {
  if (body.at === undefined) return now
  const at = Date.parse(body.at)
  if (Number.isNaN(at)) throw new InvalidInput([{ field: 'body.at', code: 'format', params: {} }])
  return at
}

const seconds = (ms: number) => String(Math.floor(ms / 1000))

const partOf = async (trx: Db, orgId: string, draft: Draft, now: number): Promise<Json> => {
  if (draft.contacts) return { contacts: draft.contacts }
  if (draft.file) {
    const { mime, name, bytes, caption, isVoice } = draft.file
    const media = await insertMedia(trx, orgId, { mime, name, bytes, expiresMs: now + inboundMediaMs })
    return {
      [draft.type]: {
        ...(caption === undefined ? {} : { caption }),
        ...(draft.type === 'document' && name !== null ? { filename: name } : {}),
        mime_type: mime,
        sha256: Buffer.from(media.sha256, 'hex').toString('base64'),
        id: media.id,
        ...(draft.type === 'audio' ? { voice: isVoice } : {}),
        ...(draft.type === 'sticker' ? { animated: false } : {}),
      },
    }
  }
  return {
    ...(draft.errors ? { errors: draft.errors } : {}),
    ...(draft.part ? { [draft.type]: draft.part } : {}),
  }
}

/** Context of a quoted or forwarded message. */
const contextOf = async (trx: Db, number: SandboxNumber, body: SandboxInbound): Promise<Json> => {
  if (body.forwarded) return { context: { forwarded: true } }
  const wamid = body.replyToWamid
  if (wamid === undefined) return {}
  const quoted = await findMessage(trx, number.orgId, wamid)
  return { context: { from: quoted?.direction === 'in' ? quoted.waId : number.phone, id: wamid } }
}

/** A tap has only the button's id; the title is in the message that was tapped. */
const withTitle = async (trx: Db, orgId: string, body: SandboxInbound): Promise<SandboxInbound> => {
  if (!body.replyToWamid || !body.choiceId || body.choiceTitle) return body
  const tapped = await findMessage(trx, orgId, body.replyToWamid)
  const title = tapped?.direction === 'out' ? titleOfChoice(tapped.body, body.choiceId) : undefined
  return title === undefined ? body : { ...body, choiceTitle: title }
}

const customerOf = async (
  trx: Db,
  orgId: string,
  body: SandboxInbound,
  waId: string,
  now: number,
): Promise<Customer> => {
  const known = await ensureCustomer(trx, orgId, waId, now)
  const name = body.name || known.name
  // An empty username removes it.
  const username = body.username === undefined ? known.username : body.username.replace(/^@/, '') || null
  return { ...known, name, username }
}

const composeMessage = async (
  trx: Db,
  number: SandboxNumber,
  asked: SandboxInbound,
  waId: string,
  now: number,
): Promise<Composed | undefined> => {
  const { orgId } = number
  const customer = await customerOf(trx, orgId, asked, waId, now)
  const { name, username } = customer
  if (customer.isBlockedByUs) {
    await updateCustomer(trx, orgId, waId, { name, username })
    return undefined
  }
  const body = await withTitle(trx, orgId, asked)
  const at = timeOf(body, now)
  const draft = inboundDraft(body)
  const isHidden = username !== null
  const wamid = newWamid(isHidden ? customer.bsuid : waId, 'in')
  const message: Json = {
    ...(await contextOf(trx, number, body)),
    ...(body.adHeadline ? { referral: referralOf(body.adHeadline) } : {}),
    ...(isHidden ? {} : { from: waId }),
    from_user_id: customer.bsuid,
    timestamp: seconds(at),
    type: draft.type,
    ...(await partOf(trx, orgId, draft, now)),
    ...body.raw,
    id: wamid,
  }
  await insertMessages(trx, orgId, [
    {
      wamid,
      direction: 'in',
      waId,
      recipient: null,
      type: draft.type,
      body: JSON.stringify(message),
      callback: null,
      status: 'received',
      atMs: at,
    },
  ])
  const isAd = body.adHeadline !== undefined && body.adHeadline !== ''
  await updateCustomer(trx, orgId, waId, {
    name,
    username,
    seenMs: now,
    ...(opensWindow(draft.type) ? { windowFromMs: Math.max(at, customer.windowFromMs ?? at) } : {}),
    ...(isAd ? { adAtMs: at, entryUntilMs: null } : {}),
  })
  const contacts = [webhookContact(customer, { number: !isHidden })]
  if (customer.isWithAgent) {
    const isHeard = number.behaviour.agentFields
    return { wamid, waId, bodies: isHeard ? [metaJson(standbyWebhook(number, { contacts, messages: [message] }))] : [] }
  }
  const value = messagesValue(number, { contacts, messages: [message] })
  return { wamid, waId, bodies: [metaJson(envelope(number, 'messages', value))] }
}

/** The customer gets a new number and a new business-scoped id; Meta reports both in one message. */
const composeNewNumber = async (
  trx: Db,
  number: SandboxNumber,
  body: SandboxInbound,
  waId: string,
  now: number,
): Promise<Composed> => {
  if (body.newNumber === undefined) throw new InvalidInput([{ field: 'body.newNumber', code: 'required', params: {} }])
  const { orgId } = number
  const newWaId = requireWaId(body.newNumber, 'body.newNumber')
  const before = await customerOf(trx, orgId, body, waId, now)
  const fresh = await ensureCustomer(trx, orgId, newWaId, now)
  const after = { ...fresh, name: before.name, username: before.username }
  await updateCustomer(trx, orgId, newWaId, {
    name: after.name,
    username: after.username,
    windowFromMs: before.windowFromMs,
    seenMs: now,
  })
  const wamid = newWamid(waId, 'in')
  const at = timeOf(body, now)
  const message: Json = {
    from: waId,
    from_user_id: before.bsuid,
    id: wamid,
    timestamp: seconds(at),
    type: 'system',
    system: {
      body: `User ${before.name} changed from ${waId} to ${newWaId}`,
      wa_id: newWaId,
      user_id: after.bsuid,
      previous_user_id: before.bsuid,
      type: 'user_changed_number',
    },
  }
  await insertMessages(trx, orgId, [
    {
      wamid,
      direction: 'in',
      waId: newWaId,
      recipient: null,
      type: 'system',
      body: JSON.stringify(message),
      callback: null,
      status: 'received',
      atMs: at,
    },
  ])
  return {
    wamid,
    waId: newWaId,
    bodies: [metaJson(envelope(number, 'messages', messagesValue(number, { messages: [message] })))],
  }
}

/**
 * Acts as a customer: stores the action, sends it to the product's webhook, and returns the webhook's status. A refused
 * webhook is retried later, like Meta does.
 * @returns `wamid` null if the business has blocked the customer, which Meta does not reveal
 */
export async function actAsCustomer(
  parts: Parts,
  number: SandboxNumber,
  body: SandboxInbound,
): Promise<{ wamid: string | null; status: number }> {
  const { clock } = parts
  const waId = requireWaId(body.from, 'body.from')
  const compose = body.type === 'system' ? composeNewNumber : composeMessage
  const composed = await parts.write<Composed | undefined>(trx => compose(trx, number, body, waId, nowMs(clock)))
  if (!composed) return { wamid: null, status: 0 }
  const { wamid, bodies } = composed
  if (!number.isSubscribed) return { wamid, status: 0 }

  const statuses: number[] = []
  const failed: string[] = []
  for (const text of bodies)
    for (let i = 0; i < (body.repeat ?? 1); i += 1) {
      const status = await deliverOnce(parts, number, text)
      statuses.push(status)
      if (status !== 200 && i === 0) failed.push(text)
    }
  if (failed.length) {
    const again = failed.map(text => ({ body: text, tried: 1 }))
    await parts.write(trx => parts.webhooks.add(trx, number.orgId, again))
  }
  return { wamid, status: statuses[0] ?? 0 }
}

/** Until when free text may be sent to the customer; null: the window is closed. */
export const windowEnd = (customer: Customer, now: number): string | null => {
  if (customer.windowFromMs === null || now - customer.windowFromMs >= customerWindowMs) return null
  return new Date(customer.windowFromMs + customerWindowMs).toISOString()
}
