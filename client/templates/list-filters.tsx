import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useAddressChange } from '#client/app/address/use-address-change.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { templateCategories, templateQualities, templateStatuses } from '#shared/templates/words.ts'
import '#client/ui/styles/pills.css'
import { filtersOf, syncQuery, type TemplateFilters } from './queries.ts'
import { useLanguageName } from './words.tsx'

/** Pause in typing before searching. */
const typingMs = 250

type Change = (change: { [K in keyof TemplateFilters]?: string | undefined }) => void

/** Filters are stored in the address, so that they survive a reload and can be shared. */
const useFilters = (): [TemplateFilters, Change] => {
  const [query] = useSearchParams()
  const changeAddress = useAddressChange()
  const change: Change = changes =>
    changeAddress(
      address => {
        for (const [name, value] of Object.entries(changes))
          if (value) address.set(name, value)
          else address.delete(name)
      },
      { replace: true },
    )
  return [filtersOf(query), change]
}

function Search({ value, change }: { value: string; change: Change }) {
  const { t } = useTranslation('templates')
  const [text, setText] = useState(value)
  const asked = useRef(value)
  // The address changed otherwise: back button, or filters were cleared.
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === asked.current) return
    const timer = setTimeout(() => {
      asked.current = wanted
      change({ search: wanted })
    }, typingMs)
    return () => clearTimeout(timer)
  })
  return (
    <div className="template-search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={t('filter.search')}
        placeholder={t('filter.search')}
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </div>
  )
}

interface PickProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly { readonly value: string; readonly label: string }[]
  onPick(value: string): void
}

function Pick({ label, value = '', options, onPick }: PickProps) {
  const id = useId()
  return (
    <div className="template-pick" data-chosen={value !== ''}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select id={id} value={value} onChange={({ target }) => onPick(target.value)}>
        <option value="" dir="auto">
          {label}
        </option>
        {options.map(one => (
          <option key={one.value} value={one.value} suppressHydrationWarning dir="auto">
            {one.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Filters of the list: words, status with counts, and Meta's other properties. */
export function ListFilters() {
  const { t, i18n } = useTranslation('templates')
  const { slug } = useOrg()
  const languageName = useLanguageName()
  const { byStatus, total, languages } = useAnswer(syncQuery(slug))
  const [filters, change] = useFilters()
  const counted = new Intl.NumberFormat(i18n.language === 'es' ? 'es-AR' : 'en-GB')
  const shown = templateStatuses.filter(status => byStatus[status] || filters.status === status)
  return (
    <search className="template-filters line wrap">
      <Search value={filters.search ?? ''} change={change} />
      <fieldset className="pills template-statuses">
        <legend className="sr-only">{t('filter.status')}</legend>
        <button type="button" aria-pressed={!filters.status} onClick={() => change({ status: undefined })}>
          {t('filter.all')} <span>{counted.format(total)}</span>
        </button>
        {shown.map(status => (
          <button
            key={status}
            type="button"
            aria-pressed={filters.status === status}
            onClick={() => change({ status })}
          >
            {t(`statuses.${status}`)} <span>{counted.format(byStatus[status] ?? 0)}</span>
          </button>
        ))}
      </fieldset>
      <div className="template-picks wrap">
        <Pick
          label={t('category.label')}
          value={filters.category}
          options={templateCategories.map(value => ({ value, label: t(`category.${value}`) }))}
          onPick={category => change({ category })}
        />
        <Pick
          label={t('language')}
          value={filters.language}
          options={[...new Set([...languages, ...(filters.language ? [filters.language] : [])])].map(value => ({
            value,
            label: languageName(value),
          }))}
          onPick={language => change({ language })}
        />
        <Pick
          label={t('quality.label')}
          value={filters.quality}
          options={templateQualities.map(value => ({ value, label: t(`quality.${value}`) }))}
          onPick={quality => change({ quality })}
        />
      </div>
    </search>
  )
}
