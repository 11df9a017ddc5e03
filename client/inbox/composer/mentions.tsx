import { isComposing } from '#client/ui/controls/composing.ts'
import '#client/ui/controls/option-picker.css'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#client/app/queries.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { replaceRange } from '#client/ui/controls/field-edits.ts'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { fold } from '#shared/kernel/fold.ts'
import { mentionAt } from './mentions-in.ts'

interface MentionsProps {
  readonly org: string
  readonly phone: string
  /** Where the note is written; it keeps the focus. */
  readonly field: RefObject<HTMLTextAreaElement | null>
  onChange(text: string): void
  onClose(): void
}

const mostShown = 8
const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

/** Who can be called to a note, while `@` and a name are typed: arrows walk, Enter or Tab takes, Escape closes. */
export default function Mentions({ org, phone, field, onChange }: MentionsProps) {
  const { t } = useTranslation('inbox')
  const id = useId()
  const { user } = useViewer()
  const { data } = useQuery(queryFor(org, 'notes.listMentionable', { params: { phone } }))
  const [place, setPlace] = useState<{ from: number; typed: string }>()
  const [active, setActive] = useState(0)
  const [closedAt, setClosedAt] = useState<number>()
  const wanted = fold(place?.typed ?? '')
  const found =
    place && place.from !== closedAt
      ? (data?.items ?? [])
          .filter(
            one =>
              one.id !== user.id &&
              fold(one.name)
                .split(/\s+/)
                .some(word => word.startsWith(wanted)),
          )
          .slice(0, mostShown)
      : []
  const isOpen = found.length > 0

  const look = useEffectEvent(() => {
    const box = field.current
    const next = box ? mentionAt(box.value, box.selectionStart) : undefined
    if (next?.from !== place?.from || next?.typed !== place?.typed) setActive(0)
    if (!next) setClosedAt(undefined)
    setPlace(next)
  })
  const choose = useEffectEvent((index: number) => {
    const [box, person] = [field.current, found[index]]
    if (!box || !person || !place) return
    onChange(replaceRange(box, `@${person.name} `, place.from, box.selectionStart))
    setPlace(undefined)
  })
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isOpen || isComposing(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((active + step + found.length) % found.length)
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') choose(active)
    else if (event.key === 'Escape') setClosedAt(place?.from)
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    const box = field.current
    if (!box) return
    const leave = new AbortController()
    const { signal } = leave
    for (const type of ['input', 'keyup', 'click']) box.addEventListener(type, look, { signal })
    box.addEventListener('keydown', press, { signal, capture: true })
    // What was typed before this was there.
    look()
    return () => leave.abort()
  }, [field])
  useEffect(() => {
    const box = field.current
    if (!box) return
    box.setAttribute('aria-autocomplete', 'list')
    if (isOpen) {
      box.setAttribute('aria-controls', id)
      box.setAttribute('aria-activedescendant', `${id}-${active}`)
    }
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) box.removeAttribute(name)
    }
  }, [field, id, isOpen, active])

  if (!isOpen) return null
  return (
    <div id={id} className="mentions" role="listbox" aria-label={t('note.mention')}>
      {found.map((person, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <div
          key={person.id}
          id={`${id}-${i}`}
          ref={i === active ? intoView : undefined}
          role="option"
          aria-selected={i === active}
          className={i === active ? 'picker-option picker-active' : 'picker-option'}
          // The field keeps the focus.
          onMouseDown={event => event.preventDefault()}
          onClick={() => choose(i)}
        >
          <Avatar name={person.name} of={person.id} small />
          <span className="cut" dir="auto">
            {person.name}
          </span>
        </div>
      ))}
    </div>
  )
}
