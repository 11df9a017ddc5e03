import type { Static } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import { type FieldFault, InvalidInput, readerOf } from '#server/platform/http/validate.ts'
import {
  type ActionName,
  actionData,
  actionLimits,
  actionNames,
  type TapAction,
} from '#shared/inbox/message-actions.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'

/** A message whose button triggers an action. The button gets an id when the message has one. */
export interface AskedAction {
  readonly type: 'askedAction'
  readonly body: string
  readonly label: string
  readonly action: TapAction
}

type Product = Static<(typeof actionData)['product']>

const readers = Object.fromEntries(actionNames.map(name => [name, readerOf('body', actionData[name])]))

const fault = (field: string, code: string, more: Partial<FieldFault> = {}): FieldFault => ({
  field: `body.${field}`,
  code,
  params: {},
  ...more,
})

const isKnown = (name: string): name is ActionName => Object.hasOwn(actionData, name)

/** Reads the parameters of an action, reporting faults by their field in the message. */
const readData = (name: ActionName, data: unknown): unknown => {
  try {
    return readers[name]?.(data)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    throw new InvalidInput(
      error.faults.map(one => ({ ...one, field: one.field.replace(/^body/, 'body.data') })),
      error.code,
    )
  }
}

/** @throws InvalidInput naming what is missing, an unknown action, and invalid parameters */
export function readAction(
  body: SendMessage,
): { label: string } & ({ action: TapAction } | { url: string } | { product: Product }) {
  const missing = (['action', 'labelRecado', 'data'] as const).filter(field => body[field] === undefined)
  if (missing.length) throw new InvalidInput(missing.map(field => fault(field, 'required')))
  const { action: name = '', labelRecado: label = '', data } = body
  if (!isKnown(name)) {
    const params = { name, names: actionNames.join(', ') }
    throw new InvalidInput([fault('action', 'enum', { params, text: 'errors:field.actionUnknown' })])
  }
  if (Buffer.byteLength(JSON.stringify(data)) > actionLimits.dataBytes) {
    const params = { limit: actionLimits.dataBytes }
    throw new InvalidInput([fault('data', 'maxLength', { params, text: 'errors:field.actionData' })])
  }
  const read = readData(name, data)
  if (name === 'open_url') return { label, url: (read as { url: string }).url }
  if (name === 'product') return { label, product: read as Product }
  return { label, action: { name, data: read } as TapAction }
}

interface CheckParts {
  /** The id of the button of a message. */
  idOf(orgId: string, messageId: string): string
  hasTag(db: Db, orgId: string, id: string): Promise<boolean>
  hasTeam(db: Db, orgId: string, id: string): Promise<boolean>
  isFlowLive(db: Db, orgId: string, id: string): Promise<boolean>
  hasWebhook(db: Db, orgId: string, name: string): Promise<boolean>
}

/** The functions that sending needs from actions. */
export interface ActionSending {
  idOf(orgId: string, messageId: string): string
  /** @throws InvalidInput when the organization lacks what the action names */
  requireThere(db: Db, orgId: string, action: TapAction): Promise<void>
}

export const createActionSending = (parts: CheckParts): ActionSending => ({
  idOf: parts.idOf,
  async requireThere(db, orgId, { name, data }) {
    const require = (field: string, isThere: boolean) => {
      if (!isThere) throw new InvalidInput([fault(`data.${field}`, 'invalid')])
    }
    if (name === 'add_tag') require('tagId', await parts.hasTag(db, orgId, data.tagId))
    if (name === 'webhook') require('name', await parts.hasWebhook(db, orgId, data.name))
    if (name === 'start_flow') require('flowId', await parts.isFlowLive(db, orgId, data.flowId))
    if (name === 'handoff' && data.teamId !== undefined) require('teamId', await parts.hasTeam(db, orgId, data.teamId))
  },
})
