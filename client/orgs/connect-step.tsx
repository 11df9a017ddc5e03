import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { apiOf, keyFor } from '#client/app/queries/queries.ts'
import { WebhookLines } from '#client/integrations/webhook-lines.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ReplyOf } from '#shared/kernel/contract.ts'
import type { Connection, numbersApi } from '#shared/numbers/api.ts'
import type { OrgSummary } from '#shared/orgs/api.ts'
import { CloudForm } from './cloud-form.tsx'

/** A number that was just connected, with the values to paste into Meta. */
function WebhookCard({ connection, nextHref }: { connection: Connection; nextHref: string }) {
  const { t } = useTranslation('orgs')
  return (
    <div className="stack">
      <div>
        <h1>{t('webhook.title', { number: connection.displayPhone || connection.phone })}</h1>
        <p className="lead">{t('webhook.text')}</p>
      </div>
      <WebhookLines connection={connection} />
      <a className="button button-primary button-wide" href={nextHref}>
        {t('webhook.done')}
      </a>
    </div>
  )
}

interface ConnectStepProps {
  readonly org: OrgSummary
  /** The current number. */
  readonly waba: ReplyOf<typeof numbersApi.getWaba>
  /** Address of the next step. */
  readonly teamHref: string
  onDone(): void
}

/** Connects a WhatsApp number: a real one through Meta's Cloud API, or the built-in simulator. */
export function ConnectStep({ org, waba, teamHref, onDone }: ConnectStepProps) {
  const { t } = useTranslation('orgs')
  const { site } = useFacts()
  const client = useQueryClient()
  const api = apiOf(client)(org.slug)
  const failureText = useFailureText()
  const [connected, setConnected] = useState<Connection>()
  const [failure, setFailure] = useState<string>()
  const [isConnecting, connect] = useTransition()
  const useSimulator = () =>
    connect(async () => {
      setFailure(undefined)
      try {
        await api.numbers.connectSandbox({})
        await client.invalidateQueries({ queryKey: keyFor(org.slug, 'numbers.getWaba') })
        onDone()
      } catch (error) {
        setFailure(failureText(error))
      }
    })

  if (connected) return <WebhookCard connection={connected} nextHref={teamHref} />
  return (
    <div className="stack">
      <div>
        <h1>{t('connect.title')}</h1>
        <p className="lead">{t('connect.text', { org: org.name })}</p>
      </div>
      {waba.phone ? (
        <p className="notice notice-good">
          <Icon name="tick" />
          <span>{t('connect.connected', { number: waba.displayPhone || waba.phone })}</span>
        </p>
      ) : null}
      {site.sandbox && waba.kind === null ? (
        <section className="choice-card">
          <Icon name="phone" />
          <div>
            <h2>{t('connect.simulator')}</h2>
            <p>{t('connect.simulatorText')}</p>
            <button type="button" className="button button-primary" onClick={useSimulator} disabled={isConnecting}>
              {isConnecting ? t('connect.connecting') : t('connect.useSimulator')}
            </button>
            {failure ? <Fault>{failure}</Fault> : null}
          </div>
        </section>
      ) : null}
      <details className="choice-card" open={waba.kind === 'cloud' || (!site.sandbox && !waba.phone)}>
        <summary>
          <Icon name="plug" />
          <span>
            <strong>{t('connect.cloud')}</strong>
            <span>{t('connect.cloudText')}</span>
          </span>
          <Icon name="chevron" className="choice-mark" />
        </summary>
        <CloudForm api={api} onConnected={setConnected} />
      </details>
      <Link className={waba.phone ? 'button button-primary button-wide' : 'link'} to={teamHref}>
        {t(waba.phone ? 'connect.next' : 'connect.later')}
      </Link>
    </div>
  )
}
