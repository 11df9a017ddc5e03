import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '#client/shell/viewer.ts'
import { replaceRange } from '#client/ui/controls/field-edits.ts'
import { hasWordLike, Suggestions, useSuggestions } from '#client/ui/controls/suggestions.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { mentionAt, mentionableQuery } from './mentions-in.ts'

interface MentionsProps {
  readonly org: string
  readonly phone: string
  /** The field of the note. */
  readonly field: RefObject<HTMLTextAreaElement | null>
  onChange(text: string): void
  onClose(): void
}

const maxShown = 8

/** Suggests colleagues while `@` and a name are typed. */
export default function Mentions({ org, phone, field, onChange }: MentionsProps) {
  const { t } = useTranslation('inbox')
  const { user } = useViewer()
  const { data } = useQuery(mentionableQuery(org, phone))
  const people = useSuggestions({
    field,
    placeIn: mentionAt,
    find: typed =>
      (data?.items ?? []).filter(one => one.id !== user.id && hasWordLike(one.name, typed)).slice(0, maxShown),
    onChoose: ({ name }, box, { from }) => onChange(replaceRange(box, `@${name} `, from, box.selectionStart)),
  })
  if (!people.isOpen) return null
  return (
    <Suggestions of={people} label={t('note.mention')}>
      {person => (
        <>
          <Avatar name={person.name} of={person.id} small />
          <span className="cut" dir="auto">
            {person.name}
          </span>
        </>
      )}
    </Suggestions>
  )
}
