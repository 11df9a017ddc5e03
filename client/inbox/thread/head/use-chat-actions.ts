import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { apiOf } from '#client/app/queries/queries.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { paths } from '#shared/kernel/paths.ts'
import { focusComposerFirst } from '../../composer/composer-focus.ts'
import { keepsFocus, useListSearch } from '../../list/list-address.ts'
import { addressBeside, focusRowAt } from '../../list/next-unread.ts'
import { placeConversation } from '../../placing.ts'
import type { SnoozeBody } from '../../snooze/snooze-menu.tsx'
import { useBackText } from '../../snooze/use-back-text.ts'
import type { InboxT } from '../../words.ts'
import type { Assignment } from './assignees.ts'

/** The actions in the head of a chat. Each shows a toast when it is done or has failed. */
export const useChatActions = (org: string, conversation: Conversation, t: InboxT) => {
  const client = useQueryClient()
  const { inbox: api, notes, snoozes } = apiOf(client)(org)
  const backText = useBackText(org)
  const failureText = useFailureText()
  const navigate = useNavigate()
  const search = useListSearch()
  const userId = useViewer().user.id
  const phone = addressOfConversation(conversation)
  const params = { phone }
  // The assignee as shown here: if it changed meanwhile, the change is refused.
  const ifHeldBy = conversation.assignee?.id ?? null
  const act = async (work: () => Promise<Conversation>, said?: string, undo?: () => void) => {
    try {
      placeConversation(client, org, await work())
      if (said) toast(said, undo && { action: { label: t('toast.undo'), onClick: undo } })
    } catch (error) {
      toast(t('toast.failed', { reason: failureText(error) }), { kind: 'error' })
    }
  }
  const unarchive = () =>
    act(() => api.archiveChat({ body: { phoneNumber: phone, archived: false } }), t('toast.unarchived'))
  const endSnooze = () => act(() => snoozes.endSnooze({ params }), t('snooze.ended'))
  const toBot = (note?: string) =>
    act(async () => {
      if (note !== undefined) await notes.addNote({ params, body: { text: note, mentions: [] } })
      return api.controlChat({ params, body: { owner: 'bot' } })
    }, t('control.doneToBot'))
  return {
    toggleArchived: () => {
      if (conversation.archived) return unarchive()
      // The chat leaves the list: the next one opens, and the list keeps its place. With one pane, the chat stays.
      const next = window.matchMedia('(min-width: 768px)').matches ? addressBeside() : undefined
      const open = (address: string) => navigate(address, { state: keepsFocus })
      const undo = async () => {
        await unarchive()
        if (next !== undefined) await open(paths.chat(org, phone) + search)
      }
      return act(
        async () => {
          const row = await api.archiveChat({ body: { phoneNumber: phone, archived: true } })
          if (next !== undefined) {
            focusRowAt(next)
            await open(next)
          }
          return row
        },
        t('toast.archived'),
        () => void undo(),
      )
    },
    snooze: (body: SnoozeBody) =>
      act(async () => {
        const row = await snoozes.snoozeChat({ params, body })
        toast(t('snooze.done', { when: backText(row.snoozedUntil ?? '') }), {
          action: { label: t('toast.undo'), onClick: () => void endSnooze() },
        })
        return row
      }),
    endSnooze,
    markUnread: () => act(() => api.markUnread({ params }), t('toast.unread')),
    toBot: () => toBot(),
    assign: ({ done, toBot: isBots, ...body }: Assignment) =>
      isBots ? toBot(body.note) : act(() => api.assignChat({ params, body: { ...body, ifHeldBy } }), done),
    /** A person who takes the chat answers next. */
    take() {
      focusComposerFirst()
      return act(
        () => api.controlChat({ params, body: { owner: 'human', assigneeId: userId, ifHeldBy } }),
        t('assign.doneMe'),
      )
    },
    pause: () =>
      act(() => api.controlChat({ params, body: { owner: 'human', assigneeId: null } }), t('control.donePause')),
  }
}
