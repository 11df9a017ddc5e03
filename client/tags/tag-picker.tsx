import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/icon.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import { fold } from '#shared/fold.ts'
import { type Tag, tagLabelMaxChars } from '#shared/tags.ts'
import { tagsQuery } from './queries.ts'
import './tag-picker.css'

interface TagPickerProps {
  readonly org: string
  /** Names the list. */
  readonly label: string
  /** Names the field. */
  readonly search: string
  /** Ids of those that are on. */
  readonly chosen: ReadonlySet<string>
  /** Whether a new one may be created by typing it. */
  readonly mayCreate: boolean
  onChange(tag: Tag, isOn: boolean): void
}

const creating = 'new'

/** Tags to turn on and off: typing narrows, arrows walk, Enter toggles or creates. The field takes the focus. */
export const TagPicker = ({ org, label, search, chosen, mayCreate, onChange }: TagPickerProps) => {
  const { t } = useTranslation('tags')
  const id = useId()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { data, error } = useQuery(tagsQuery(org))
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const [failure, setFailure] = useState<string>()
  const [isCreating, setIsCreating] = useState(false)
  /** Enter was pressed before the tags were there to choose from. */
  const [isDecided, setIsDecided] = useState(false)

  const wanted = fold(typed.trim().replace(/\s+/g, ' '))
  const all = data?.items ?? []
  const found = all.filter(({ label }) => fold(label).includes(wanted))
  const canCreate = mayCreate && wanted !== '' && data !== undefined && !all.some(({ label }) => fold(label) === wanted)
  const count = found.length + (canCreate ? 1 : 0)
  const isChosen = (tag: Tag) => chosen.has(tag.id)
  const optionId = (place: number) => `${id}-${place}`

  const create = async () => {
    if (isCreating) return
    setFailure(undefined)
    setIsCreating(true)
    try {
      const tag = await api.tags.createTag({ body: { label: typed.trim() } })
      void client.invalidateQueries({ queryKey: tagsQuery(org).queryKey })
      onChange(tag, true)
      setTyped('')
      setActive(0)
    } catch (refusal) {
      setFailure(failureText(refusal))
    }
    setIsCreating(false)
  }
  const choose = (place: number) => {
    const tag = found[place]
    if (tag) onChange(tag, !isChosen(tag))
    else if (canCreate) void create()
  }
  const chooseActive = useEffectEvent(() => {
    setIsDecided(false)
    choose(active)
  })
  useEffect(() => {
    if (isDecided && data) chooseActive()
  }, [isDecided, data])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && count) setActive((active + step + count) % count)
    else if (event.key === 'Enter') setIsDecided(wanted !== '' || count > 0)
    else return
    event.preventDefault()
  }
  const fault = failure ?? (error ? failureText(error) : undefined)
  return (
    <>
      <input
        ref={focusOnce}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={count ? optionId(active) : undefined}
        aria-label={search}
        placeholder={search}
        value={typed}
        maxLength={tagLabelMaxChars}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value)
          setActive(0)
          setFailure(undefined)
          setIsDecided(false)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} className="tag-options" role="listbox" aria-multiselectable="true" aria-label={label}>
        {found.map((tag, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={tag.id}
            id={optionId(place)}
            ref={place === active ? intoView : undefined}
            role="option"
            aria-selected={isChosen(tag)}
            className={place === active ? 'tag-option tag-option-active' : 'tag-option'}
            onClick={() => choose(place)}
          >
            <span className="tag-tick">{isChosen(tag) ? <Icon name="tick" /> : null}</span>
            <span className={`tag hue-${tag.hue}`}>{tag.label}</span>
          </div>
        ))}
        {canCreate ? (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={creating}
            id={optionId(found.length)}
            ref={active === found.length ? intoView : undefined}
            role="option"
            aria-selected={false}
            className={active === found.length ? 'tag-option tag-option-active' : 'tag-option'}
            onClick={() => void create()}
          >
            <span className="tag-tick">
              <Icon name="plus" />
            </span>
            <span className="cut">{t('menu.create', { label: typed.trim() })}</span>
          </div>
        ) : null}
      </div>
      {data && !count ? (
        <p className="tag-menu-note">{t(all.length ? 'menu.noneFound' : mayCreate ? 'menu.none' : 'noneYet')}</p>
      ) : null}
      {fault ? (
        <p className="tag-menu-note tag-menu-fault" role="alert">
          {fault}
        </p>
      ) : null}
    </>
  )
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus()
const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })
