import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useId } from 'react'
import { useAddressChange } from '#client/app/address/use-address-change.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { membersQuery } from '#client/shell/org-queries.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { DateInput } from '#client/ui/controls/date-input.tsx'
import { fold } from '#shared/kernel/fold.ts'
import { useInboxWords } from '../../inbox-words.ts'
import {
  isUnknown,
  operatorNames,
  operatorsIn,
  type SearchScope,
  scopeOf,
  type TypedOperator,
  withScope,
  withValue,
} from './search-operators.ts'

interface SearchNarrowProps {
  readonly org: string
  /** The text in the field. */
  readonly typed: string
  /** The address of the only chat to search. */
  readonly within: string | undefined
  readonly openPhone: string | undefined
  /** Changes the text and returns to the field. */
  onType(text: string): void
}

const maxValues = 8

/** Chooses the scope of a search: everything, open or archived chats, or one chat. */
const Scope = ({ typed, within, openPhone, onType }: Omit<SearchNarrowProps, 'org'>) => {
  const { t } = useInboxWords()
  const change = useAddressChange()
  const scope = scopeOf(typed)
  const choose = (chosen: SearchScope) => {
    if (within) change(query => query.delete('within'))
    onType(withScope(typed, chosen === 'all' ? '' : t(`search.scopeToken.${chosen}`)))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; these buttons change what is asked for
    <div className="search-scope" role="group" aria-label={t('search.scope')}>
      {(['all', 'open', 'archived'] as const).map(one => (
        <button
          key={one}
          type="button"
          className="list-filter"
          title={t(`search.scopeHint.${one}`)}
          aria-pressed={within === undefined && scope === one}
          onClick={() => choose(one)}
        >
          {t(`search.scopes.${one}`)}
        </button>
      ))}
      {(within ?? openPhone) ? (
        <button
          type="button"
          className="list-filter"
          aria-pressed={within !== undefined}
          onClick={() =>
            change(query => (within || !openPhone ? query.delete('within') : query.set('within', openPhone)))
          }
        >
          {t(within && within !== openPhone ? 'search.inOne' : 'search.here')}
        </button>
      ) : null}
    </div>
  )
}

/** The organization's tags, people and customers that an operator may mean, loaded when one is typed. */
const useValues = (org: string, typed: readonly TypedOperator[], last: TypedOperator | undefined) => {
  const { t } = useInboxWords()
  const has = (name: TypedOperator['name']) => typed.some(one => one.name === name)
  const tags = useQuery({ ...tagsQuery(org), enabled: has('tag') }).data?.items.map(({ label }) => label)
  const people = useQuery({
    ...membersQuery(org),
    enabled: has('agent'),
  }).data?.items.map(({ name }) => name)
  const search = useDeferredValue(last?.name === 'from' ? last.value : '')
  const customers = useQuery({
    ...queryFor(org, 'contacts.listContacts', { query: search ? { search } : {} }),
    enabled: last?.name === 'from',
  }).data?.items.map(({ conversation }) => conversation.name)
  const offered: Partial<Record<TypedOperator['name'], readonly string[] | undefined>> = {
    from: customers,
    tag: tags,
    agent: people && [...people, 'bot'],
    type: t('search.values.type').split(', '),
    status: t('search.values.status').split(', '),
  }
  return { known: { tags, people }, offered: last && offered[last.name] }
}

/** Arrow keys move through the values, and from the first one back into the field; so does Escape. */
const walkValues = (event: KeyboardEvent<HTMLElement>) => {
  const values = [...event.currentTarget.querySelectorAll<HTMLElement>('.search-value')]
  const here = values.indexOf(document.activeElement as HTMLElement)
  const list = event.currentTarget.closest('.inbox-list')
  const field = list?.querySelector<HTMLElement>('input[type="search"]')
  if (here < 0) return
  const targets: Readonly<Record<string, HTMLElement | null | undefined>> = {
    ArrowRight: values[here + 1],
    ArrowDown: values[here + 1] ?? list?.querySelector<HTMLElement>('a.row, a.hit'),
    ArrowLeft: values[here - 1] ?? field,
    ArrowUp: values[here - 1] ?? field,
    Escape: field,
  }
  const target = targets[event.key]
  if (!target) return
  event.preventDefault()
  event.stopPropagation()
  target.focus()
}

/** Says what is searched, and narrows it: ways to search, and the values of the one that is being typed. */
export default function SearchNarrow({ org, typed, within, openPhone, onType }: SearchNarrowProps) {
  const { t } = useInboxWords()
  const id = useId()
  const operators = operatorsIn(typed)
  const last = operators.find(({ isLast }) => isLast)
  const { known, offered } = useValues(org, operators, last)
  const begun = fold(last?.value ?? '')
  const matching = offered?.filter(value => fold(value).includes(begun)) ?? []
  const isWhole = matching.length === 1 && fold(matching[0] ?? '') === begun
  const isDay = last?.name === 'before' || last?.name === 'after'
  const unknown = operators.find(one => isUnknown(one, known))
  return (
    <div className="search-narrow">
      <Scope typed={typed} within={within} openPhone={openPhone} onType={onType} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; these buttons change what is asked for */}
      <div className="operators wrap" role="group" aria-label={t('search.narrow')}>
        {operatorNames.map(name => (
          <button
            key={name}
            type="button"
            className="operator"
            title={t(`search.operatorHint.${name}`)}
            aria-pressed={last?.name === name}
            onClick={() => onType(`${typed.trim()} ${t(`search.operator.${name}`)}`.trimStart())}
          >
            {t(`search.operatorName.${name}`)}
          </button>
        ))}
      </div>
      {last && !isWhole && (isDay || matching.length > 0) ? (
        // biome-ignore lint/a11y/useSemanticElements: as above
        <div
          className="operators search-values wrap"
          role="group"
          aria-label={t(`search.operatorHint.${last.name}`)}
          onKeyDown={walkValues}
        >
          {isDay ? (
            <div className="search-date line fine">
              <label htmlFor={id}>{t(`search.operatorHint.${last.name}`)}</label>
              <DateInput
                id={id}
                label={t(`search.operatorHint.${last.name}`)}
                className="list-filter-number"
                value=""
                onChange={day => onType(withValue(typed, last, day))}
              />
            </div>
          ) : (
            [...new Set(matching)].slice(0, maxValues).map(value => (
              <button
                key={value}
                type="button"
                className="operator search-value cut"
                dir="auto"
                onClick={() => onType(withValue(typed, last, value))}
              >
                {value}
              </button>
            ))
          )}
        </div>
      ) : null}
      {unknown ? (
        <p className="search-unknown" role="status">
          {t(`search.unknown.${unknown.name as Exclude<TypedOperator['name'], 'from'>}`, { value: unknown.value })}
        </p>
      ) : null}
    </div>
  )
}
