import Popover from '@mui/material/Popover'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Icon } from '#client/ui/icon.tsx'
import { MuiScope } from '#client/ui/mui.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import { fold } from '#shared/fold.ts'
import { paths } from '#shared/paths.ts'
import { type Tag, tagLabelMaxChars } from '#shared/tags.ts'
import { tagsQuery } from './queries.ts'
import './tag-menu.css'

interface TagMenuProps {
  readonly org: string
  /** Where it opens, and where the focus goes back to. */
  readonly anchor: HTMLElement
  /** Those of the contact. */
  readonly chosen: readonly Tag[]
  readonly canManage: boolean
  onChange(tag: Tag, isOn: boolean): void
  onClose(): void
}

const creating = 'new'

/** The tags of a contact, put on and taken off: typing narrows, arrows walk, Enter toggles or creates. */
export default function TagMenu({ org, anchor, chosen, canManage, onChange, onClose }: TagMenuProps) {
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

  const wanted = fold(typed.trim().replace(/\s+/g, ' '))
  const all = data?.items ?? []
  const found = all.filter(({ label }) => fold(label).includes(wanted))
  const mayCreate = wanted !== '' && data !== undefined && !all.some(({ label }) => fold(label) === wanted)
  const count = found.length + (mayCreate ? 1 : 0)
  const isChosen = (tag: Tag) => chosen.some(one => one.id === tag.id)
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
    else if (mayCreate) void create()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && count) setActive((active + step + count) % count)
    else if (event.key === 'Enter') choose(active)
    else return
    event.preventDefault()
  }
  const fault = failure ?? (error ? failureText(error) : undefined)
  return (
    <MuiScope>
      <Popover
        open
        anchorEl={anchor}
        onClose={onClose}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: {
            className: 'tag-menu',
            role: 'dialog',
            'aria-label': t('menu.label'),
            sx: { backgroundImage: 'none' },
          },
        }}
      >
        <input
          ref={focusOnce}
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={count ? optionId(active) : undefined}
          aria-label={t('menu.search')}
          placeholder={t('menu.search')}
          value={typed}
          maxLength={tagLabelMaxChars}
          autoComplete="off"
          onChange={({ target }) => {
            setTyped(target.value)
            setActive(0)
            setFailure(undefined)
          }}
          onKeyDown={onKeyDown}
        />
        <div id={id} className="tag-options" role="listbox" aria-multiselectable="true" aria-label={t('menu.label')}>
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
          {mayCreate ? (
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
        {data && !count ? <p className="tag-menu-note">{t('menu.none')}</p> : null}
        {fault ? (
          <p className="tag-menu-note tag-menu-fault" role="alert">
            {fault}
          </p>
        ) : null}
        {canManage ? (
          <Link className="tag-menu-manage" to={paths.settingsOf(org, 'tags')}>
            {t('menu.manage')}
          </Link>
        ) : null}
      </Popover>
    </MuiScope>
  )
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus()
const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })
