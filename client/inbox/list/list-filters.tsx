import { Suspense, useRef, useState } from 'react'
import { useAddressChange } from '#client/app/address/use-address-change.ts'
import { nameOfNumber } from '#client/app/number-name.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { type ListPartCounts, maxTagsOfFilter, nobody } from '#shared/inbox/conversations.ts'
import type { ViewFilter } from '#shared/saved-views/api.ts'
import { useNumbers } from '../numbers.ts'
import { listPartsQuery } from '../queries.ts'
import type { InboxT } from '../words.ts'
import { Counted } from './counted.tsx'
import { type ListFilter, type Switch, switches } from './list-filter.ts'
import { ViewChips } from './views/view-chips.tsx'
import { showView } from './views/view-filter.ts'

/** Filters by one of our numbers. Nothing if there is only one. */
const NumberFilter = ({ org, shown, t }: { org: string; shown: string | undefined; t: InboxT }) => {
  const numbers = useNumbers(org)
  const change = useAddressChange()
  if (!numbers.length) return null
  const show = (number: string) =>
    change(address => (number ? address.set('number', number) : address.delete('number')))
  return (
    <select
      className="list-filter-number"
      aria-label={t('list.number')}
      value={numbers.some(({ phone }) => phone === shown) ? shown : ''}
      onChange={event => show(event.target.value)}
    >
      <option value="">{t('list.allNumbers')}</option>
      {numbers.map(({ id, phone }) => (
        <option key={id} value={phone} dir="auto">
          {nameOfNumber(numbers, phone)}
        </option>
      ))}
    </select>
  )
}

const minuteMs = 60_000

const FilterMenu = lazyDialog(() => import('./filter-menu.tsx'))

interface ListFiltersProps {
  readonly org: string
  readonly filter: ListFilter
  /** All chats are searched, so the tabs of the list are hidden. */
  readonly isSearching: boolean
  readonly t: InboxT
}

/** Changes filters in the address. Search words stay. */
const useFilterAddress = () => {
  const change = useAddressChange()
  return {
    turn: (name: Switch, isOn: boolean) => change(address => (isOn ? address.set(name, '1') : address.delete(name))),
    tag: (id: string, isOn: boolean) =>
      change(address => (isOn ? address.append('tag', id) : address.delete('tag', id))),
    /** Filters that exclude each other. */
    only: ({ unread, assignee }: Pick<ListFilter, 'unread' | 'assignee'>) =>
      change(address => {
        for (const name of ['unread', 'assignee']) address.delete(name)
        if (unread) address.set('unread', '1')
        if (assignee) address.set('assignee', assignee)
      }),
    clear: () =>
      change(address => {
        for (const name of [...switches, 'assignee', 'tag']) address.delete(name)
      }),
    /** Searches everything for the same words. */
    everywhere: () =>
      change(address => {
        for (const name of [...switches, 'assignee', 'tag', 'number']) address.delete(name)
      }),
    show: (view: ViewFilter) => change(address => showView(address, view)),
  }
}

const alarms = [
  { name: 'needsHuman', icon: 'hand' },
  { name: 'overdue', icon: 'warn' },
  { name: 'closing', icon: 'clock' },
] as const satisfies readonly { name: Switch; icon: IconName }[]

interface AlarmsProps {
  readonly filter: ListFilter
  /** Absent until the counts are loaded. */
  readonly parts: ListPartCounts | undefined
  readonly t: InboxT
  onSwitch(name: Switch, isOn: boolean): void
}

/** The alarms above the list. Overdue responses appear only if the organization has a target. Three have short names. */
const Alarms = ({ filter, parts, t, onSwitch }: AlarmsProps) => {
  const hasPromise = filter.overdue || parts?.overdue !== undefined
  return alarms.map(({ name, icon }) =>
    name === 'overdue' && !hasPromise ? null : (
      <button
        key={name}
        type="button"
        className={`alarm alarm-${name}`}
        aria-pressed={filter[name] ?? false}
        title={hasPromise ? t(`filter.${name}`) : undefined}
        onClick={() => onSwitch(name, !filter[name])}
      >
        <Icon name={icon} />
        {hasPromise ? <span className="sr-only">{t(`filter.${name}`)}</span> : null}
        <span className="cut" aria-hidden={hasPromise}>
          {t(hasPromise ? `alarm.${name}` : `filter.${name}`)}
        </span>
        <Counted part={parts?.[name]} />
      </button>
    ),
  )
}

const Chip = ({ label, hue, t, onRemove }: { label: string; hue?: number; t: InboxT; onRemove: () => void }) => (
  <button
    type="button"
    className="filter-chip"
    aria-label={t('filter.remove', { label })}
    title={t('filter.remove', { label })}
    onClick={onRemove}
  >
    <span className={hue === undefined ? 'cut' : `tag hue-${hue}`} dir="auto">
      {label}
    </span>
    <Icon name="close" />
  </button>
)

/** The list's filters: some exclude each other, alarms and others add up. */
export const ListFilters = ({ org, filter, isSearching, t }: ListFiltersProps) => {
  const { turn, tag, only, clear, everywhere, show } = useFilterAddress()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const { archived, snoozed, waiting, unread, assignee, failed, metaAgent, tags = [] } = filter
  // Not awaited: chips from the address get their names with the page.
  const known = useOptionalAnswer({ ...tagsQuery(org), enabled: tags.length > 0 })?.items
  // Not awaited either. Closing windows emit no event.
  const parts = useOptionalAnswer({ ...listPartsQuery(org, filter.number), refetchInterval: minuteMs })
  const chosen = known?.filter(({ id }) => tags.includes(id)) ?? []
  // A saved view may contain deleted tags.
  const gone = known ? tags.filter(id => !chosen.some(one => one.id === id)) : []
  const isOthers = assignee !== undefined && assignee !== 'me' && assignee !== nobody
  const isWhole = !archived && !snoozed && !waiting && !unread && !assignee && !failed && !metaAgent && !tags.length
  const isAlarmed = alarms.some(({ name }) => filter[name])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; these buttons choose what is shown
    <div className={isSearching ? 'filters filters-away' : 'filters'} role="group" aria-label={t('list.filterLabel')}>
      <button
        ref={button}
        type="button"
        className="icon-button filters-more"
        aria-label={t('filter.more')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={t('filter.more')}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="filter" />
      </button>
      <div className="list-filters line">
        <button type="button" className="list-filter" aria-pressed={isWhole && !isAlarmed} onClick={clear}>
          {t('list.inbox')}
        </button>
        {(['me', 'none'] as const).map(whose => (
          <button
            key={whose}
            type="button"
            className="list-filter"
            aria-pressed={assignee === whose}
            onClick={() => only(assignee === whose ? {} : { assignee: whose })}
          >
            {t(`filter.${whose}`)}
            <Counted part={parts?.[whose === 'me' ? 'mine' : 'unassigned']} />
          </button>
        ))}
        <button
          type="button"
          className="list-filter"
          aria-pressed={unread ?? false}
          title={t('filter.unread')}
          onClick={() => only(unread ? {} : { unread: true })}
        >
          <Icon name="unread" />
          <span className="sr-only">{t('filter.unread')}</span>
          <Counted part={parts?.unread} />
        </button>
        <button
          type="button"
          className="list-filter"
          aria-pressed={snoozed ?? false}
          title={t('filter.snoozed')}
          onClick={() => turn('snoozed', !snoozed)}
        >
          <Icon name="snooze" />
          <span className="sr-only">{t('filter.snoozed')}</span>
          <Counted part={parts?.snoozed} />
        </button>
      </div>
      <ViewChips org={org} filter={filter} t={t} onPick={show} onMore={() => setIsOpen(true)} />
      <div className="alarms wrap">
        <Alarms filter={filter} parts={parts} t={t} onSwitch={turn} />
        <Suspense>
          <NumberFilter org={org} shown={filter.number} t={t} />
        </Suspense>
      </div>
      {!isSearching && filter.search ? (
        <p className="search-only fine">
          {t('search.onlyHere')}{' '}
          <button type="button" className="link" onClick={everywhere}>
            {t('search.everywhere')}
          </button>
        </p>
      ) : null}
      {archived || waiting || failed || metaAgent || isOthers || chosen.length || gone.length ? (
        <div className="filter-chips wrap">
          {archived ? <Chip label={t('filter.archived')} t={t} onRemove={() => turn('archived', false)} /> : null}
          {waiting ? <Chip label={t('filter.waiting')} t={t} onRemove={() => turn('waiting', false)} /> : null}
          {failed ? <Chip label={t('filter.failed')} t={t} onRemove={() => turn('failed', false)} /> : null}
          {metaAgent ? <Chip label={t('filter.metaAgent')} t={t} onRemove={() => turn('metaAgent', false)} /> : null}
          {isOthers ? <Chip label={t('filter.others')} t={t} onRemove={() => only({})} /> : null}
          {chosen.map(({ id, label, hue }) => (
            <Chip key={id} label={label} hue={hue} t={t} onRemove={() => tag(id, false)} />
          ))}
          {gone.map(id => (
            <Chip key={id} label={t('views.goneTag')} t={t} onRemove={() => tag(id, false)} />
          ))}
        </div>
      ) : null}
      {isOpen && button.current ? (
        <FilterMenu
          org={org}
          anchor={button.current}
          filter={filter}
          parts={parts}
          onSwitch={turn}
          onView={show}
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
