import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { pagesFor } from '#client/app/queries/queries.ts'
import { rowsBefore } from '#client/app/queries/rows-before.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import type { Erasure } from '#shared/erasures/api.ts'
import { shortTime } from '#shared/kernel/time.ts'
import './contact-fields.css'

/** `phone`: only those of this number. */
const erasuresQuery = (org: string, phone?: string) =>
  pagesFor(org, 'erasures.listErasures', { query: phone === undefined ? {} : { phone } }, rowsBefore)

function Entry({ erasure }: { erasure: Erasure }) {
  const { t } = useTranslation('settings')
  const { language, timeZone } = useFacts()
  const { reason, requestedAt, requestedBy, finishedAt, percent, messages } = erasure
  const says = finishedAt === null ? t('erasures.running', { percent }) : t('erasures.deleted', { count: messages })
  return (
    <li>
      <div>
        <strong>{t(`erasures.reason.${reason}`)}</strong>
        <small>
          {t('erasures.by', { name: requestedBy, when: shortTime(requestedAt, language, timeZone) })}
          {` · ${says}`}
        </small>
      </div>
      {finishedAt === null ? <progress value={percent} max={100} aria-label={says} /> : null}
    </li>
  )
}

/** Says whether a typed number was erased. The stored hashes reveal nothing else. */
function NumberCheck() {
  const { t } = useTranslation('settings')
  const { slug } = useOrg()
  const failureText = useFailureText()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const { data, error } = useQuery({ ...erasuresQuery(slug, asked), enabled: asked !== '' })
  const found = asked && data ? data.pages.flatMap(page => page.items) : undefined
  return (
    <form
      className="form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        setAsked(typed.trim())
      }}
    >
      <Field
        label={t('erasures.number')}
        hint={t('erasures.numberHint')}
        type="tel"
        value={typed}
        maxLength={40}
        autoComplete="off"
        fault={asked && error ? failureText(error) : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" className="button">
        {t('erasures.check')}
      </button>
      <div role="status">
        {found?.length ? (
          <ul className="contact-fields">
            {found.map(erasure => (
              <Entry key={erasure.id} erasure={erasure} />
            ))}
          </ul>
        ) : found ? (
          <p>{t('erasures.notFound')}</p>
        ) : null}
      </div>
    </form>
  )
}

/** The list of erasures: who erased a person, when and why. The person is not recorded. */
export function Erasures() {
  const { t } = useTranslation('settings')
  const { slug } = useOrg()
  const list = useSuspensePages(erasuresQuery(slug))
  const items = list.data.pages.flatMap(page => page.items)
  return (
    <>
      <p>{t('erasures.text')}</p>
      {items.length ? (
        <ul className="contact-fields">
          {items.map(erasure => (
            <Entry key={erasure.id} erasure={erasure} />
          ))}
        </ul>
      ) : (
        <p>{t('erasures.none')}</p>
      )}
      <MoreButton list={list} more={t('erasures.more')} failed={t('erasures.moreFailed')} />
      {items.length ? <NumberCheck /> : null}
    </>
  )
}
