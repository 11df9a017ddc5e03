import './selection-bar.css'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '#client/shell/viewer.ts'
import { isComposing } from '#client/ui/controls/composing.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { openPopover } from '#client/ui/overlays/open-popover.ts'
import { useSteady } from '#client/ui/page/steady.ts'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { MatchingChat } from '#shared/inbox/conversations.ts'
import type { SnoozeBody } from '../../snooze/snooze-menu.tsx'
import { isWindowClosing, useSendWindowTemplate, useWindowTemplate } from '../../window-template.ts'
import { type ChangesProps, useChanges } from './use-changes.ts'
import type { Matching } from './use-matching.ts'

const TagMenu = lazyDialog(() => import('#client/tags/tag-menu.tsx'))
const SnoozeMenu = lazyDialog(() => import('../../snooze/snooze-menu.tsx'))
const AssignMenu = lazyDialog(() => import('../../thread/head/assign-menu.tsx'))

interface SelectionBarProps extends ChangesProps {
  readonly canManage: boolean
  /** All that match, once they were asked for. */
  readonly matching: Matching | undefined
  /** Selects the loaded ones, and asks for all that match. */
  onShown(): void
  onMatching(all: readonly MatchingChat[]): void
  onClear(): void
  /** Called when its parts could not be loaded. */
  onClose(): void
}

/** The common assignee of all of them. If they differ: nobody, and that they can be unassigned. */
const heldByAll = (picked: readonly MatchingChat[]) => {
  const [first] = picked
  const same = <T,>(of: (row: MatchingChat) => { readonly id: string } | null | undefined, value: T) =>
    picked.every(row => of(row)?.id === (first && of(first)?.id)) ? value : undefined
  return {
    assignee: same(row => row.assignee, first?.assignee) ?? null,
    ...(same(row => row.team, first?.team) ? { team: first?.team } : {}),
    isSomebodys: picked.some(row => row.assignee || row.team),
  }
}

/** Actions on several conversations. Replaces the search while some are selected. */
export default function SelectionBar(props: SelectionBarProps) {
  const { org, picked, parts, canManage, matching, onShown, onMatching, onChanged, onClear } = props
  const { t, i18n } = useTranslation('inbox')
  const bar = useRef<HTMLDivElement>(null)
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
  const change = useChanges({ org, picked, parts, onChanged })
  const areArchived = picked.every(({ archived }) => archived)
  const areRead = picked.every(({ unread }) => unread === 0)
  const archive = async () => {
    focusBeside()
    if (await change.archive(!areArchived)) leave()
  }
  const snooze = async (body: SnoozeBody) => {
    focusBeside()
    if (await change.snooze(body)) leave()
  }
  const { now } = useMoment()
  const template = useWindowTemplate(
    org,
    picked.every(row => isWindowClosing(row, now)),
  )
  const sendWindowTemplate = useSendWindowTemplate(parts.run)
  const [isSending, setIsSending] = useState(false)
  const sendTemplate = async () => {
    if (isSending) return
    setIsSending(true)
    if (await sendWindowTemplate(picked.map(({ id }) => id))) leave()
    setIsSending(false)
  }
  const [first] = picked
  const figure = new Intl.NumberFormat(i18n.language === 'es' ? 'es-AR' : 'en-GB')
  const offer = matching && matching.items.length > picked.length && !change.isBusy ? matching : undefined
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
    <div ref={bar} className="selection" role="toolbar" aria-label={t('select.label')} inert={change.isBusy}>
      <div className="selection-bar line">
        {tool(t('select.clear'), 'close', leave)}
        <strong className="cut" role="status">
          <span aria-hidden="true">{figure.format(picked.length)}</span>
          <span className="sr-only">{t('select.count', { count: picked.length })}</span>
        </strong>
        {tool(t('select.all'), 'tick', onShown)}
        {tool(t(areRead ? 'action.markUnread' : 'select.markRead'), 'unread', () => void change.read(!areRead), {
          key: 'u',
        })}
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
      </div>
      {offer ? (
        <div className="selection-offer line">
          <button
            type="button"
            className="link"
            onClick={() => {
              onMatching(offer.items)
              // The button leaves with its press.
              bar.current?.querySelector('button')?.focus()
            }}
          >
            {t(offer.hasMore ? 'select.matchingFirst' : 'select.matching', {
              count: figure.format(offer.items.length),
            })}
          </button>
        </div>
      ) : null}
      {open === 'assign' && assignButton.current ? (
        <AssignMenu
          org={org}
          anchor={assignButton.current}
          conversation={heldByAll(picked)}
          userId={userId}
          onAssign={assignment => void change.assign(assignment)}
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
          onChange={(one, isOn) => {
            // Its button cannot be pressed while the change runs in parts.
            if (picked.length > parts.size) setOpen(undefined)
            void change.tag(one, isOn)
          }}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </div>
  )
}
