import { markRead } from '#server/messaging/conversations/changes/flags.ts'
import { spanishFailure } from '#server/messaging/messages/delivery/failure.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import { findNamed, type OwnNumber } from '#server/messaging/sending/as-program.ts'
import { type AskedTemplate, readOutbound } from '#server/messaging/sending/outbound.ts'
import { react } from '#server/messaging/sending/reacting.ts'
import { type AskedSend, type SendParts, sendAsked } from '#server/messaging/sending/sending.ts'
import { showTyping } from '#server/messaging/sending/typing.ts'
import { templateSending } from '#server/messaging/templates/sending.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { KeyHolder } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { asObject, asText, type Json, shownValue } from '#server/whatsapp/scalars.ts'
import { metaCodes } from '#server/whatsapp/serving/codes.ts'
import { codeError, paramError } from '#server/whatsapp/serving/graph-error.ts'
import { withHeaderMedia } from '#server/whatsapp/serving/header-media.ts'
import { idInWamid, wamidOfOurs } from '#server/whatsapp/serving/ids.ts'
import { notReceived, readReceipt } from '#server/whatsapp/serving/receipt.ts'
import { type Recipient, readRecipient, sendReply } from '#server/whatsapp/serving/recipient.ts'
import { type GivenTemplate, readTemplateSend } from '#server/whatsapp/serving/template-values.ts'
import { type MediaType, mediaTypes, validateMessage } from '#server/whatsapp/serving/validate-message.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import type { GatewayFiles } from './files.ts'
import { saveGatewayMessage } from './message-store.ts'

interface GatewayMessageParts extends Omit<SendParts, 'templates' | 'outbox'> {
  readonly gatewayFiles: Pick<GatewayFiles, 'withCopy' | 'headerHandle' | 'providerId'>
  readonly writes: Pick<Writes, 'run'>
  readonly outbox: SendParts['outbox'] & Pick<Outbox, 'enqueueReads' | 'enqueueTyping' | 'enqueueReaction'>
}

interface SendCall {
  readonly caller: KeyHolder
  readonly number: OwnNumber
  readonly body: Json
  /** The same key is one message. */
  readonly clientKey: string | undefined
}

const addressOf = (recipient: Recipient) => ('waId' in recipient ? recipient.waId : recipient.bsuid)

const isMedia = (type: string): type is MediaType => (mediaTypes as readonly string[]).includes(type)

const forms = { document: 'document', sticker: 'sticker' } as const

/** @throws GraphError 100 if the file cannot be sent as this type */
const askedFile = (type: MediaType, part: Json, file: ReceivedFile): AskedSend['asked'] => {
  const as = type === 'audio' && part.voice === true ? 'voice' : forms[type as keyof typeof forms]
  const [name, message] = [asText(part.filename) ?? file.name ?? 'file', asText(part.caption)]
  const asked = readOutbound(
    { type: 'file', numberTel: '', name, ...(message ? { message } : {}), ...(as ? { as } : {}) },
    file,
  )
  const kind = asked.type === 'askedFile' ? asked.sent.kind : type
  if ((kind === 'voice' ? 'audio' : kind) === type) return asked
  throw paramError('Invalid parameter', `The media has the type ${file.mime}, which cannot be sent as ${type}.`)
}

/** Meta names template and language in its own words. */
const inMetasWords = (error: unknown, { template, language }: GivenTemplate): unknown => {
  const code = error instanceof AppError ? error.code : undefined
  if (code === 'INBOX_OPTED_OUT') return codeError(metaCodes.marketingRefused)
  return code === 'TEMPLATES_NOT_FOUND' || code === 'TEMPLATES_NOT_APPROVED'
    ? codeError(metaCodes.templateMissing, `template name (${template}) does not exist in ${language}`)
    : error
}

/** `POST /{phone-number-id}/messages`: Meta's body becomes a message of the product, which its outbox sends. */
export function createGatewayMessages(parts: GatewayMessageParts) {
  const { writes } = parts
  const sendParts = { ...parts, templates: templateSending }

  /** The header's file by its address, or as our copy of an upload. */
  const askedTemplate = async (caller: KeyHolder, given: GivenTemplate): Promise<AskedTemplate> => {
    const { media, cards, ...rest } = given
    const linkOf = async (file: string) => (/^\d+$/.test(file) ? parts.gatewayFiles.headerHandle(caller, file) : file)
    const linked: AskedTemplate['cards'] = {}
    for (const [at, { file, ...card }] of Object.entries(cards))
      linked[at] = { ...card, ...(file === undefined ? {} : { file: await linkOf(file) }) }
    const image = media && (await linkOf('link' in media ? media.link : media.id))
    return { type: 'askedTemplate', ...rest, cards: linked, ...(image === undefined ? {} : { image }) }
  }

  const send = async (call: SendCall, recipient: Recipient, asked: AskedSend['asked']) => {
    const { caller, number, body, clientKey } = call
    const quoted = asText(asObject(body.context)?.message_id)
    const to = {
      numberTel: addressOf(recipient),
      phone: number.phone,
      clientKey,
      replyToMessageId: quoted === undefined ? undefined : (idInWamid(quoted) ?? quoted),
    }
    return writes.run(caller.orgId, actorOf(caller), async write => {
      const { message, row } = await sendAsked(write, caller, { asked, to }, spanishFailure, sendParts)
      await saveGatewayMessage(write.db, write.orgId, {
        id: message.id,
        messageId: message.id,
        callbackData: asText(body.biz_opaque_callback_data) ?? null,
      })
      return sendReply(recipient, row.bsuid ?? undefined, wamidOfOurs(message.id))
    })
  }

  const sendTemplate = async (call: SendCall, recipient: Recipient) => {
    const given = readTemplateSend(call.body.template as Json)
    try {
      return await send(call, recipient, await askedTemplate(call.caller, given))
    } catch (error) {
      throw inMetasWords(error, given)
    }
  }

  const findTarget = (write: OrgWrite, { caller, number }: SendCall, wamid: string) =>
    findNamed(write, caller, { wamid, id: idInWamid(wamid), connectionId: number.id })

  const sendReaction = (call: SendCall, recipient: Recipient) => {
    const { caller, body } = call
    const { message_id: wamid, emoji } = body.reaction as Json
    return writes.run(caller.orgId, actorOf(caller), async write => {
      const target = await findTarget(write, call, shownValue(wamid))
      if (!target)
        throw codeError(metaCodes.invalidValue, "Parameter 'reaction['message_id']' is not a message of this chat.")
      const id = parts.ids()
      await react(
        write,
        caller,
        { id: target.id, emoji: asText(emoji) ?? null, callback: id },
        spanishFailure,
        sendParts,
      )
      const callbackData = asText(body.biz_opaque_callback_data) ?? null
      await saveGatewayMessage(write.db, write.orgId, { id, messageId: target.id, callbackData })
      return sendReply(recipient, target.row.bsuid ?? undefined, wamidOfOurs(id))
    })
  }

  const read = (call: SendCall) => {
    const { wamid, isTyping } = readReceipt(call.body)
    return writes.run(call.caller.orgId, actorOf(call.caller), async write => {
      const target = await findTarget(write, call, wamid)
      if (target?.direction !== 'in') throw notReceived()
      await markRead(write, [target.row], parts)
      if (isTyping) await showTyping(write, target.row, parts)
      return { success: true }
    })
  }

  return async (call: SendCall): Promise<unknown> => {
    const { body, number } = call
    if (body.messaging_product !== 'whatsapp') throw paramError('The parameter messaging_product is required.')
    if (body.status !== undefined) return read(call)
    const recipient = readRecipient(body, number.phone)
    const type = validateMessage(body)
    if (type === 'reaction') return sendReaction(call, recipient)
    if (type === 'template') return sendTemplate(call, recipient)
    const part = body[type]
    if (isMedia(type)) {
      const id = asText((part as Json).id)
      if (id !== undefined)
        return parts.gatewayFiles.withCopy(call.caller, id, file =>
          send(call, recipient, askedFile(type, part as Json, file)),
        )
    }
    if (type !== 'interactive') return send(call, recipient, { type: 'asGiven', message: { type, [type]: part } })
    const interactive = await withHeaderMedia(part as Json, id =>
      parts.gatewayFiles.providerId(call.caller, number.id, id),
    )
    return send(call, recipient, { type: 'asGiven', message: { type, interactive } })
  }
}
