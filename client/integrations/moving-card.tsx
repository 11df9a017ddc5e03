import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import type { ContactImport } from '#shared/contacts/imports.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { IntegrationCard } from './card/integration-card.tsx'
import { useRecent } from './card/recent.ts'
import { useMovingState } from './card/states.ts'
import { importsQuery, mayImport } from './queries.ts'

function LastImport({ last }: { readonly last: ContactImport | undefined }) {
  const { t } = useTranslation('integrations')
  const recent = useRecent()
  if (!last) return <p className="integration-none">{t('moving.none')}</p>
  const { file, author, rows, done, createdAt } = last
  return <p className="integration-none">{t('moving.last', { file, author, done, rows, at: recent(createdAt) })}</p>
}

/** Links to what imports and exports data, and shows the last import. */
export function MovingCard() {
  const { t } = useTranslation('integrations')
  const { slug, role } = useOrg()
  const failureText = useFailureText()
  const isAllowed = mayImport(role)
  const state = useMovingState()
  const { data, error } = useQuery({ ...importsQuery(slug), enabled: isAllowed })
  const ways = [
    { way: 'contacts', to: paths.contacts(slug) },
    { way: 'conversations', to: paths.stats(slug) },
    ...(roleCan(effectiveRole(role), 'data:export')
      ? [{ way: 'all', to: `${paths.settingsOf(slug, 'data')}#export` } as const]
      : []),
  ] as const
  return (
    <IntegrationCard
      id="moving"
      icon="updown"
      title={t('moving.title')}
      says={t('moving.text')}
      state={state}
      foot={
        isAllowed ? (
          <Link className="button" to={paths.imports(slug)}>
            {t('moving.chats')}
          </Link>
        ) : null
      }
    >
      {error ? <Fault>{failureText(error)}</Fault> : null}
      {isAllowed ? (
        <>
          {data ? <LastImport last={data.items[0]} /> : null}
          <ul className="integration-rows">
            {ways.map(({ way, to }) => (
              <li key={way}>
                <Link className="integration-name" to={to}>
                  {t(`moving.${way}`)}
                </Link>
                <small>{t(`moving.${way}How`)}</small>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="integration-none">{t('moving.others')}</p>
      )}
    </IntegrationCard>
  )
}
