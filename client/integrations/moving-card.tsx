import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ContactImport } from '#shared/contacts/imports.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { useFacts } from '../app/facts.ts'
import { useFailureText } from '../app/use-api.ts'
import { useOrg } from '../shell/viewer.ts'
import { importsQuery } from './queries.ts'

const chips = { running: 'chip', done: 'chip chip-green', stopped: 'chip', failed: 'chip chip-red' } as const

function LastImport({ last }: { readonly last: ContactImport | undefined }) {
  const { t } = useTranslation('integrations')
  const { language, timeZone } = useFacts()
  if (!last) return <p>{t('moving.none')}</p>
  const { file, author, rows, done, createdAt } = last
  return <p>{t('moving.last', { file, author, done, rows, at: shortTime(createdAt, language, timeZone) })}</p>
}

/** Links to what imports and exports data, and shows the last import. */
export function MovingCard() {
  const { t } = useTranslation('integrations')
  const { slug, role } = useOrg()
  const failureText = useFailureText()
  const mayImport = roleCan(effectiveRole(role), 'member:manage')
  const { data, error } = useQuery({ ...importsQuery(slug), enabled: mayImport })
  const last = data?.items[0]
  return (
    <section className="card" aria-labelledby="moving">
      <div className="card-head">
        <Icon name="download" />
        <h2 id="moving">{t('moving.title')}</h2>
        {last ? <span className={chips[last.state]}>{t(`moving.state.${last.state}`)}</span> : null}
      </div>
      <p>{t('moving.text')}</p>
      {error ? <Fault>{failureText(error)}</Fault> : null}
      {mayImport ? data ? <LastImport last={last} /> : null : <p>{t('moving.others')}</p>}
      {mayImport ? (
        <div className="card-buttons">
          <Link className="button" to={paths.contacts(slug)}>
            {t('moving.contacts')}
          </Link>
          <Link className="button" to={paths.imports(slug)}>
            {t('moving.chats')}
          </Link>
          <Link className="button" to={paths.stats(slug)}>
            {t('moving.conversations')}
          </Link>
          {roleCan(effectiveRole(role), 'data:export') ? (
            <Link className="button" to={paths.settingsOf(slug, 'organization')}>
              {t('moving.all')}
            </Link>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}
