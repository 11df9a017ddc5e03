import type { Db } from '#server/platform/db/database.ts'
import { readMessagingLimit } from '#server/whatsapp/fields/messaging-limit.ts'
import { asText, type Json } from '#server/whatsapp/scalars.ts'
import { codeError, type GraphError } from '#server/whatsapp/serving/graph-error.ts'
import { type Recipient, readRecipient, sendReply } from '#server/whatsapp/serving/recipient.ts'
import { validateMessage } from '#server/whatsapp/serving/validate-message.ts'
import { customerWindowMs } from '#shared/kernel/limits.ts'
import type { Customer } from '../customers/customer-store.ts'
import { ensureCustomer, findCustomerByBsuid, updateCustomer } from '../customers/customer-store.ts'
import { insertMessages } from '../customers/message-store.ts'
import { takeFault } from '../faults/fault-store.ts'
import { type Fault, isNamed, testNumberFault } from '../faults/faults.ts'
import { newWamid } from '../ids.ts'
import { findMediaError, linkFault } from '../media/media.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'
import { nowMs, type SandboxParts } from '../parts.ts'
import { findTemplateError } from '../templates/template-send.ts'
import type { StatusJobs } from '../webhooks/status-jobs.ts'
import { delayMs, planOf } from '../webhooks/statuses.ts'
import type { Write } from '../write-queue.ts'
import type { Limits } from './limits.ts'

const isArgentineMobile = (waId: string) => /^549\d{10}$/.test(waId)

/** Like Meta's test numbers, which compare another spelling: only `54` and ten digits passes. */
const passesAllowList = (input: string, waId: string) =>
  !isArgentineMobile(waId) || /^54(?!9\d{10}$)/.test(input.replace(/\D/g, ''))

/** @throws GraphError 100, 131009, 131021, 131030 */
function requireRecipient(message: Json, number: SandboxNumber): Recipient {
  const recipient = readRecipient(message, number.phone)
  if (number.behaviour.allowListMode && 'waId' in recipient && !passesAllowList(recipient.input, recipient.waId))
    throw codeError(131030)
  return recipient
}

/** Ways in which a reply fails. `cut`: the message was accepted all the same. */
export type Breakage = '500' | 'html' | 'reset' | 'hang' | 'cut'

type Outcome = { kind: 'reply'; body: Json } | { kind: 'refuse'; error: GraphError } | { kind: 'break'; how: Breakage }

type AcceptParts = Pick<SandboxParts, 'clock'> & { limits: Limits; write: Write; statuses: Pick<StatusJobs, 'add'> }

const isBreakage = (code: string): code is Exclude<Breakage, 'cut'> => ['500', 'html', 'reset', 'hang'].includes(code)

/**
 * A reply within a day to a customer who came by an advertisement: everything is free for three days.
 * @see Meta, "Pricing"
 */
const entryWindowMs = 72 * 3_600_000

const productKinds: readonly unknown[] = ['product', 'product_list', 'catalog_message']
const namesProduct = (type: string, message: Json) =>
  type === 'interactive' && productKinds.includes((message.interactive as Json).type)
/** The simulated business has no catalogue. */
const noCatalogue = () => codeError(131009, 'Catalog not found or not connected to the WhatsApp Business Account.')

const isOpen = (fromMs: number | null, now: number) => fromMs !== null && now - fromMs < customerWindowMs

/**
 * Accepts a message of the business like Meta. Token and number have been checked; checks recipient, limits of the
 * type, media, blocking and rate, and then armed faults. One transaction stores everything, so that pending statuses
 * survive a restart.
 */
export async function acceptMessage(parts: AcceptParts, number: SandboxNumber, message: Json): Promise<Outcome> {
  const { clock, limits, statuses } = parts
  const { orgId, behaviour } = number
  const recipient = requireRecipient(message, number)
  const type = validateMessage(message)
  if (namesProduct(type, message)) throw noCatalogue()
  if (behaviour.throughputLimit && !limits.takeThroughput(number.phoneNumberId)) throw codeError(130429)

  const most = readMessagingLimit(behaviour.messagingLimit) ?? Number.POSITIVE_INFINITY
  const takesPerson = (waId: string): boolean => !Number.isFinite(most) || limits.takePerson(number.wabaId, waId, most)

  return parts.write(async trx => {
    const now = nowMs(clock)
    const mediaError = await findMediaError(trx, orgId, message, type, now)
    if (mediaError) return { kind: 'refuse', error: mediaError }
    const templateError = type === 'template' ? await findTemplateError(trx, orgId, message, now) : undefined
    if (templateError) return { kind: 'refuse', error: templateError }
    const customer = await customerOf(trx, orgId, recipient, now)
    if (customer === undefined) return { kind: 'refuse', error: codeError(131026) }
    if (customer.isBlockedByUs) return { kind: 'refuse', error: codeError(130403) }
    if (behaviour.pairLimit && type !== 'reaction' && !limits.takePair(number.phoneNumberId, customer.waId))
      return { kind: 'refuse', error: codeError(131056) }

    const fault = testNumberFault(customer.waId) ?? (await takeFault(trx, orgId))
    if (fault && isBreakage(fault.code)) return { kind: 'break', how: fault.code }
    if (fault?.mode === 'sync' && !isNamed(fault.code)) return { kind: 'refuse', error: codeError(Number(fault.code)) }
    // Templates may be sent at any time.
    const isWindowOpen = type === 'template' || isOpen(customer.windowFromMs, now)
    if (!fault && !isWindowOpen && behaviour.reengagement === 'sync')
      return { kind: 'refuse', error: codeError(131047) }

    // Meta accepts it, and reports the failure by webhook.
    const isWithinLimit = type !== 'template' || isOpen(customer.windowFromMs, now) || takesPerson(customer.waId)
    const wamid = newWamid('bsuid' in recipient ? recipient.bsuid : customer.waId, 'out')
    await store(statuses, trx, number, {
      wamid,
      recipient,
      customer,
      message,
      type,
      now,
      failure: isWithinLimit ? failureOf(fault, isWindowOpen, customer, message, type) : '131048',
    })
    // A message takes the chat from Meta's agent; a template does not.
    if (customer.isWithAgent && type !== 'template')
      await updateCustomer(trx, orgId, customer.waId, { isWithAgent: false })
    if (customer.adAtMs !== null && now - customer.adAtMs < customerWindowMs && customer.entryUntilMs === null)
      await updateCustomer(trx, orgId, customer.waId, { entryUntilMs: now + entryWindowMs })
    if (fault?.code === 'cut') return { kind: 'break', how: 'cut' }
    return {
      kind: 'reply',
      body: sendReply(recipient, customer.bsuid, wamid),
    }
  })
}

const customerOf = (trx: Db, orgId: string, recipient: Recipient, now: number): Promise<Customer | undefined> =>
  'bsuid' in recipient
    ? findCustomerByBsuid(trx, orgId, recipient.bsuid)
    : ensureCustomer(trx, orgId, recipient.waId, now)

/** A failure status in place of the usual statuses; undefined: the usual ones. */
const failureOf = (
  fault: Fault | undefined,
  isWindowOpen: boolean,
  customer: Customer,
  message: Json,
  type: string,
): string | undefined => {
  if (fault?.code === 'noStatus' || fault?.code === 'sentThenFailed') return fault.code
  if (fault && fault.code !== 'cut') return fault.code
  if (!isWindowOpen) return '131047'
  if (customer.blocksUs) return '131026'
  return linkFault(message, type)
}

const store = async (
  statuses: Pick<StatusJobs, 'add'>,
  trx: Db,
  number: SandboxNumber,
  sent: {
    wamid: string
    recipient: Recipient
    customer: Customer
    message: Json
    type: string
    now: number
    failure: string | undefined
  },
) => {
  const { orgId, behaviour } = number
  const { wamid, customer, message, now } = sent
  await insertMessages(trx, orgId, [
    {
      wamid,
      direction: 'out',
      waId: customer.waId,
      recipient: 'bsuid' in sent.recipient ? sent.recipient.bsuid : null,
      type: sent.type,
      body: JSON.stringify(message),
      callback: asText(message.biz_opaque_callback_data) ?? null,
      status: 'accepted',
      atMs: now,
    },
  ])
  const isVoice = sent.type === 'audio' && (message.audio as Json).voice === true
  const plan = planOf({ type: sent.type, isVoice, failure: sent.failure, behaviour })
  const [first] = plan
  if (first !== undefined)
    await statuses.add(trx, orgId, { wamid, waId: customer.waId, plan, afterMs: delayMs(first, behaviour) })
  if (customer.typingUntilMs !== null) await updateCustomer(trx, orgId, customer.waId, { typingUntilMs: null })
}
