import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { NumberOfOrg } from '#shared/numbers/api.ts'
import { IntegrationCard, StateChip } from './card/integration-card.tsx'
import { useNumberState, useWhatsAppState } from './card/states.ts'
import { ManagedConnection } from './managed-connection.tsx'
import { connectionsQuery, refreshConnection } from './queries.ts'

const addHref = (slug: string) => `${paths.companyCreation()}?org=${slug}&step=number`

/** The organization's only number. */
function OnlyConnection({ org }: { org: string }) {
  const data = useAnswer(connectionsQuery(org))
  const [connection] = data.items
  return connection ? (
    <ManagedConnection org={org} connection={connection} hasOthers={false} addHref={addHref(org)} />
  ) : null
}

/** One of several numbers. A disconnected one keeps its conversations. */
function NumberBlock({ number, children }: { number: NumberOfOrg; children?: ReactNode }) {
  const { t } = useTranslation('integrations')
  const stateOf = useNumberState()
  const phone = number.displayPhone || `+${number.phone}`
  const facts = [number.label ? phone : null, number.verifiedName, number.status ? t('cloud') : t('formerNumber')]
  return (
    <section className="number-block" aria-label={number.label || phone}>
      <div className="card-head">
        <h3>
          <bdi>{number.label || phone}</bdi>
        </h3>
        <StateChip state={stateOf(number.status)} />
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
          <div className="integration-foot">
            <Link className="link" to={addHref(org)}>
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
  const state = useWhatsAppState()
  const refresh = () => void refreshConnection(client, slug)
  useEvents({ connection: refresh }, refresh)
  const { phone, displayPhone, verifiedName, numbers, kind } = waba
  const waits = <span className="skeleton skeleton-rows connection-skeleton" />
  const says =
    phone === null
      ? t('noNumber')
      : numbers
        ? t('severalNumbers', { count: numbers.filter(({ status }) => status).length })
        : [displayPhone || phone, verifiedName, t(kind === 'sandbox' ? 'sandbox' : 'cloud')].filter(Boolean).join(' · ')
  return (
    <IntegrationCard
      id="whatsapp"
      icon="chat"
      title="WhatsApp"
      says={<bdi>{says}</bdi>}
      state={state}
      isWide={phone !== null && (numbers?.length ?? 0) > 1}
      foot={
        phone === null ? (
          <Link className="button button-primary" to={`${paths.companyCreation()}?org=${slug}`}>
            {t('connect')}
          </Link>
        ) : numbers && kind === 'cloud' ? (
          <Link className="button" to={addHref(slug)}>
            {t('addNumber')}
          </Link>
        ) : null
      }
    >
      {phone === null ? (
        numbers?.map(number => <NumberBlock key={number.id} number={number} />)
      ) : (
        <Suspense fallback={waits}>
          {numbers ? (
            <div className="integration-numbers">
              <ManagedNumbers org={slug} numbers={numbers} />
            </div>
          ) : (
            <OnlyConnection org={slug} />
          )}
        </Suspense>
      )}
    </IntegrationCard>
  )
}
