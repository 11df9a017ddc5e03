import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { KeyUse } from '#shared/api-calls/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { mcpPath } from '#shared/mcp/address.ts'
import { useFacts } from '../app/facts.ts'
import { useFailureText } from '../app/use-api.ts'
import { useOrg } from '../shell/viewer.ts'
import { CopyLines } from './copy-lines.tsx'
import { keyUseQuery } from './queries.ts'
import './cards.css'
import './standing.css'

/** Keys that the card names; the others are behind its button. */
const keysShown = 4

const useTime = () => {
  const { language, timeZone } = useFacts()
  return (at: string) => shortTime(at, language, timeZone)
}

/** How the calls of programs go, in a word. */
function CardState({ keys }: { readonly keys: readonly KeyUse[] }) {
  const { t } = useTranslation('integrations')
  const failed = keys.reduce((sum, one) => sum + one.failed, 0)
  if (failed) return <span className="chip chip-amber">{t('apiCard.failed', { count: failed })}</span>
  if (keys.some(({ calls }) => calls)) return <span className="chip chip-green">{t('apiCard.works')}</span>
  return <span className="chip">{t(keys.length ? 'apiCard.quiet' : 'apiCard.noKeys')}</span>
}

function KeyRow({ use }: { readonly use: KeyUse }) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const time = useTime()
  return (
    <li>
      <Link to={paths.apiCalls(slug, use.id)} dir="auto">
        {use.name}
      </Link>
      <small>
        {[
          t('apiCard.calls', { count: use.calls }),
          use.failed ? t('apiCard.ofKey', { count: use.failed }) : null,
          use.lastAt ? t('apiCard.last', { at: time(use.lastAt) }) : null,
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
  const time = useTime()
  const failureText = useFailureText()
  const { data, error } = useQuery(keyUseQuery(slug))
  const failure = data?.lastFailure
  return (
    <section className="card" aria-labelledby="api">
      <div className="card-head">
        <Icon name="plug" />
        <h2 id="api">API</h2>
        {data ? <CardState keys={data.keys} /> : null}
      </div>
      <p>{t('api')}</p>
      {error ? <Fault>{failureText(error)}</Fault> : null}
      {data?.keys.length ? (
        <ul className="key-use">
          {data.keys.slice(0, keysShown).map(use => (
            <KeyRow key={use.id} use={use} />
          ))}
        </ul>
      ) : null}
      {failure ? (
        <p className="standing-note">
          {t('apiCard.lastFailure', { at: time(failure.at), key: failure.key, message: failure.message })}
        </p>
      ) : null}
      <CopyLines
        lines={[
          { label: t('apiCard.address'), value: `${publicUrl}/api` },
          { label: t('apiCard.agents'), value: publicUrl + mcpPath },
        ]}
      />
      <div className="card-buttons">
        <Link className="button" to={paths.apiKeys(slug)}>
          {t('apiCard.keys')}
        </Link>
        <Link className="button" to={paths.apiCalls(slug)}>
          {t('apiCard.seeCalls')}
        </Link>
        <a className="button" href={paths.apiDocs()}>
          {t('apiDocs')}
        </a>
        <a className="button" href={paths.manual('api', 'agents-mcp')}>
          {t('apiCard.agentsHow')}
        </a>
      </div>
    </section>
  )
}
