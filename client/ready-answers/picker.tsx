import { isComposing } from '#client/ui/controls/composing.ts'
import '#client/ui/controls/option-picker.css'
import './picker.css'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { pathOf } from '#client/app/api.ts'
import { queryFor } from '#client/app/queries.ts'
import { download } from '#client/app/upload.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { replaceRange } from '#client/ui/controls/field-edits.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { fold } from '#shared/kernel/fold.ts'
import { paths } from '#shared/kernel/paths.ts'
import { takesCaption } from '#shared/media/sent-files.ts'
import { orgVariablesFrom, settingOfVariable } from '#shared/orgs/variables.ts'
import {
  type AnswerValues,
  type AnswerVariable,
  answerFile,
  fillAnswer,
  gapIn,
  type NamedVariable,
  type ReadyAnswer,
} from '#shared/ready-answers/api.ts'
import { answersQuery } from './queries.ts'
import { endsInShortcut, typedShortcut } from './typed-shortcut.ts'

interface AnswerPickerProps {
  /** With whom it is talked. */
  readonly conversation: Conversation
  /** Where the answer is written; it keeps the focus. */
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  onChange(text: string): void
  /** It has a file that goes along, with this caption. */
  onFile(file: File, caption: string): void
  onClose(): void
}

const mostShown = 8
const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

const has = (text: string, wanted: string) =>
  fold(text)
    .split(/\s+/)
    .some(word => word.startsWith(wanted))

/** Those that are meant: by shortcut before by a word of the title. */
const findAnswers = (answers: readonly ReadyAnswer[], wanted: string): ReadyAnswer[] => {
  const called = answers.filter(one => one.shortcut.startsWith(wanted))
  return [...called, ...answers.filter(one => !called.includes(one) && has(one.title, wanted))].slice(0, mostShown)
}

/** What is known of those who talk; whoever has no name but a number is called nothing. */
const useValues = ({ name, displayPhone, username }: Conversation): AnswerValues => {
  const { user } = useViewer()
  const org = useOrg()
  const { data: settings } = useQuery(queryFor(org.slug, 'orgSettings.getSettings', {}))
  const called = /\p{L}/u.test(name) && name !== `@${username}` ? name : ''
  return {
    'contacto.nombre': called,
    'contacto.primer_nombre': called.split(/\s+/)[0] ?? '',
    'contacto.telefono': displayPhone,
    'agente.nombre': user.name,
    ...orgVariablesFrom(org.name, settings),
  }
}

/**
 * Ready answers while `/` and a shortcut are typed: arrows walk, Enter or Tab takes, Escape closes. What one of them does
 * not know stays marked, and nothing is sent until somebody has filled it in.
 */
export default function AnswerPicker({ conversation, field, text, onChange, onFile }: AnswerPickerProps) {
  const { t } = useTranslation(['inbox', 'org-settings'])
  const id = useId()
  const { slug } = useOrg()
  const values = useValues(conversation)
  const { data, error, refetch } = useQuery({ ...answersQuery(slug), refetchOnMount: 'always' })
  const [place, setPlace] = useState<{ from: number; typed: string }>()
  const [active, setActive] = useState(0)
  const [closedAt, setClosedAt] = useState<number>()
  /** What was held back, until it is changed. */
  const [refused, setRefused] = useState<string>()
  const isKnown = data !== undefined || error !== null
  const isAsked = place !== undefined && place.from !== closedAt
  const found = isAsked ? findAnswers(data?.items ?? [], fold(place.typed)) : []
  const isOpen = found.length > 0
  const gap = gapIn(text)
  const refresh = () => void refetch()
  useEvents({ readyAnswers: refresh }, refresh)

  const look = useEffectEvent(() => {
    const box = field.current
    const next = box ? typedShortcut(box.value, box.selectionStart) : undefined
    if (next?.from !== place?.from || next?.typed !== place?.typed) setActive(0)
    if (!next) setClosedAt(undefined)
    setPlace(next)
  })
  const selectGap = (box: HTMLTextAreaElement): boolean => {
    const next = gapIn(box.value)
    if (next) box.setSelectionRange(next.from, next.to)
    return next !== undefined
  }
  const missing = (name: AnswerVariable) => {
    const setting = settingOfVariable(name)
    return setting ? t(`org-settings:${setting}.label`) : t(`answers.missing.${name as NamedVariable}`)
  }
  const filledIn = ({ text }: ReadyAnswer) => fillAnswer(text, values, missing)
  const bring = async (id: string, { name, mime }: NonNullable<ReadyAnswer['file']>, caption: string) => {
    try {
      const bytes = await download(`/api${pathOf(answerFile, { params: { id } })}`, slug)
      onFile(new File([bytes], name, { type: mime }), caption)
    } catch {
      toast(t('answers.fileGone', { name }), { kind: 'error' })
      if (caption && field.current) onChange([field.current.value, caption].filter(Boolean).join('\n'))
    }
  }
  const choose = useEffectEvent((index: number) => {
    const [box, answer] = [field.current, found[index]]
    if (!box || !answer || !place) return
    const { file } = answer
    const said = filledIn(answer)
    const isCaption = file !== null && takesCaption(file.kind)
    onChange(replaceRange(box, isCaption ? '' : said, place.from, box.selectionStart))
    setPlace(undefined)
    if (file) void bring(answer.id, file, isCaption ? said : '')
    box.focus()
    selectGap(box)
  })
  /** Nothing leaves with a mark in it: the next thing typed takes its place. */
  const hold = useEffectEvent((event: Event) => {
    const box = field.current
    if (!box || !(selectGap(box) || endsInShortcut(box.value))) return
    event.preventDefault()
    event.stopPropagation()
    box.focus()
    setClosedAt(undefined)
    setRefused(box.value)
  })
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (!isOpen) {
      if (event.key === 'Enter' && !event.shiftKey) hold(event)
      return
    }
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
    box.form?.addEventListener('submit', hold, { signal, capture: true })
    // What was typed before this was there.
    look()
    return () => leave.abort()
  }, [field])
  useEffect(() => {
    const box = field.current
    if (!box || !isKnown) return
    // The composer takes it as a sign that Enter is decided here.
    box.setAttribute('aria-autocomplete', 'list')
    if (isOpen) {
      box.setAttribute('aria-controls', id)
      box.setAttribute('aria-activedescendant', `${id}-${active}`)
    }
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) box.removeAttribute(name)
    }
  }, [field, id, isOpen, active, isKnown])

  if (isOpen)
    return (
      <div id={id} className="mentions answers" role="listbox" aria-label={t('answers.title')}>
        {found.map((answer, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={answer.id}
            id={`${id}-${i}`}
            ref={i === active ? intoView : undefined}
            role="option"
            aria-selected={i === active}
            className={i === active ? 'picker-option picker-active' : 'picker-option'}
            // The field keeps the focus.
            onMouseDown={event => event.preventDefault()}
            onClick={() => choose(i)}
          >
            <span className="answer-name line">
              <span className="cut" dir="auto">
                {answer.title}
              </span>
              <kbd>/{answer.shortcut}</kbd>
            </span>
            {answer.file ? (
              <span className="small cut" dir="auto">
                <Icon name="file" /> {answer.file.name}
              </span>
            ) : null}
            <span className="small cut" dir="auto">
              {filledIn(answer)}
            </span>
          </div>
        ))}
      </div>
    )
  if (isAsked && place.typed === '' && data?.items.length === 0)
    return (
      <p className="mentions answers answers-none">
        {t('answers.none')} <Link to={paths.settingsOf(slug, 'answers')}>{t('answers.create')}</Link>
      </p>
    )
  if (isAsked && isKnown && endsInShortcut(text))
    return (
      <p className="answers-gap line" role={refused === text ? 'alert' : 'status'}>
        <Icon name="slash" />
        {t('answers.unknown', { typed: place.typed })}
      </p>
    )
  return gap ? (
    <p className="answers-gap line" role={refused === text ? 'alert' : 'status'}>
      <Icon name="warn" />
      {t('answers.fillIn', { what: text.slice(gap.from + 1, gap.to - 1) })}
    </p>
  ) : null
}
