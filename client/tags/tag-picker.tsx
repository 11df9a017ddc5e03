import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { OptionPicker, type PickerOption } from '#client/ui/controls/option-picker.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { fold } from '#shared/kernel/fold.ts'
import { type Tag, tagLabelMaxChars } from '#shared/tags/api.ts'
import { tagsQuery } from './queries.ts'

interface TagPickerProps {
  readonly org: string
  /** Accessible name of the list. */
  readonly label: string
  /** Accessible name of the field. */
  readonly search: string
  /** Ids of selected tags. */
  readonly chosen: ReadonlySet<string>
  /** True if typing may create a new tag. */
  readonly mayCreate: boolean
  onChange(tag: Tag, isOn: boolean): void
  /** Closes the surrounding menu. */
  onLeave(): void
}

/** Selects tags: typing filters, arrows move, Enter toggles or creates. The field gets the focus. */
export const TagPicker = ({ org, label, search, chosen, mayCreate, onChange, onLeave }: TagPickerProps) => {
  const { t } = useTranslation('tags')
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { data, error } = useQuery(tagsQuery(org))
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isCreating, setIsCreating] = useState(false)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const wanted = fold(typed.trim().replace(/\s+/g, ' '))
  const all = data?.items ?? []
  const found = all.filter(({ label }) => fold(label).includes(wanted))
  const canCreate = mayCreate && wanted !== '' && data !== undefined && !all.some(({ label }) => fold(label) === wanted)
  const isChosen = (tag: Tag) => chosen.has(tag.id)

  const create = async () => {
    if (isCreating) return
    setFailure(undefined)
    setIsCreating(true)
    try {
      const tag = await api.tags.createTag({ body: { label: typed.trim() } })
      void client.invalidateQueries({ queryKey: tagsQuery(org).queryKey })
      onChange(tag, true)
      setTyped('')
    } catch (refusal) {
      if (isGone.current) toast(failureText(refusal), { kind: 'error' })
      else setFailure(failureText(refusal))
    }
    setIsCreating(false)
  }
  const options: PickerOption[] = found.map(tag => ({
    key: tag.id,
    isOn: isChosen(tag),
    content: (
      <span className={`tag hue-${tag.hue}`} dir="auto">
        {tag.label}
      </span>
    ),
  }))
  if (canCreate)
    options.push({
      key: 'new',
      isOn: false,
      icon: <Icon name="plus" />,
      content: <span className="cut">{t('menu.create', { label: typed.trim() })}</span>,
    })
  return (
    <OptionPicker
      label={label}
      search={search}
      maxChars={tagLabelMaxChars}
      isMultiple
      typed={typed}
      options={options}
      isReady={data !== undefined}
      fault={failure ?? (error ? failureText(error) : undefined)}
      nothing={t(all.length ? 'menu.noneFound' : mayCreate ? 'menu.none' : 'noneYet')}
      onLeave={onLeave}
      onType={text => {
        setTyped(text)
        setFailure(undefined)
      }}
      onChoose={place => {
        const tag = found[place]
        if (tag) onChange(tag, !isChosen(tag))
        else void create()
      }}
    />
  )
}
