import { asList, asObject, asText, type Json } from '../scalars.ts'
import { webhookError } from './codes.ts'
import { wamidOfOurs } from './ids.ts'

/** A message that a program sent: our id, and what the program wants back in statuses. */
export interface ProgramMessage {
  readonly id: string
  readonly callbackData: string | null
}

const objectsIn = (list: unknown): Json[] =>
  asList(list)
    .map(asObject)
    .filter(one => one !== undefined)

/** The objects of a webhook's value that have statuses and messages: the value itself, and `standby`. */
const listsOf = (value: Json): readonly Json[] => [value, asObject(value.standby) ?? {}]

/** The values that may name our messages: wamids, and callbacks that we sent along with a message. */
export function namesIn(values: readonly Json[]): { wamids: string[]; callbacks: string[] } {
  const wamids = new Set<string>()
  const callbacks = new Set<string>()
  const add = (set: Set<string>, value: unknown) => {
    const text = asText(value)
    if (text !== undefined) set.add(text)
  }
  for (const lists of values.flatMap(listsOf)) {
    for (const status of objectsIn(lists.statuses)) {
      add(wamids, status.id)
      add(callbacks, status.biz_opaque_callback_data)
    }
    for (const message of objectsIn(lists.messages)) {
      add(wamids, asObject(message.context)?.id)
      add(wamids, asObject(message.reaction)?.message_id)
    }
  }
  return { wamids: [...wamids], callbacks: [...callbacks] }
}

type Find = (name: { wamid?: string | undefined; callback?: string | undefined }) => ProgramMessage | undefined

const renameStatus = (status: Json, find: Find): Json => {
  const { biz_opaque_callback_data: callback, ...rest } = status
  const found = find({ wamid: asText(status.id), callback: asText(callback) })
  if (!found) return status
  return {
    ...rest,
    id: wamidOfOurs(found.id),
    ...(found.callbackData === null ? {} : { biz_opaque_callback_data: found.callbackData }),
  }
}

const renameIn = (message: Json, part: 'context' | 'reaction', field: 'id' | 'message_id', find: Find): Json => {
  const object = asObject(message[part])
  const found = object && find({ wamid: asText(object[field]) })
  return found ? { ...message, [part]: { ...object, [field]: wamidOfOurs(found.id) } } : message
}

const renameList = (list: unknown, rename: (one: Json) => Json): unknown => {
  if (!Array.isArray(list)) return list
  const renamed = list.map(one => (asObject(one) ? rename(one as Json) : one))
  return renamed.some((one, i) => one !== list[i]) ? renamed : list
}

const renameLists = (lists: Json, find: Find): Json => {
  const statuses = renameList(lists.statuses, one => renameStatus(one, find))
  const messages = renameList(lists.messages, one =>
    renameIn(renameIn(one, 'context', 'id', find), 'reaction', 'message_id', find),
  )
  if (statuses === lists.statuses && messages === lists.messages) return lists
  return {
    ...lists,
    ...(statuses === undefined ? {} : { statuses }),
    ...(messages === undefined ? {} : { messages }),
  }
}

/** A webhook's value with the ids that programs were answered, and with their own texts. The same if nothing changes. */
export function renameForPrograms(value: Json, find: Find): Json {
  const renamed = renameLists(value, find)
  const standby = asObject(value.standby)
  const below = standby && renameLists(standby, find)
  return below === standby ? renamed : { ...renamed, standby: below }
}

/** A message that failed before Meta had it, in Meta's shape. */
export const failedWebhook = (
  number: { wabaId: string; phoneNumberId: string; phone: string },
  message: ProgramMessage,
  failure: { at: string; recipient: string; code: string; text: string },
): Json => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: number.wabaId,
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: number.phone, phone_number_id: number.phoneNumberId },
            statuses: [
              {
                id: wamidOfOurs(message.id),
                status: 'failed',
                timestamp: String(Math.floor(Date.parse(failure.at) / 1000)),
                recipient_id: failure.recipient,
                ...(message.callbackData === null ? {} : { biz_opaque_callback_data: message.callbackData }),
                errors: [errorOf(failure)],
              },
            ],
          },
        },
      ],
    },
  ],
})

/** A reason of ours has no code of Meta's. */
const errorOf = ({ code, text }: { code: string; text: string }) =>
  /^\d+$/.test(code) ? webhookError(code) : { ...webhookError('131000'), error_data: { details: text } }
