import { orgSettingsQuery } from '#client/shell/org-queries.ts'
import './new-chat-dialog.css'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CountryCode } from 'libphonenumber-js/max'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSettled } from '#client/app/input/use-settled.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { walkByArrows } from '#client/ui/controls/walk-by-arrows.ts'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import { searchMaxChars } from '#shared/inbox/conversations.ts'
import { paths } from '#shared/kernel/paths.ts'
import { readPhone, showPhone } from '#shared/kernel/phone-reader.ts'
import { defaultCountry } from '#shared/orgs/setting-fields.ts'
import { leaveFocusToChat } from '../composer/composer-focus.ts'

interface NewChatDialogProps {
  readonly org: string
  onClose(): void
}

const shownContacts = 5

/** Contacts whose name or number is like the typed text, or all while nothing is typed; the last active first. */
const contactsLike = (org: string, search: string) =>
  queryFor(org, 'contacts.listContacts', { query: { sort: 'activity', ...(search ? { search } : {}) } })

/** Asks for a name or a number, shows how it is understood, and opens that chat or a new one. */
export default function NewChatDialog({ org, onClose }: NewChatDialogProps) {
  const { t, i18n } = useTranslation('inbox')
  const navigate = useNavigate()
  const client = useQueryClient()
  const settings = orgSettingsQuery(org)
  const { data } = useQuery(settings)
  const [typed, setTyped] = useState('')
  const [isFault, setIsFault] = useState(false)
  const country = data?.country ?? defaultCountry
  const place = new Intl.DisplayNames(i18n.language, { type: 'region' }).of(country) ?? country
  const meant = data && readPhone(typed, data.country as CountryCode)
  const search = useSettled(meant ?? typed.trim())
  const found = useQuery({ ...contactsLike(org, search), placeholderData: keepPreviousData })
  const people = (found.data?.items ?? []).slice(0, shownContacts).map(({ conversation }) => conversation)
  const isNew = meant !== undefined && people.every(({ phone }) => phone !== meant)
  const isName = /\p{L}/u.test(typed)
  const isNobody = found.data?.items.length === 0 && !found.isPlaceholderData && search !== '' && !isNew
  const isCurrent = !found.isPlaceholderData && search === (meant ?? typed.trim())
  const isFirst = isCurrent && search !== '' && (isName || people.length === 1)
  /** The person whose chat Enter opens: the one with the whole number, otherwise the first one found. */
  const markedAt = meant === undefined ? (isFirst ? 0 : -1) : people.findIndex(({ phone }) => phone === meant)
  const open = (address: string) => {
    // Closed at once, because the dialog gives the focus back to its button, which would keep it from the chat.
    flushSync(onClose)
    leaveFocusToChat()
    void navigate(paths.chat(org, address))
  }
  const submit = async () => {
    const known = await client.ensureQueryData(settings).catch(() => ({ country: defaultCountry }))
    const phone = readPhone(typed, known.country as CountryCode)
    if (phone) return open(phone)
    // Asked for now: the list may still show an earlier text.
    const asked = typed.trim()
      ? await client.ensureQueryData(contactsLike(org, typed.trim())).catch(() => undefined)
      : undefined
    const [first, another] = asked?.items ?? []
    // With a name, the first is marked in the list. Part of a number that several have is no choice.
    if (first && (isName || !another)) return open(addressOfConversation(first.conversation))
    setIsFault(true)
  }
  const faultWords = () => {
    if (people.length) return t('newChat.choose')
    return isName ? t('newChat.nobody') : t('newChat.fault', { country: place })
  }
  const heading = search === '' ? 'recent' : people.length || isNobody ? 'people' : 'newNumber'
  return (
    <Modal title={t('newChat.title')} onClose={onClose}>
      <DialogForm confirm={t('newChat.open')} isWorking={false} onSubmit={() => void submit()} onCancel={onClose}>
        <search className="new-chat" onKeyDown={walkByArrows}>
          <Field
            label={t('newChat.number')}
            type="text"
            maxLength={searchMaxChars}
            autoFocus
            autoComplete="off"
            value={typed}
            {...(isFault ? { fault: faultWords() } : { hint: t('newChat.hint', { country: place }) })}
            onChange={event => {
              setTyped(event.target.value)
              setIsFault(false)
            }}
          />
          <p className="fine">{t(`newChat.${heading}`)}</p>
          <ul className="new-chat-people" aria-label={t('newChat.people')}>
            {isNew ? (
              <li data-marked>
                <button type="button" onClick={() => open(meant)}>
                  <span className="avatar avatar-s" aria-hidden="true">
                    <Icon name="plus" />
                  </span>
                  <span className="cut">{t('newChat.dialled', { number: showPhone(meant) })}</span>
                </button>
              </li>
            ) : null}
            {people.map((one, at) => (
              <li key={one.id} data-marked={at === markedAt || undefined}>
                <button type="button" onClick={() => open(addressOfConversation(one))}>
                  <Avatar name={one.name} of={one.phone} small />
                  <span className="cut" dir="auto">
                    {one.name}
                  </span>
                  <small className="push">{one.displayPhone}</small>
                </button>
              </li>
            ))}
          </ul>
          <p className="new-chat-none small" role="status">
            {isNobody && !isFault ? t('newChat.nobody') : null}
          </p>
        </search>
      </DialogForm>
    </Modal>
  )
}
