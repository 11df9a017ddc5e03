import { asObject, asTime, cleanLine, cleanText, type Json } from '../scalars.ts'
import type { InboundContent } from '../webhooks/inbound.ts'
import { readFormAnswer } from './form-answers.ts'
import type { Kinds } from './kind.ts'

const choice = (
  kind: 'button' | 'list' | 'quickReply' | 'permission',
  facts: { id: unknown; title: unknown; description?: unknown; until?: string | undefined },
): InboundContent | undefined => {
  const id = cleanLine(facts.id, 1024) ?? null
  const title = cleanText(facts.title, 1024) || id
  if (title === null) return undefined
  const description = cleanText(facts.description, 1024)
  const { until } = facts
  return {
    type: 'choice',
    // Meta wrote the label of a permission dialog, so it must not count as the customer's words.
    text: kind === 'permission' ? '' : title,
    content: { choice: { kind, id, title, ...(description ? { description } : {}), ...(until ? { until } : {}) } },
  }
}

const replyIn = (interactive: Json, name: string): Json => asObject(interactive[name]) ?? {}

/** Answers that customers give by a tap or by a form. */
export const answerKinds = {
  choice: {
    // A tap on a template's quick reply. Meta sends the label as payload if the template was sent without one.
    reads: { button: part => choice('quickReply', { id: part.payload, title: part.text }) },
    readsInteractive: {
      button_reply: part => {
        const { id, title } = replyIn(part, 'button_reply')
        return choice('button', { id, title })
      },
      list_reply: part => {
        const { id, title, description } = replyIn(part, 'list_reply')
        return choice('list', { id, title, description })
      },
      call_permission_reply: part => {
        const { response, expiration_timestamp: until } = replyIn(part, 'call_permission_reply')
        return choice('permission', { id: response, title: response, until: asTime(until) })
      },
    },
  },
  form: {
    readsInteractive: {
      nfm_reply: part => {
        const reply = asObject(part.nfm_reply)
        return reply && readFormAnswer(reply)
      },
    },
  },
} satisfies Kinds
