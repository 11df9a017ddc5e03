import './selection-bar.css'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { placeConversation } from '#client/inbox/queries.ts'
import type { SnoozeBody } from '#client/inbox/snooze/snooze-menu.tsx'
import type { Assignment } from '#client/inbox/thread/head/assignees.ts'
import { isWindowClosing, useSendWindowTemplate, useWindowTemplate } from '#client/inbox/window-template.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { isComposing } from '#client/ui/controls/composing.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { openPopover } from '#client/ui/overlays/open-popover.ts'
import { useSteady } from '#client/ui/page/steady.ts'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { type ChatsChange, maxChatsAtOnce } from '#shared/inbox/inbox.ts'
import type { Tag } from '#shared/tags/api.ts'
import { givenBack } from './given-back.ts'

const TagMenu = lazyDialog(() => import('#client/tags/tag-menu.tsx'))
const SnoozeMenu = lazyDialog(() => import('#client/inbox/snooze/snooze-menu.tsx'))
const AssignMenu = lazyDialog(() => import('#client/inbox/thread/head/assign-menu.tsx'))

interface SelectionBarProps {
  readonly org: string
  readonly picked: readonly Conversation[]
  readonly canManage: boolean
  onAll(): void
  onClear(): void
  /** Called when its parts could not be loaded. */
  onClose(): void
}

/** The common assignee of all of them. If they differ: nobody, and that they can be unassigned. */
const heldByAll = (picked: readonly Conversation[]) => {
  const [first] = picked
  const same = <T,>(of: (row: Conversation) => { readonly id: string } | null | undefined, value: T) =>
    picked.every(row => of(row)?.id === (first && of(first)?.id)) ? value : undefined
  return {
    assignee: same(row => row.assignee, first?.assignee) ?? null,
    ...(same(row => row.team, first?.team) ? { team: first?.team } : {}),
    isSomebodys: picked.some(row => row.assignee || row.team),
  }
}

/** Actions on several conversations. Replaces the search while some are selected. */
export default function SelectionBar({ org, picked, canManage, onAll, onClear }: SelectionBarProps) {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  const api = useApi()
  const failureText = useFailureText()
  const userId = useViewer().user.id
  const assignButton = useRef<HTMLButtonElement>(null)
  const tagButton = useRef<HTMLButtonElement>(null)
  const snoozeButton = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<'assign' | 'tags' | 'snooze'>()

  const leave = () => {
    onClear()
    const { activeElement } = document
    if (!activeElement?.closest('.rows')) document.querySelector<HTMLElement>('.rows a.row')?.focus()
  }
  /** Moves the focus to the row below those that are about to leave the list, or above them. */
  const focusBeside = () => {
    const rows = [...document.querySelectorAll<HTMLElement>('.rows a.row')]
    const last = rows.findLastIndex(row => row.dataset.picked)
    const stays = (row: HTMLElement) => !row.dataset.picked
    ;(rows.slice(last + 1).find(stays) ?? rows.findLast(stays))?.focus()
  }
  const steady = useSteady({ leave })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return
      if (document.querySelector(openPopover) || document.querySelector('[role="dialog"]')) return
      const { activeElement } = document
      if (activeElement !== document.body && !activeElement?.closest('.inbox-list')) return
      event.preventDefault()
      steady.leave()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [steady])
  /** Returns how many were changed. */
  const change = async (rows: readonly Conversation[], body: Omit<ChatsChange, 'ids'>): Promise<number> => {
    try {
      const changed = { items: 0, missing: 0, failed: 0 }
      for (let from = 0; from < rows.length; from += maxChatsAtOnce) {
        const ids = rows.slice(from, from + maxChatsAtOnce).map(({ id }) => id)
        const { items, missing, failed } = await api.inbox.changeChats({ body: { ...body, ids } })
        for (const row of items) placeConversation(client, org, row)
        changed.items += items.length
        changed.missing += missing.length
        changed.failed += failed?.length ?? 0
      }
      if (changed.missing) toast(t('select.missing', { count: changed.missing }), { kind: 'info' })
      if (changed.failed) toast(t('select.failed', { count: changed.failed }), { kind: 'error' })
      return changed.items
    } catch (error) {
      toast(t('toast.failed', { reason: failureText(error) }), { kind: 'error' })
      return 0
    }
  }
  /** Shows what was done, with an undo button. */
  const tell = (text: string, undo: () => Promise<unknown>) =>
    toast(text, { action: { label: t('toast.undo'), onClick: () => void undo() } })
  const areArchived = picked.every(({ archived }) => archived)
  const archive = async () => {
    const rows = picked.filter(({ archived }) => archived === areArchived)
    focusBeside()
    const said = (archived: boolean, count: number) => t(archived ? 'select.archived' : 'select.unarchived', { count })
    const count = await change(rows, { archived: !areArchived })
    if (!count) return
    tell(said(!areArchived, count), async () => {
      const back = await change(rows, { archived: areArchived })
      if (back) toast(said(areArchived, back))
    })
    leave()
  }
  const areRead = picked.every(({ unread }) => unread === 0)
  const read = async () => {
    const rows = picked.filter(({ unread }) => unread > 0 === !areRead)
    if (await change(rows, { read: !areRead }))
      tell(t(areRead ? 'select.unread' : 'select.read', { count: rows.length }), () => change(rows, { read: areRead }))
  }
  const assign = async ({ done: _done, ...body }: Assignment) => {
    if (!(await change(picked, body))) return
    tell(t('select.assigned', { count: picked.length }), async () => {
      for (const { rows, body: back } of givenBack(picked)) await change(rows, back)
    })
  }
  const snooze = async (body: SnoozeBody) => {
    if (!('until' in body)) return
    const rows = picked
    focusBeside()
    const count = await change(rows, { snoozedUntil: body.until })
    if (!count) return
    tell(t('select.snoozed', { count }), () => change(rows, { snoozedUntil: null }))
    leave()
  }
  const tag = async ({ id, label }: Tag, isOn: boolean) => {
    const rows = picked.filter(row => row.tags.some(one => one.id === id) !== isOn)
    const [on, off] = [{ tagId: id }, { untagId: id }]
    if (!rows.length || !(await change(rows, isOn ? on : off))) return
    const words = { tag: label, count: rows.length }
    tell(t(isOn ? 'select.tagged' : 'select.untagged', words), () => change(rows, isOn ? off : on))
  }
  const { now } = useMoment()
  const template = useWindowTemplate(
    org,
    picked.every(row => isWindowClosing(row, now)),
  )
  const sendWindowTemplate = useSendWindowTemplate()
  const [isSending, setIsSending] = useState(false)
  const sendTemplate = async () => {
    if (isSending) return
    setIsSending(true)
    if (await sendWindowTemplate(picked.map(({ id }) => id))) leave()
    setIsSending(false)
  }
  const [first] = picked
  const tags = (first?.tags ?? []).filter(({ id }) => picked.every(row => row.tags.some(tag => tag.id === id)))

  const tool = (
    name: string,
    icon: IconName,
    onClick: () => void,
    more: { key?: string; ref?: typeof tagButton; isOpen?: boolean } = {},
  ) => (
    <button
      ref={more.ref}
      type="button"
      className="icon-button"
      aria-label={name}
      data-tip={name}
      data-key={more.key}
      {...(more.ref ? { 'aria-haspopup': 'dialog' as const, 'aria-expanded': more.isOpen ?? false } : {})}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
  return (
    <div className="selection-bar line" role="toolbar" aria-label={t('select.label')}>
      {tool(t('select.clear'), 'close', leave)}
      <strong className="cut" role="status">
        {template ? (
          <>
            <span aria-hidden="true">{picked.length}</span>
            <span className="sr-only">{t('select.count', { count: picked.length })}</span>
          </>
        ) : (
          t('select.count', { count: picked.length })
        )}
      </strong>
      {tool(t('select.all'), 'tick', onAll)}
      {tool(t(areRead ? 'action.markUnread' : 'select.markRead'), 'unread', () => void read(), { key: 'u' })}
      {tool(t('assign.label'), 'person', () => setOpen('assign'), { ref: assignButton, isOpen: open === 'assign' })}
      {tool(t('action.tags'), 'tag', () => setOpen('tags'), { ref: tagButton, isOpen: open === 'tags' })}
      {picked.some(({ archived }) => archived)
        ? null
        : tool(t('snooze.label'), 'snooze', () => setOpen('snooze'), {
            key: 'h',
            ref: snoozeButton,
            isOpen: open === 'snooze',
          })}
      {template ? tool(t('windowTemplate.send', { name: template }), 'form', () => void sendTemplate()) : null}
      {tool(
        t(areArchived ? 'action.unarchive' : 'action.archive'),
        areArchived ? 'unarchive' : 'archive',
        () => void archive(),
        { key: 'e' },
      )}
      {open === 'assign' && assignButton.current ? (
        <AssignMenu
          org={org}
          anchor={assignButton.current}
          conversation={heldByAll(picked)}
          userId={userId}
          onAssign={assignment => void assign(assignment)}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
      {open === 'snooze' && snoozeButton.current ? (
        <SnoozeMenu
          org={org}
          anchor={snoozeButton.current}
          onSnooze={body => void snooze(body)}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
      {open === 'tags' && tagButton.current ? (
        <TagMenu
          org={org}
          anchor={tagButton.current}
          chosen={tags}
          canManage={canManage}
          onChange={(one, isOn) => void tag(one, isOn)}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </div>
  )
}
