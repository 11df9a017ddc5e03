import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { KeyUse } from '#shared/api-calls/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { mcpPath } from '#shared/mcp/address.ts'
import { IntegrationCard } from './card/integration-card.tsx'
import { useRecent } from './card/recent.ts'
import { Rows } from './card/rows.tsx'
import { useApiState } from './card/states.ts'
import { CopyLines } from './copy-lines.tsx'
import { keyUseQuery } from './queries.ts'
import './standing.css'

function KeyRow({ use }: { readonly use: KeyUse }) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const recent = useRecent()
  return (
    <li>
      <Link className="integration-name" to={paths.apiCalls(slug, use.id)} dir="auto">
        {use.name}
      </Link>
      <small>
        {[
          t('apiCard.calls', { count: use.calls }),
          use.failed ? t('apiCard.ofKey', { count: use.failed }) : null,
          use.lastAt ? t('apiCard.last', { at: recent(use.lastAt) }) : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </li>
  )
}

/** API keys with their calls of a day, and the addresses for programs and agents. */
export function ApiCard() {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const { publicUrl } = useFacts()
  const recent = useRecent()
  const failureText = useFailureText()
  const state = useApiState()
  const { data, error } = useQuery(keyUseQuery(slug))
  const failure = data?.lastFailure
  return (
    <IntegrationCard
      id="api"
      icon="plug"
      title="API"
      says={t('api')}
      state={state}
      foot={
        <>
          <Link className="button" to={paths.apiKeys(slug)}>
            {t('apiCard.keys')}
          </Link>
          <Link className="link" to={paths.apiCalls(slug)}>
            {t('apiCard.seeCalls')}
          </Link>
          <a className="link" href={paths.apiDocs()}>
            {t('apiDocs')}
          </a>
          <a className="link" href={paths.manual('api', 'agents-mcp')}>
            {t('apiCard.agentsHow')}
          </a>
        </>
      }
    >
      {error ? <Fault>{failureText(error)}</Fault> : null}
      <Rows items={data?.keys ?? []}>{use => <KeyRow key={use.id} use={use} />}</Rows>
      {data?.keys.length === 0 ? <p className="integration-none">{t('apiCard.none')}</p> : null}
      {failure ? (
        <div className="integration-part">
          <p className="standing-wrong-warning line">
            <Icon name="warn" />
            <span>
              {t('apiCard.lastFailure', { at: recent(failure.at), key: failure.key, message: failure.message })}
            </span>
          </p>
        </div>
      ) : null}
      <CopyLines
        lines={[
          { label: t('apiCard.address'), value: `${publicUrl}/api` },
          { label: t('apiCard.agents'), value: publicUrl + mcpPath },
        ]}
      />
    </IntegrationCard>
  )
}
