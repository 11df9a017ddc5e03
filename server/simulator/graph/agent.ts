import type { Db } from '#server/platform/db/database.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { asText, type Json } from '#server/whatsapp/scalars.ts'
import { waIdOfSpelling } from '#server/whatsapp/serving/address.ts'
import { paramError } from '#server/whatsapp/serving/graph-error.ts'
import type { SandboxAgent } from '#shared/simulator/inbound.ts'
import { ensureCustomer, findCustomerByBsuid, updateCustomer } from '../customers/customer-store.ts'
import { requireWaId } from '../customers/inbound-service.ts'
import { insertMessages } from '../customers/message-store.ts'
import { newWamid } from '../ids.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'
import { metaJson } from '../webhooks/serialize.ts'
import type { StatusJobs } from '../webhooks/status-jobs.ts'
import { delayMs, envelope, planOf, standbyWebhook, webhookContact } from '../webhooks/statuses.ts'
import type { NewWebhook, WebhookJobs } from '../webhooks/webhook-jobs.ts'

interface AgentParts {
  readonly statuses: Pick<StatusJobs, 'add'>
  readonly webhooks: Pick<WebhookJobs, 'add'>
}

const seconds = (ms: number) => String(Math.floor(ms / 1000))

const handoverWebhook = (number: SandboxNumber, waId: string, now: number, context: string | undefined): Json =>
  envelope(number, 'messaging_handovers', {
    messaging_product: 'whatsapp',
    recipient: { display_phone_number: number.phone, phone_number_id: number.phoneNumberId },
    sender: { phone_number: waId },
    timestamp: seconds(now),
    type: 'control_passed',
    control_passed: {
      metadata: '',
      previous_owner_app_id: number.appId,
      previous_owner_app_role: 'meta_business_agent',
      previous_owner_role: 'ai_agent',
      new_owner_role: 'escalation',
      ...(context ? { conversation_context: context } : {}),
    },
  })

/** `take` and `release` take a chat from the agent, `pass` gives it one. @throws GraphError 100 */
export async function controlThread(trx: Db, number: SandboxNumber, body: Json, now: number): Promise<Json> {
  const action = asText(body.action)
  if (action === undefined || !['take', 'release', 'pass'].includes(action))
    throw paramError('Param action must be one of {PASS, RELEASE, TAKE}.')
  const { orgId } = number
  const waId = waIdOfSpelling(asText(body.to) ?? '')
  const customer = waId
    ? await ensureCustomer(trx, orgId, waId, now)
    : await findCustomerByBsuid(trx, orgId, asText(body.recipient) ?? '')
  if (!customer) throw paramError('The parameter to is required.')
  await updateCustomer(trx, orgId, customer.waId, { isWithAgent: action === 'pass' })
  return { success: true }
}

/**
 * Acts as Meta's agent: takes a chat, answers in it, or hands it to the team. Sends nothing to an app without the
 * agent's fields.
 */
export async function actAsAgent(
  { statuses, webhooks }: AgentParts,
  trx: Db,
  number: SandboxNumber,
  body: SandboxAgent,
  now: number,
): Promise<{ wamid: string | null }> {
  const { orgId, behaviour } = number
  const customer = await ensureCustomer(trx, orgId, requireWaId(body.from, 'body.from'), now)
  const { waId } = customer
  const tell = async (webhook: NewWebhook) => {
    if (number.isSubscribed && behaviour.agentFields) await webhooks.add(trx, orgId, [webhook])
  }
  if (body.action === 'answer') {
    const text = body.text?.trim()
    if (!text) throw new InvalidInput([{ field: 'body.text', code: 'required', params: {} }])
    await updateCustomer(trx, orgId, waId, { isWithAgent: true })
    const wamid = newWamid(waId, 'out')
    const message = { to: waId, type: 'text', text: { body: text } }
    await insertMessages(trx, orgId, [
      {
        wamid,
        direction: 'out',
        waId,
        recipient: null,
        type: 'text',
        body: JSON.stringify({ messaging_product: 'whatsapp', ...message }),
        callback: null,
        status: 'accepted',
        atMs: now,
      },
    ])
    const echo = { id: wamid, timestamp: seconds(now), message }
    const contacts = [webhookContact(customer, { number: customer.username === null })]
    await tell({ body: metaJson(standbyWebhook(number, { contacts, message_echoes: [echo] })), orderKey: wamid })
    const plan = planOf({ type: 'text', isVoice: false, failure: undefined, behaviour })
    const [first] = plan
    if (first !== undefined) await statuses.add(trx, orgId, { wamid, waId, plan, afterMs: delayMs(first, behaviour) })
    return { wamid }
  }
  await updateCustomer(trx, orgId, waId, { isWithAgent: body.action === 'hold' })
  if (body.action === 'handOver')
    await tell({ body: metaJson(handoverWebhook(number, waId, now, body.text?.trim())), orderKey: `agent ${waId}` })
  return { wamid: null }
}
