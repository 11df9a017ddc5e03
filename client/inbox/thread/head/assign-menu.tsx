import { availabilityQuery } from '#client/shell/availability/availability-query.ts'
import { membersQuery, teamsQuery } from '#client/shell/org-queries.ts'
import './assign-menu.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { OptionPicker } from '#client/ui/controls/option-picker.tsx'
import { Popover } from '#client/ui/overlays/popover.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { fold } from '#shared/kernel/fold.ts'
import { noteMaxChars } from '#shared/kernel/limits.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import { type Assignee, type Assignment, assigneesOf, type Held } from './assignees.ts'

interface AssignMenuProps {
  readonly org: string
  /** The element at which it opens, and to which focus returns. */
  readonly anchor: HTMLElement
  readonly conversation: Held
  readonly userId: string
  /** Shows a field for a note. Absent for several conversations. */
  readonly hasNote?: boolean
  onAssign(assignment: Assignment): void
  onClose(): void
}

const nameMaxChars = 100
const iconOf = { team: 'person', bot: 'bot', none: 'close' } as const

/** Assigns a conversation: typing filters, arrows move, Enter or a click chooses and closes. */
export default function AssignMenu(props: AssignMenuProps) {
  const { org, anchor, conversation, userId, hasNote = false, onAssign, onClose } = props
  const { t } = useTranslation('inbox')
  const id = useId()
  const [note, setNote] = useState('')
  const failureText = useFailureText()
  const people = useQuery(membersQuery(org))
  const teams = useQuery(teamsQuery(org))
  const there = useQuery(availabilityQuery(org))
  const isAway = (userId: string) => there.data?.items.some(one => one.userId === userId && !one.isAvailable)
  const [typed, setTyped] = useState('')
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
  const choose = (place: number) => {
    const assignee = found[place]
    if (!assignee) return
    onAssign({ ...assignee.assignment, ...(isSeen(note) ? { note: note.trim() } : {}) })
    onClose()
  }
  const pictureOf = ({ kind, key, name }: Assignee): ReactNode =>
    kind === 'person' ? <Avatar name={name} of={key} small /> : <Icon name={iconOf[kind]} />
  return (
    <Popover
      label={t('assign.label')}
      anchor={anchor}
      place="below-end"
      className="picker assign-menu"
      isSheet
      onClose={onClose}
    >
      <OptionPicker
        label={t('assign.label')}
        search={t('assign.search')}
        maxChars={nameMaxChars}
        typed={typed}
        options={found.map(assignee => ({
          key: assignee.key,
          isOn: assignee.isChosen,
          content: (
            <>
              {pictureOf(assignee)}
              <span className="cut" dir="auto">
                {assignee.label}
              </span>
              {isAway(assignee.key) ? <span className="assign-away">{t('assign.away')}</span> : null}
            </>
          ),
        }))}
        isReady={isLoaded}
        fault={error ? failureText(error) : undefined}
        nothing={t('assign.none')}
        onType={setTyped}
        onChoose={choose}
      />
      {hasNote ? (
        <div className="field assign-note">
          <label htmlFor={id}>{t('assign.note')}</label>
          <textarea
            dir="auto"
            id={id}
            rows={2}
            maxLength={noteMaxChars}
            value={note}
            aria-describedby={`${id}-hint`}
            onChange={({ target }) => setNote(target.value)}
          />
          <div id={`${id}-hint`} className="field-hint">
            {t('assign.noteHint')}
          </div>
        </div>
      ) : null}
    </Popover>
  )
}
