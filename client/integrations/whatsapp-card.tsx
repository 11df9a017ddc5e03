import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAnswer } from '#client/app/use-answer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import type { NumberOfOrg } from '#shared/numbers/api.ts'
import { useEvents } from '../shell/live-provider.tsx'
import { useOrg } from '../shell/viewer.ts'
import { ManagedConnection } from './managed-connection.tsx'
import { connectionsQuery, refreshConnection, wabaQuery } from './queries.ts'

const chips = { connected: 'chip chip-green', reauthorise: 'chip chip-amber', blocked: 'chip chip-red' } as const

const StatusChip = ({ status }: { status: NumberOfOrg['status'] }) => {
  const { t } = useTranslation('integrations')
  return <span className={status ? chips[status] : 'chip'}>{t(`status.${status ?? 'none'}`)}</span>
}

const addHref = (slug: string) => `${paths.companyCreation()}?org=${slug}&step=number`

/** The organization's only number. */
function OnlyConnection({ org }: { org: string }) {
  const data = useAnswer(connectionsQuery(org))
  const [connection] = data.items
  return connection ? <ManagedConnection org={org} connection={connection} hasOthers={false} /> : null
}

/** One of several numbers. A disconnected one keeps its conversations. */
function NumberBlock({ number, children }: { number: NumberOfOrg; children?: ReactNode }) {
  const { t } = useTranslation('integrations')
  const phone = number.displayPhone || `+${number.phone}`
  const facts = [number.label ? phone : null, number.verifiedName, number.status ? t('cloud') : t('formerNumber')]
  return (
    <section className="number-block" aria-label={number.label || phone}>
      <div className="card-head">
        <h3>
          <bdi>{number.label || phone}</bdi>
        </h3>
        <StatusChip status={number.status} />
      </div>
      <p>{facts.filter(Boolean).join(' · ')}</p>
      {children}
    </section>
  )
}

function ManagedNumbers({ org, numbers }: { org: string; numbers: readonly NumberOfOrg[] }) {
  const { t } = useTranslation('integrations')
  const { items } = useAnswer(connectionsQuery(org))
  return numbers.map(number => {
    const connection = items.find(({ id }) => id === number.id)
    return (
      <NumberBlock key={number.id} number={number}>
        {connection ? (
          <ManagedConnection org={org} connection={connection} hasOthers={items.length > 1} />
        ) : (
          <div className="card-buttons">
            <Link className="button" to={addHref(org)}>
              {t('token.reconnect')}
            </Link>
          </div>
        )}
      </NumberBlock>
    )
  })
}

/** The organization's numbers with their state and actions. */
export function WhatsAppCard() {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const client = useQueryClient()
  const waba = useAnswer(wabaQuery(slug))
  const refresh = () => void refreshConnection(client, slug)
  useEvents({ connection: refresh }, refresh)
  const waits = <span className="skeleton connection-skeleton" />
  return (
    <section className="card" aria-labelledby="whatsapp">
      <div className="card-head">
        <Icon name="chat" />
        <h2 id="whatsapp">WhatsApp</h2>
        {waba.numbers ? null : <StatusChip status={waba.status} />}
      </div>
      {waba.phone === null ? (
        <>
          <p>{t('noNumber')}</p>
          <div className="card-buttons">
            <Link className="button button-primary" to={`${paths.companyCreation()}?org=${slug}`}>
              {t('connect')}
            </Link>
          </div>
          {waba.numbers?.map(number => (
            <NumberBlock key={number.id} number={number} />
          ))}
        </>
      ) : waba.numbers ? (
        <Suspense fallback={waits}>
          <ManagedNumbers org={slug} numbers={waba.numbers} />
        </Suspense>
      ) : (
        <>
          <p>
            <strong>{waba.displayPhone || waba.phone}</strong>
            {waba.verifiedName ? ` · ${waba.verifiedName}` : ''} · {t(waba.kind === 'sandbox' ? 'sandbox' : 'cloud')}
          </p>
          <Suspense fallback={waits}>
            <OnlyConnection org={slug} />
          </Suspense>
        </>
      )}
      {waba.kind === 'cloud' ? (
        <div className="card-buttons">
          <Link className="button" to={addHref(slug)}>
            {t('addNumber')}
          </Link>
        </div>
      ) : null}
    </section>
  )
}
