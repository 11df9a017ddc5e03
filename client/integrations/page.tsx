import { useTranslation } from 'react-i18next'
import type { LoaderFunctionArgs } from 'react-router'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { start } from '../app/queries.ts'
import { webhooksQuery } from '../outgoing-webhooks/queries.ts'
import WebhooksCard from '../outgoing-webhooks/webhooks-card.tsx'
import { findOrg, requireViewer, useOrg } from '../shell/viewer.ts'
import { connectionsQuery, managesConnection, upstreamQuery, wabaQuery } from './queries.ts'
import { UpstreamCard } from './upstream-card.tsx'
import { WhatsAppCard } from './whatsapp-card.tsx'

export const loader = async (args: LoaderFunctionArgs) => {
  const org = findOrg(await requireViewer(args), args.params.org)
  // The frame refuses other organizations.
  if (!org) return null
  await start(args, wabaQuery(org.slug))
  if (!managesConnection(org.role)) return null
  return start(args, webhooksQuery(org.slug), upstreamQuery(org.slug), connectionsQuery(org.slug))
}

/** `/org/{slug}/integrations`: connections and programs. */
export default function IntegrationsPage() {
  const { t } = useTranslation('integrations')
  const { role } = useOrg()
  return (
    <main className="sheet">
      <SheetHead title={t('title')} />
      <WhatsAppCard />
      {managesConnection(role) ? <UpstreamCard /> : null}
      {managesConnection(role) ? <WebhooksCard /> : null}
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
