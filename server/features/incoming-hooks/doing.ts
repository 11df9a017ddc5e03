import { seesAll } from '#server/identity/visibility/scope.ts'
import type { Choose } from '#server/messaging/assignment/giving-out.ts'
import { assignAsProgram, hideNew, noteAsProgram, tagAsProgram } from '#server/messaging/automation/program-changes.ts'
import { fillContactAs, nameContactAs, nameOfInput } from '#server/messaging/contacts/contact-details.ts'
import { spanishFailure } from '#server/messaging/messages/delivery/failure.ts'
import { type NamedCustomer, nameContact } from '#server/messaging/sending/first-message.ts'
import { type SendParts, sendAsked } from '#server/messaging/sending/sending.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import { templateSending } from '#server/messaging/templates/sending.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { InvalidInput, visibleText } from '#server/platform/http/validate.ts'
import type { HookAction, HookActionKind } from '#shared/incoming-hooks/api.ts'
import { hookErrors } from './errors.ts'
import type { FilledAction } from './values.ts'

/** The result of a call. */
export interface HookDone {
  readonly did: HookActionKind
  /** The customer's number, digits. */
  readonly number: string
  /** The name of the template, flow, tag, contact or assignee. */
  readonly what: string
  readonly messageId: string | null
  readonly runId: string | null
}

interface DoingParts extends Omit<SendParts, 'templates'> {
  readonly tags: Tags
  readonly choosing: Choose
  startFlow(
    write: OrgWrite,
    start: { flowId: string; variables: Readonly<Record<string, string>> },
    named: NamedCustomer,
  ): Promise<{ id: string; name: string }>
}

/** The call of a hook, as far as its action needs it. */
interface ActionCall {
  readonly hook: { readonly id: string; readonly name: string }
  readonly action: HookAction
  readonly filled: FilledAction
  /** The customer's number, digits. */
  readonly number: string
  /** The same key is one message. */
  readonly clientKey: string | undefined
}

type Doer = (write: OrgWrite, asked: ActionCall, named: NamedCustomer) => Promise<Partial<HookDone>>

/** Values of one part of the template: `body.1` is `1` of `body`. WhatsApp takes them on one line. */
const valuesOf = (values: Readonly<Record<string, string>>, part: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([at, value]) =>
      at.startsWith(`${part}.`) ? [[at.slice(part.length + 1), value.replace(/\s+/g, ' ')]] : [],
    ),
  )

/** Does what an incoming webhook is for, with the same functions as people's calls. */
export function createDoing(parts: DoingParts) {
  const refuseBlocked = ({ isBlocked }: NamedCustomer) => {
    if (isBlocked) throw hookErrors.CONTACT_BLOCKED()
  }

  const sendTemplate: Doer = async (write, { hook, action, filled, clientKey }, named) => {
    refuseBlocked(named)
    const { template = '', language } = action
    const { 'header.media': image, 'header.fileName': fileName, ...texts } = filled.values
    const { message } = await sendAsked(
      write,
      { kind: 'key', keyId: hook.id, name: hook.name, orgId: write.orgId, scope: seesAll },
      {
        asked: {
          type: 'askedTemplate',
          template,
          language,
          image,
          fileName,
          body: valuesOf(texts, 'body'),
          header: valuesOf(texts, 'header'),
          buttons: valuesOf(texts, 'buttons'),
        },
        to: { numberTel: named.conversationId, ...(clientKey === undefined ? {} : { clientKey }) },
      },
      spanishFailure,
      { ...parts, templates: templateSending },
    )
    return { what: template, messageId: message.id }
  }

  const startFlow: Doer = async (write, { action, filled }, named) => {
    refuseBlocked(named)
    const { flowId = '' } = action
    const { id, name } = await parts.startFlow(write, { flowId, variables: filled.variables }, named)
    return { what: name, runId: id }
  }

  const tag: Doer = async (write, { action }, named) => {
    if (named.isNew) await hideNew(write, named.conversationId)
    return { what: await tagAsProgram(write, named.conversationId, action.tagId ?? '', parts) }
  }

  const note: Doer = async (write, { hook, filled }, named) => {
    const text = visibleText(filled.text ?? '', 'body.text')
    return { messageId: await noteAsProgram(write, named.conversationId, { text, by: hook }, parts) }
  }

  const saveContact: Doer = async (write, { filled }, named) => {
    const name = nameOfInput(filled.name ?? '')
    if (named.isNew) await hideNew(write, named.conversationId)
    await nameContactAs(write, named.contactId, name)
    const ids = Object.keys(filled.fields)
    try {
      const fields = ids.map(id => ({ id, value: filled.fields[id] as string }))
      if (ids.length) await fillContactAs(write, named.contactId, fields)
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      const byId = (field: string) =>
        field.replace(/^body\.fields\.(\d+).*$/, (_all, i) => `body.fields.${ids[Number(i)]}`)
      throw new InvalidInput(error.faults.map(one => ({ ...one, field: byId(one.field) })))
    }
    return { what: name ?? '' }
  }

  const assign: Doer = async (write, { action }, named) => ({
    what: await assignAsProgram(write, named.conversationId, { userId: action.memberId, teamId: action.teamId }, parts),
  })

  const doers: Readonly<Record<HookActionKind, Doer>> = {
    template: sendTemplate,
    flow: startFlow,
    contact: saveContact,
    tag,
    note,
    assign,
  }

  /**
   * Does the action in the caller's transaction. @throws InvalidInput naming fields as the services do, and the
   * refusals of the action
   */
  return async (write: OrgWrite, asked: ActionCall): Promise<HookDone> => {
    const { action, filled, number } = asked
    const named = await nameContact(write, { number, phone: action.phone }, parts)
    const called = filled.name
    if (named.isNew && called !== undefined && action.kind !== 'contact')
      await nameContactAs(write, named.contactId, nameOfInput(called))
    const done = await doers[action.kind](write, asked, named)
    return { did: action.kind, number, what: '', messageId: null, runId: null, ...done }
  }
}
export type Doing = ReturnType<typeof createDoing>
