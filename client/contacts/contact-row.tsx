import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { ListedContact } from '#shared/contacts/api.ts'
import type { ContactField } from '#shared/contacts/fields.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { clockTime, dayWord, shortDate } from '#shared/kernel/time.ts'
import { NameEditor } from './name-editor.tsx'
import { useContactLink, useOpened } from './opened.tsx'
import { refreshContacts } from './queries.ts'

const ErasureDialog = lazyDialog(() => import('#client/erasures/dialog.tsx'))

/** Actions on a contact: naming it, and erasing it, for owners and administrators. */
function Actions({ conversation, onRename }: Pick<ListedContact, 'conversation'> & { onRename(): void }) {
  const { t } = useTranslation('contacts')
  const { t: erasing } = useTranslation('erasures')
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const [isErasing, setErasing] = useState(false)
  const may = effectiveRole(role)
  if (!roleCan(may, 'chat:reply')) return null
  const { name, displayPhone } = conversation
  const close = () => setErasing(false)
  const leave = async () => {
    close()
    await refreshContacts(client, slug)
  }
  return (
    <div className="contact-actions">
      <RowMenu
        label={t('actions', { name })}
        items={() => (
          <>
            <MenuItem onClick={() => onRename()}>{t('edit.open')}</MenuItem>
            {roleCan(may, 'contact:erase') ? (
              <MenuItem danger onClick={() => setErasing(true)}>
                {erasing('open')}
              </MenuItem>
            ) : null}
          </>
        )}
      />
      {isErasing ? (
        <ErasureDialog
          phone={addressOfConversation(conversation)}
          confirmation={displayPhone || name}
          onErased={leave}
          onClose={close}
        />
      ) : null}
    </div>
  )
}

/** Shows when a contact was last active: the time of today and yesterday, otherwise the day. */
function Last({ at }: { at: string }) {
  const { t, i18n } = useTranslation('contacts')
  const { now, timeZone } = useMoment()
  const word = dayWord(at, now, timeZone)
  return (
    <time dateTime={at}>
      {word ? t(`when.${word}`, { time: clockTime(at, timeZone) }) : shortDate(at, i18n.language as Language, timeZone)}
    </time>
  )
}

/** Tags that a cell shows beside one another; a narrow one shows the first. The others are counted. */
const shownTags = 2

function Tags({ tags }: { tags: ListedContact['conversation']['tags'] }) {
  const rest = tags.length - shownTags
  const labels = tags
    .slice(1)
    .map(({ label }) => label)
    .join(', ')
  return (
    <div className="contact-tag-line line">
      {tags.slice(0, shownTags).map(({ id, label, hue }) => (
        <span key={id} className={`tag hue-${hue}`} dir="auto">
          {label}
        </span>
      ))}
      {tags.length > 1 ? (
        <span className="contact-tag-rest" data-tip={labels}>
          <span className="contact-tag-narrow" aria-hidden="true">
            +{tags.length - 1}
          </span>
          {rest > 0 ? (
            <span className="contact-tag-wide" aria-hidden="true">
              +{rest}
            </span>
          ) : null}
          <span className="sr-only">{labels}</span>
        </span>
      ) : null}
    </div>
  )
}

const shownValue = ({ kind }: ContactField, value: string | undefined, language: Language) =>
  value && kind === 'date' ? shortDate(value, language, 'UTC') : value

interface RowProps {
  readonly contact: ListedContact
  readonly columns: readonly ContactField[]
  readonly isPicked: boolean
  /** Absent: contacts are not selected here. */
  readonly onPick: ((isPicked: boolean) => void) | undefined
  onRenamed(): Promise<unknown>
}

/** One contact of the table. */
export function Row({ contact, columns, isPicked, onPick, onRenamed }: RowProps) {
  const { lastActivityAt, profileName, fields, conversation } = contact
  const { t, i18n } = useTranslation('contacts')
  const linkTo = useContactLink()
  const opened = useOpened()
  const address = addressOfConversation(conversation)
  const row = useRef<HTMLTableRowElement>(null)
  const [isRenaming, setRenaming] = useState(false)
  const { name, displayPhone, username, tags, optOut, phone } = conversation
  const reachedAt = [displayPhone, username && `@${username}`].filter(one => one && one !== name).join(' · ')
  return (
    <tr
      ref={row}
      className="contact-row"
      data-picked={isPicked || undefined}
      data-open={opened === address || undefined}
    >
      {onPick ? (
        <td className="contact-check">
          <input
            type="checkbox"
            className="contact-pick"
            aria-label={t('select.one', { name })}
            checked={isPicked}
            onChange={({ target }) => onPick(target.checked)}
          />
        </td>
      ) : null}
      <th scope="row" className="contact-who">
        {isRenaming ? (
          <NameEditor
            address={address}
            name={name}
            profileName={profileName}
            onSaved={onRenamed}
            onClose={() => {
              setRenaming(false)
              row.current?.querySelector<HTMLElement>('.contact-actions button')?.focus()
            }}
          />
        ) : (
          <div className="contact-name line">
            <Avatar name={name} of={phone} small />
            <Link
              {...linkTo(address)}
              className="row-link cut"
              preventScrollReset
              aria-current={opened === address}
              dir="auto"
            >
              {name}
            </Link>
            {optOut ? (
              <span className="contact-opted-out" data-tip={t('optedOut')}>
                <Icon name="bellOff" />
                <span className="sr-only">{t('optedOut')}</span>
              </span>
            ) : null}
          </div>
        )}
      </th>
      <td className="contact-number cut">{reachedAt}</td>
      <td className="contact-tag-cell">
        <Tags tags={tags} />
      </td>
      {columns.map((field, at) => (
        <td key={field.id} className="contact-field cut" data-column={at} dir="auto">
          {shownValue(field, fields.find(({ id }) => id === field.id)?.value, i18n.language as Language)}
        </td>
      ))}
      <td className="contact-last">{conversation.bulkOnly ? t('bulkOnly') : <Last at={lastActivityAt} />}</td>
      <td className="contact-more">
        <Actions conversation={conversation} onRename={() => setRenaming(true)} />
      </td>
    </tr>
  )
}
