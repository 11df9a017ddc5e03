import { orgSettingsQuery } from '#client/shell/org-queries.ts'
import './picker.css'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { callPath } from '#client/app/calls/api.ts'
import { download } from '#client/app/calls/upload.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { replaceRange } from '#client/ui/controls/field-edits.ts'
import { hasWordLike, Suggestions, type TypedPlace, useSuggestions } from '#client/ui/controls/suggestions.tsx'
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
  /** The open conversation. */
  readonly conversation: Conversation
  /** The composer's field, which keeps the focus. */
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  /** True: the button opened the list of ready answers, so no `/` was typed. */
  readonly isAsked: boolean
  onChange(text: string): void
  /** The answer has a file, with this caption. */
  onFile(file: File, caption: string): void
  /** The list that the button asked for has closed. */
  onClose(): void
}

const maxShown = 8

/** Matching answers: by shortcut, then by a word of the title. */
const findAnswers = (answers: readonly ReadyAnswer[], wanted: string): ReadyAnswer[] => {
  const called = answers.filter(one => one.shortcut.startsWith(wanted))
  return [...called, ...answers.filter(one => !called.includes(one) && hasWordLike(one.title, wanted))].slice(
    0,
    maxShown,
  )
}

/** Values of variables. A contact with only a number has no name. */
const useValues = ({ name, displayPhone, username }: Conversation): AnswerValues => {
  const { user } = useViewer()
  const org = useOrg()
  const { data: settings } = useQuery(orgSettingsQuery(org.slug))
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
 * Suggests ready answers while `/` and a shortcut are typed: arrows move, Enter or Tab chooses, Escape closes. Unknown
 * variables are marked, and nothing is sent until they are filled in.
 */
export default function AnswerPicker(props: AnswerPickerProps) {
  const { conversation, field, text, isAsked, onChange, onFile, onClose } = props
  const { t } = useTranslation(['inbox', 'org-settings'])
  const { slug } = useOrg()
  const values = useValues(conversation)
  const { data, error, refetch } = useQuery({ ...answersQuery(slug), refetchOnMount: 'always' })
  /** The text that was held back, until it is changed. */
  const [refused, setRefused] = useState<string>()
  const isKnown = data !== undefined || error !== null
  const gap = gapIn(text)
  const refresh = () => void refetch()
  useEvents({ readyAnswers: refresh }, refresh)

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
      const bytes = await download(`/api${callPath(answerFile, { params: { id } })}`, slug)
      onFile(new File([bytes], name, { type: mime }), caption)
    } catch {
      toast(t('answers.fileGone', { name }), { kind: 'error' })
      if (caption && field.current) onChange([field.current.value, caption].filter(Boolean).join('\n'))
    }
  }
  const choose = (answer: ReadyAnswer, box: HTMLTextAreaElement, { from }: TypedPlace) => {
    const { file } = answer
    const said = filledIn(answer)
    const isCaption = file !== null && takesCaption(file.kind)
    onChange(replaceRange(box, isCaption ? '' : said, from, box.selectionStart))
    if (file) void bring(answer.id, file, isCaption ? said : '')
    box.focus()
    selectGap(box)
  }
  /** Nothing leaves with a mark in it: the next thing typed takes its place. */
  const hold = useEffectEvent((event: Event) => {
    const box = field.current
    if (!box || !(selectGap(box) || endsInShortcut(box.value))) return
    event.preventDefault()
    event.stopPropagation()
    box.focus()
    answers.reopen()
    setRefused(box.value)
  })
  const answers = useSuggestions({
    field,
    placeIn: typedShortcut,
    find: typed => findAnswers(data?.items ?? [], fold(typed)),
    onChoose: choose,
    isReady: isKnown,
    isAsked,
    onAnswered: onClose,
    onKeyWhileClosed: event => {
      if (event.key === 'Escape' && (hasNone || isUnknown)) {
        event.preventDefault()
        event.stopPropagation()
        answers.close()
      } else if (event.key === 'Enter' && !event.shiftKey) hold(event)
    },
  })
  useEffect(() => {
    const form = field.current?.form
    if (!form) return
    form.addEventListener('submit', hold, { capture: true })
    return () => form.removeEventListener('submit', hold, { capture: true })
  }, [field])

  const { asked } = answers
  const hasNone = asked?.typed === '' && data?.items.length === 0
  const isUnknown = asked !== undefined && isKnown && endsInShortcut(text)
  if (answers.isOpen)
    return (
      <Suggestions of={answers} label={t('answers.title')} className="answers">
        {answer => (
          <>
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
          </>
        )}
      </Suggestions>
    )
  if (hasNone)
    return (
      <p className="mentions answers answers-none">
        {t('answers.none')} <Link to={paths.settingsOf(slug, 'answers')}>{t('answers.create')}</Link>
      </p>
    )
  if (isUnknown)
    return (
      <p className="answers-gap line" role={refused === text ? 'alert' : 'status'}>
        <Icon name="slash" />
        {t('answers.unknown', { typed: asked.typed })}
      </p>
    )
  return gap ? (
    <p className="answers-gap line" role={refused === text ? 'alert' : 'status'}>
      <Icon name="warn" />
      {t('answers.fillIn', { what: text.slice(gap.from + 1, gap.to - 1) })}
    </p>
  ) : null
}
