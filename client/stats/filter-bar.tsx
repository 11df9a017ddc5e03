import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAddressPart } from '#client/app/address/use-address-part.ts'
import { nameOfNumber } from '#client/app/number-name.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { membersQuery, teamsQuery, wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { DateInput } from '#client/ui/controls/date-input.tsx'
import { Menu } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { origins } from '#shared/stats/definitions.ts'
import { defaultDays, nobody, offeredDays } from '#shared/stats/filter.ts'
import { filterIn } from './queries.ts'

interface Choice {
  readonly id: string
  readonly name: string
}

const narrowing = ['team', 'member', 'tag', 'origin', 'number', 'hours'] as const

/** The selects that narrow figures of conversations. On a phone they are behind a button. */
function Selects() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const [query, put] = useAddressPart()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const filter = filterIn(query)
  const chosen = narrowing.filter(name => filter[name] !== undefined).length
  const teams = useOptionalAnswer(teamsQuery(slug))?.items ?? []
  const people = useOptionalAnswer(membersQuery(slug))?.items ?? []
  const tags = useOptionalAnswer(tagsQuery(slug))?.items ?? []
  // Absent if the organization has only one.
  const numbers = useOptionalAnswer(wabaQuery(slug))?.numbers ?? []
  const select = (name: 'team' | 'member' | 'tag' | 'origin' | 'number', choices: readonly Choice[]) => (
    <label>
      <span className="sr-only">{t(`summary.filter.${name}`)}</span>
      <select value={filter[name] ?? ''} onChange={event => put(name, event.target.value)}>
        <option value="">{t(`summary.filter.${name}`)}</option>
        {choices.map(({ id, name: says }) => (
          <option key={id} value={id} dir="auto">
            {says}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <>
      <button
        type="button"
        className={chosen ? 'button stats-narrow stats-dates-chosen' : 'button stats-narrow'}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="filter" />
        {chosen ? t('summary.filtersChosen', { count: chosen }) : t('summary.filters')}
      </button>
      <div id={id} className="stats-selects" data-open={isOpen || undefined}>
        {select('team', [...teams, { id: nobody, name: t('summary.nobody.teams') }])}
        {select('member', [
          ...people.map(({ userId, name }) => ({ id: userId, name })),
          { id: nobody, name: t('summary.nobody.members') },
        ])}
        {select(
          'tag',
          tags.map(({ id, label }) => ({ id, name: label })),
        )}
        {select(
          'origin',
          origins.map(origin => ({ id: origin, name: t(`summary.origin.${origin}`) })),
        )}
        {numbers.length
          ? select(
              'number',
              numbers.map(({ phone }) => ({ id: phone, name: nameOfNumber(numbers, phone) })),
            )
          : null}
        <label>
          <input
            type="checkbox"
            checked={filter.hours === 'business'}
            onChange={event => put('hours', event.target.checked ? 'business' : '')}
          />
          <span>{t('summary.filter.hours')}</span>
        </label>
      </div>
    </>
  )
}

/** Changes the filter in the address of the page. `hasOnlyDays`: nothing else is counted by. */
export function FilterBar({ hasOnlyDays = false }: { readonly hasOnlyDays?: boolean }) {
  const { t } = useTranslation('stats')
  const id = useId()
  const [query, put] = useAddressPart()
  const filter = filterIn(query)
  const hasDates = filter.from !== undefined
  const withDays = (days: number) => {
    const address = new URLSearchParams(query)
    for (const name of ['from', 'to']) address.delete(name)
    address.set('days', `${days}`)
    return `?${address}`
  }
  return (
    <div className="filter-row stats-filter">
      <nav className="segments-of-time" aria-label={t('summary.range')}>
        {offeredDays.map(days => (
          <Link
            key={days}
            to={withDays(days)}
            preventScrollReset
            aria-current={!hasDates && (filter.days ?? defaultDays) === days ? 'page' : undefined}
          >
            {t(days === 1 ? 'summary.today' : 'summary.days', { count: days })}
          </Link>
        ))}
      </nav>
      <Menu
        label={t('summary.dates')}
        button={t('summary.dates')}
        className={hasDates ? 'button stats-dates stats-dates-chosen' : 'button stats-dates'}
        panelClass="stats-dates-panel"
        side="below-start"
        role="group"
      >
        {() =>
          (['from', 'to'] as const).map(name => (
            <div key={name} className="filter-date">
              <label htmlFor={`${id}-${name}`}>{t(`summary.filter.${name}`)}</label>
              <DateInput
                id={`${id}-${name}`}
                label={t(`summary.filter.${name}`)}
                value={filter[name] ?? ''}
                max={name === 'from' ? filter.to : undefined}
                min={name === 'to' ? filter.from : undefined}
                onChange={date => put(name, date)}
              />
            </div>
          ))
        }
      </Menu>
      {hasOnlyDays ? null : <Selects />}
    </div>
  )
}
