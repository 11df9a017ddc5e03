import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { tagsQuery } from '#client/tags/queries.ts'
import { Icon, type IconName } from '#client/ui/icon.tsx'
import { lazyDialog } from '#client/ui/lazy-dialog.tsx'
import { toast } from '#client/ui/toasts.tsx'
import { maxTagsOfFilter } from '#shared/inbox.ts'
import { type ListFilter, type Switch, switches } from './list-filter.ts'
import { NumberFilter } from './number-filter.tsx'
import type { InboxT } from './words.ts'

const FilterMenu = lazyDialog(() => import('./filter-menu.tsx'))

interface LanesProps {
  readonly org: string
  readonly filter: ListFilter
  readonly t: InboxT
}

/** Changes of the address; what is searched for stays. */
const useFilterAddress = () => {
  const [, setAddress] = useSearchParams()
  const change = (apply: (address: URLSearchParams) => void) =>
    setAddress(
      before => {
        const next = new URLSearchParams(before)
        apply(next)
        return next
      },
      { preventScrollReset: true },
    )
  return {
    turn: (name: Switch, isOn: boolean) => change(address => (isOn ? address.set(name, '1') : address.delete(name))),
    tag: (id: string, isOn: boolean) =>
      change(address => (isOn ? address.append('tag', id) : address.delete('tag', id))),
    /** One of the lanes, which exclude one another. */
    lane: ({ unread, assignee }: Pick<ListFilter, 'unread' | 'assignee'>) =>
      change(address => {
        for (const name of ['unread', 'assignee']) address.delete(name)
        if (unread) address.set('unread', '1')
        if (assignee) address.set('assignee', assignee)
      }),
    clear: () =>
      change(address => {
        for (const name of [...switches, 'assignee', 'tag']) address.delete(name)
      }),
  }
}

const alarms = [
  { name: 'needsHuman', icon: 'hand' },
  { name: 'closing', icon: 'clock' },
] as const satisfies readonly { name: Switch; icon: IconName }[]

const Chip = ({ label, hue, t, onRemove }: { label: string; hue?: number; t: InboxT; onRemove: () => void }) => (
  <button
    type="button"
    className="filter-chip"
    aria-label={t('filter.remove', { label })}
    title={t('filter.remove', { label })}
    onClick={onRemove}
  >
    <span className={hue === undefined ? 'cut' : `tag hue-${hue}`}>{label}</span>
    <Icon name="close" />
  </button>
)

/** Which conversations the list shows: lanes that exclude one another, alarms and more that add up. */
export const Lanes = ({ org, filter, t }: LanesProps) => {
  const { turn, tag, lane, clear } = useFilterAddress()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const { archived, unread, assignee, failed, tags = [] } = filter
  // Not waited for: chips that came with the address get their names with the page.
  const known = useQuery({ ...tagsQuery(org), enabled: tags.length > 0 }).data?.items
  const chosen = (known ?? []).filter(({ id }) => tags.includes(id))
  const isWhole = !archived && !unread && !assignee && !failed && !tags.length
  const isAlarmed = alarms.some(({ name }) => filter[name])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; these buttons choose what is shown
    <div className="filters" role="group" aria-label={t('list.filterLabel')}>
      <div className="lanes">
        <button type="button" className="lane" aria-pressed={isWhole && !isAlarmed} onClick={clear}>
          {t('list.inbox')}
        </button>
        <button
          type="button"
          className="lane"
          aria-pressed={unread ?? false}
          onClick={() => lane(unread ? {} : { unread: true })}
        >
          {t('filter.unread')}
        </button>
        {(['me', 'none'] as const).map(whose => (
          <button
            key={whose}
            type="button"
            className="lane"
            aria-pressed={assignee === whose}
            onClick={() => lane(assignee === whose ? {} : { assignee: whose })}
          >
            {t(`filter.${whose}`)}
          </button>
        ))}
        <button
          ref={button}
          type="button"
          className="icon-button icon-button-s push"
          aria-label={t('filter.more')}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          title={t('filter.more')}
          onClick={() => setIsOpen(true)}
        >
          <Icon name="filter" />
        </button>
      </div>
      <div className="alarms">
        {alarms.map(({ name, icon }) => (
          <button
            key={name}
            type="button"
            className={`alarm alarm-${name}`}
            aria-pressed={filter[name] ?? false}
            onClick={() => turn(name, !filter[name])}
          >
            <Icon name={icon} />
            <span className="cut">{t(`filter.${name}`)}</span>
          </button>
        ))}
        <Suspense>
          <NumberFilter org={org} shown={filter.number} t={t} />
        </Suspense>
      </div>
      {archived || failed || chosen.length ? (
        <div className="filter-chips">
          {archived ? <Chip label={t('filter.archived')} t={t} onRemove={() => turn('archived', false)} /> : null}
          {failed ? <Chip label={t('filter.failed')} t={t} onRemove={() => turn('failed', false)} /> : null}
          {chosen.map(({ id, label, hue }) => (
            <Chip key={id} label={label} hue={hue} t={t} onRemove={() => tag(id, false)} />
          ))}
        </div>
      ) : null}
      {isOpen && button.current ? (
        <FilterMenu
          org={org}
          anchor={button.current}
          filter={filter}
          onSwitch={turn}
          onTag={(id, isOn) => {
            if (isOn && tags.length >= maxTagsOfFilter) toast(t('filter.tooManyTags', { count: maxTagsOfFilter }))
            else tag(id, isOn)
          }}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </div>
  )
}
