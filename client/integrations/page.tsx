import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs } from 'react-router'
import { paths } from '#shared/paths.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import { PRODUCT_NAME } from '#shared/product.ts'
import { fullTime } from '#shared/time.ts'
import { useFacts } from '../facts.ts'
import { type EndpointReply, queryFor, settle, start } from '../queries.ts'
import { findOrg, requireViewer, useOrg } from '../shell/viewer.ts'
import { Icon } from '../ui/icon.tsx'
import { WebhookLines } from '../webhook-lines.tsx'

const wabaQuery = (org: string) => queryFor(org, 'numbers.getWaba', {})
const connectionQuery = (org: string) => queryFor(org, 'numbers.getConnection', {})
const manages = (role: string) => roleCan(effectiveRole(role), 'connection:manage')

export const loader = async (args: LoaderFunctionArgs) => {
  const org = findOrg(await requireViewer(args), args.params.org)
  // Somebody else's organization is the frame's to refuse.
  if (!org) return null
  const waba = await settle<EndpointReply<'numbers.getWaba'>>(args, wabaQuery(org.slug))
  return waba.phone !== null && manages(org.role) ? start(args, connectionQuery(org.slug)) : null
}

/** What only those who manage the connection may see. */
function ConnectionFacts({ org }: { org: string }) {
  const { t, i18n } = useTranslation('integrations')
  const { timeZone } = useFacts()
  const { data: connection } = useSuspenseQuery(connectionQuery(org))
  return (
    <>
      <dl className="facts-list">
        <dt>{t('phoneNumberId')}</dt>
        <dd>{connection.phoneNumberId}</dd>
        <dt>{t('wabaId')}</dt>
        <dd>{connection.wabaId}</dd>
        <dt>{t('lastWebhook')}</dt>
        <dd>
          {connection.lastWebhookAt
            ? fullTime(connection.lastWebhookAt, i18n.language === 'en' ? 'en' : 'es', timeZone)
            : t('neverWebhook')}
        </dd>
      </dl>
      <WebhookLines connection={connection} />
    </>
  )
}

const chips = { connected: 'chip chip-green', reauthorise: 'chip chip-amber', blocked: 'chip chip-red' } as const

function WhatsAppCard() {
  const { t } = useTranslation('integrations')
  const { slug, role } = useOrg()
  const { data: waba } = useSuspenseQuery(wabaQuery(slug))
  return (
    <section className="card" aria-labelledby="whatsapp">
      <div className="card-head">
        <Icon name="chat" />
        <h2 id="whatsapp">WhatsApp</h2>
        {waba.status ? (
          <span className={chips[waba.status]}>{t(`status.${waba.status}`)}</span>
        ) : (
          <span className="chip">{t('status.none')}</span>
        )}
      </div>
      {waba.phone === null ? (
        <>
          <p>{t('noNumber')}</p>
          {manages(role) ? (
            <Link className="button button-primary" to={`${paths.companyCreation()}?org=${slug}`}>
              {t('connect')}
            </Link>
          ) : (
            <p>{t('askManager')}</p>
          )}
        </>
      ) : (
        <>
          <p>
            <strong>{waba.displayPhone || waba.phone}</strong>
            {waba.verifiedName ? ` · ${waba.verifiedName}` : ''} · {t(waba.kind === 'sandbox' ? 'sandbox' : 'cloud')}
          </p>
          {manages(role) ? (
            <Suspense fallback={<span className="skeleton connection-skeleton" />}>
              <ConnectionFacts org={slug} />
            </Suspense>
          ) : (
            <p>{t('managersSee')}</p>
          )}
        </>
      )}
    </section>
  )
}

/** `/org/{slug}/integrations`: what is connected, and how programs come in. */
export default function IntegrationsPage() {
  const { t } = useTranslation('integrations')
  return (
    <main className="sheet">
      <title>{`${t('title')} · ${PRODUCT_NAME}`}</title>
      <div className="sheet-head">
        <h1>{t('title')}</h1>
      </div>
      <WhatsAppCard />
      <section className="card" aria-labelledby="api">
        <div className="card-head">
          <Icon name="plug" />
          <h2 id="api">API</h2>
        </div>
        <p>{t('api')}</p>
        <div className="card-buttons">
          <a className="button" href={paths.apiDocs()}>
            {t('apiDocs')}
          </a>
        </div>
      </section>
    </main>
  )
}
