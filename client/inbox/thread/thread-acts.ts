import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { loadPart } from '#client/app/hydration/missing-part.ts'
import { apiOf } from '#client/app/queries/queries.ts'
import type { TemplateSend } from '#client/templates/send-values.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { isUndoSendOn } from '#client/ui/page/undo-send.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { ChosenFile } from '../composer/files/files-dialog.tsx'
import type { FileSender } from '../composer/files/sending-files.ts'
import { discardText, heldCode, retryText, sendText, undoText } from '../composer/outgoing.ts'
import type { KindBody } from '../kinds/composed.ts'
import { changeMessage, placeMessage, placeSentMessage } from '../placing.ts'
import { messagesQuery } from '../queries.ts'
import type { InboxT } from '../words.ts'
import type { Reacting } from './bubble/message-acts.ts'

export interface ActsOf {
  org: string
  conversation: Conversation
  /** The scope of unsent messages. */
  scope: string
  files: FileSender | undefined
  /** The quoted message. */
  replyTo: Message | null
  now: number
  t: InboxT
}

/** The part of a quoted message that the reply contains. */
const quoteOf = ({ id, wamid, type, text, direction, author }: Message) => ({
  id,
  wamid,
  type,
  text,
  direction: direction === 'in' ? ('in' as const) : ('out' as const),
  ...(author?.kind === 'person' && author.name ? { by: author.name } : {}),
})

/** Actions in a chat. Errors have been shown when they end. */
export function useThreadActs({ org, conversation, scope, files, replyTo, now, t }: ActsOf) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const failureText = useFailureText()
  const noteKey = useRef({ text: '', key: '' })
  const address = addressOfConversation(conversation)
  const api = apiOf(client)(org)
  const quoted = replyTo && quoteOf(replyTo)
  const refused = (error: unknown) => toast(t('toast.failed', { reason: failureText(error) }), { kind: 'error' })
  const sendBody = async (body: Record<string, unknown>, idempotencyKey: string) => {
    const whole = { ...body, numberTel: address, isHuman: true } as Parameters<typeof api.inbox.sendMessage>[0]['body']
    placeSentMessage(client, org, address, await api.inbox.sendMessage({ body: whole }, { idempotencyKey }))
  }
  return {
    sendText(text: string) {
      const clientKey = crypto.randomUUID()
      const written = { clientKey, phone: address, text, at: new Date(now).toISOString(), replyTo: quoted }
      sendText(scope, written, isUndoSendOn())
    },
    sendFiles(chosen: readonly ChosenFile[]) {
      files?.send(
        chosen.map((file, i) => ({
          ...file,
          clientKey: crypto.randomUUID(),
          phone: address,
          at: new Date(now + i).toISOString(),
          // Only the first one is a reply.
          replyTo: i === 0 ? quoted : null,
        })),
      )
    },
    sendTemplate: (template: TemplateSend, idempotencyKey: string) =>
      sendBody({ type: 'template', phones: [conversation.phone], ...template }, idempotencyKey),
    sendKind: (kind: KindBody, idempotencyKey: string) =>
      sendBody({ ...kind, ...(replyTo ? { replyToMessageId: replyTo.id } : {}) }, idempotencyKey),
    /** A retry with the same text stores the same note. Returns whether it is stored. */
    async addNote(text: string): Promise<boolean> {
      if (noteKey.current.text !== text) noteKey.current = { text, key: crypto.randomUUID() }
      try {
        const { storeNote } = await loadPart(() => import('../composer/notes/store-note.ts'))
        const note = await storeNote(client, { org, phone: address, text }, noteKey.current.key)
        noteKey.current = { text: '', key: '' }
        placeSentMessage(client, org, address, note)
        return true
      } catch (error) {
        refused(error)
        return false
      }
    },
    changeNote: (note: Message) => placeMessage(client, org, address, note),
    retry(message: Message) {
      if (message.clientKey === message.id)
        return message.media ? files?.retry(message.id) : retryText(scope, message.id)
      const { queryKey } = messagesQuery(org, address)
      return api.inbox
        .retryMessage({ params: { id: message.id } })
        .then(() => client.invalidateQueries({ queryKey }), refused)
    },
    cancel: (message: Message) =>
      api.inbox
        .cancelMessage({ params: { id: message.id } })
        .then(cancelled => placeMessage(client, org, address, cancelled), refused),
    /** Returns the text of an undone message, to edit it. */
    discard({ id, media, error }: Message): string | undefined {
      if (media) files?.discard(id)
      else if (error?.code === heldCode) return undoText(scope, id)?.text
      else discardText(scope, id)
      return undefined
    },
    retryMedia(message: Message) {
      const id = message.media?.url.split('/').pop()
      if (id) api.media.retryMedia({ params: { id } }).catch(refused)
    },
    react: ({ message }: Reacting, emoji: string | null) =>
      api.inbox
        .reactToMessage({ params: { id: message.id }, body: { emoji } })
        .then(
          ({ reactions = [] }) => changeMessage(client, org, address, message.id, known => ({ ...known, reactions })),
          refused,
        ),
    /** Opens the flow step that sent a message. */
    why: ({ id }: Message) =>
      api.flows
        .explain({ params: { id } })
        .then(step => navigate(paths.flowRun(org, step.flowId, step.id, step.place)))
        .catch(refused),
    /** Failures are ignored: the customer only misses "typing…". */
    showTyping() {
      api.inbox.showTyping({ params: { phone: address } }).catch(() => undefined)
    },
  }
}
