import '#client/tags/tag-picker.css'
import './assign-menu.css'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#client/queries.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Popover } from '#client/ui/popover.tsx'
import { useFailureText } from '#client/use-api.ts'
import { fold } from '#shared/fold.ts'
import type { Conversation } from '#shared/inbox.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import { type Assignee, type Assignment, assigneesOf } from './assignees.ts'

interface AssignMenuProps {
  readonly org: string
  /** Where it opens, and where the focus goes back to. */
  readonly anchor: HTMLElement
  readonly conversation: Conversation
  readonly userId: string
  onAssign(assignment: Assignment): void
  onClose(): void
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus()
const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })
const nameMaxChars = 100

/** Whose a conversation is: typing narrows, arrows walk, Enter or a press decides and closes. */
export default function AssignMenu({ org, anchor, conversation, userId, onAssign, onClose }: AssignMenuProps) {
  const { t } = useTranslation('inbox')
  const id = useId()
  const failureText = useFailureText()
  const people = useQuery(queryFor(org, 'members.listMembers', {}))
  const teams = useQuery(queryFor(org, 'members.listTeams', {}))
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  /** Enter was pressed before everybody was there to choose from. */
  const [isDecided, setIsDecided] = useState(false)
  const isLoaded = people.data !== undefined && teams.data !== undefined
  const error = people.error ?? teams.error

  const wanted = fold(typed.trim().replace(/\s+/g, ' '))
  const all = assigneesOf(
    {
      people: (people.data?.items ?? []).filter(({ roleId }) => roleCan(effectiveRole(roleId), 'chat:reply')),
      teams: teams.data?.items ?? [],
      conversation,
      userId,
    },
    t,
  )
  const found = isLoaded ? all.filter(({ name, label }) => fold(`${label} ${name}`).includes(wanted)) : []
  const optionId = (place: number) => `${id}-${place}`
  const choose = (place: number) => {
    const assignee = found[place]
    if (!assignee) return
    onAssign(assignee.assignment)
    onClose()
  }
  const chooseActive = useEffectEvent(() => {
    setIsDecided(false)
    choose(active)
  })
  useEffect(() => {
    if (isDecided && isLoaded) chooseActive()
  }, [isDecided, isLoaded])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length) setActive((active + step + found.length) % found.length)
    else if (event.key === 'Enter') setIsDecided(true)
    else return
    event.preventDefault()
  }
  const pictureOf = ({ kind, key, name }: Assignee): ReactNode =>
    kind === 'person' ? <Avatar name={name} of={key} small /> : <Icon name={kind === 'team' ? 'person' : 'close'} />
  return (
    <Popover
      label={t('assign.label')}
      anchor={anchor}
      place="below-end"
      className="tag-menu assign-menu"
      onClose={onClose}
    >
      <input
        ref={focusOnce}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={found.length ? optionId(active) : undefined}
        aria-label={t('assign.search')}
        placeholder={t('assign.search')}
        value={typed}
        maxLength={nameMaxChars}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value)
          setActive(0)
          setIsDecided(false)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} className="tag-options" role="listbox" aria-label={t('assign.label')}>
        {found.map((assignee, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={assignee.key}
            id={optionId(place)}
            ref={place === active ? intoView : undefined}
            role="option"
            aria-selected={assignee.isChosen}
            className={place === active ? 'tag-option tag-option-active' : 'tag-option'}
            onClick={() => choose(place)}
          >
            <span className="tag-tick">{assignee.isChosen ? <Icon name="tick" /> : null}</span>
            {pictureOf(assignee)}
            <span className="cut">{assignee.label}</span>
          </div>
        ))}
      </div>
      {isLoaded && !found.length ? <p className="tag-menu-note">{t('assign.none')}</p> : null}
      {error ? (
        <p className="tag-menu-note tag-menu-fault" role="alert">
          {failureText(error)}
        </p>
      ) : null}
    </Popover>
  )
}
