import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import type { InParts } from '#client/app/calls/use-in-parts.ts'
import { refreshPages } from '#client/app/queries/paged-list.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { ChatsChange } from '#shared/inbox/chat-changes.ts'
import type { Conversation, MatchingChat } from '#shared/inbox/conversations.ts'
import type { Tag } from '#shared/tags/api.ts'
import { placeConversation } from '../../placing.ts'
import type { SnoozeBody } from '../../snooze/snooze-menu.tsx'
import type { Assignment } from '../../thread/head/assignees.ts'
import { givenBack } from './given-back.ts'

export interface ChangesProps {
  readonly org: string
  readonly picked: readonly MatchingChat[]
  readonly parts: InParts
  /** Called with the conversations after each part of a change. */
  onChanged(rows: readonly Conversation[]): void
}

/**
 * Changes the selected conversations part by part, and says in a toast of how many, with an undo. What changes a place
 * in the list returns whether any changed.
 */
export function useChanges({ org, picked, parts, onChanged }: ChangesProps) {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  const api = useApi()
  const failureText = useFailureText()

  /** Returns those that were changed. Says in a toast which were not. */
  const change = async (rows: readonly MatchingChat[], body: Omit<ChatsChange, 'ids'>): Promise<MatchingChat[]> => {
    const changed = new Set<string>()
    const sum = { missing: 0, failed: 0 }
    const stopped = (done: number) => t('select.stopped', { done, count: rows.length })
    let tried = 0
    try {
      await parts.run(rows, async part => {
        const ids = part.map(({ id }) => id)
        const { items, missing, failed } = await api.inbox.changeChats({ body: { ...body, ids } })
        tried += part.length
        for (const row of items) {
          placeConversation(client, org, row)
          changed.add(row.id)
        }
        onChanged(items)
        sum.missing += missing.length
        sum.failed += failed?.length ?? 0
      })
      if (tried < rows.length) toast(stopped(tried), { kind: 'info', durationMs: null, closable: true })
    } catch (error) {
      const reason = t('toast.failed', { reason: failureText(error) })
      toast(tried ? `${reason} ${stopped(tried)}` : reason, { kind: 'error' })
    }
    if (sum.missing) toast(t('select.missing', { count: sum.missing }), { kind: 'info' })
    if (sum.failed) toast(t('select.failed', { count: sum.failed }), { kind: 'error' })
    // Rows that are not loaded moved the numbered pages of lists.
    if (rows.length > parts.size) refreshPages(client, keyFor(org, 'inbox.listConversations'))
    return rows.filter(({ id }) => changed.has(id))
  }
  const undone = (count: number) => t('select.undone', { count })
  /** Shows what was done, with an undo button that says of how many it was undone. */
  const tell = (text: string, undo: () => Promise<MatchingChat[]>, said: (count: number) => string = undone) => {
    const onClick = async () => {
      const { length } = await undo()
      if (length) toast(said(length))
    }
    toast(text, { action: { label: t('toast.undo'), onClick: () => void onClick() } })
  }

  return {
    isBusy: parts.progress !== undefined,
    archive: async (archived: boolean): Promise<boolean> => {
      const said = (isOn: boolean, count: number) => t(isOn ? 'select.archived' : 'select.unarchived', { count })
      const rows = await change(
        picked.filter(row => row.archived !== archived),
        { archived },
      )
      if (!rows.length) return false
      tell(
        said(archived, rows.length),
        () => change(rows, { archived: !archived }),
        count => said(!archived, count),
      )
      return true
    },
    read: async (read: boolean) => {
      const rows = await change(
        picked.filter(({ unread }) => unread > 0 === read),
        { read },
      )
      if (rows.length)
        tell(t(read ? 'select.read' : 'select.unread', { count: rows.length }), () => change(rows, { read: !read }))
    },
    assign: async ({ done: _done, ...body }: Assignment) => {
      const rows = await change(picked, body)
      if (!rows.length) return
      tell(t('select.assigned', { count: rows.length }), async () => {
        const back: MatchingChat[] = []
        for (const { rows: some, body: before } of givenBack(rows)) back.push(...(await change(some, before)))
        return back
      })
    },
    snooze: async (body: SnoozeBody): Promise<boolean> => {
      if (!('until' in body)) return false
      const rows = await change(picked, { snoozedUntil: body.until })
      if (rows.length) tell(t('select.snoozed', { count: rows.length }), () => change(rows, { snoozedUntil: null }))
      return rows.length > 0
    },
    tag: async ({ id, label }: Tag, isOn: boolean) => {
      const others = picked.filter(row => row.tags.some(one => one.id === id) !== isOn)
      const [on, off] = [{ tagId: id }, { untagId: id }]
      const rows = others.length ? await change(others, isOn ? on : off) : []
      if (!rows.length) return
      const words = { tag: label, count: rows.length }
      tell(t(isOn ? 'select.tagged' : 'select.untagged', words), () => change(rows, isOn ? off : on))
    },
  }
}
