import { useTranslation } from 'react-i18next'
import type { LoaderFunctionArgs } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import IncomingCard from '#client/incoming-hooks/hooks-card.tsx'
import { hooksQuery } from '#client/incoming-hooks/queries.ts'
import { webhooksQuery } from '#client/outgoing-webhooks/queries.ts'
import WebhooksCard from '#client/outgoing-webhooks/webhooks-card.tsx'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { findOrg, requireViewer, useOrg } from '#client/shell/viewer.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { ApiCard } from './api-card.tsx'
import { CardIndex } from './card/card-index.tsx'
import { MovingCard } from './moving-card.tsx'
import { connectionsQuery, importsQuery, keyUseQuery, managesConnection, mayImport, upstreamQuery } from './queries.ts'
import { RecipesCard } from './recipes-card.tsx'
import { UpstreamCard } from './upstream-card.tsx'
import { WhatsAppCard } from './whatsapp-card.tsx'

export const loader = async (args: LoaderFunctionArgs) => {
  const org = findOrg(await requireViewer(args), args.params.org)
  // The frame refuses other organizations.
  if (!org) return null
  await start(args, wabaQuery(org.slug), ...(mayImport(org.role) ? [importsQuery(org.slug)] : []))
  if (!managesConnection(org.role)) return null
  return start(
    args,
    webhooksQuery(org.slug),
    hooksQuery(org.slug),
    upstreamQuery(org.slug),
    connectionsQuery(org.slug),
    keyUseQuery(org.slug),
  )
}

/** `/org/{slug}/integrations`: connections and programs. */
export default function IntegrationsPage() {
  const { t } = useTranslation('integrations')
  const { role } = useOrg()
  const isManager = managesConnection(role)
  return (
    <main className="sheet integrations">
      <SheetHead isInBar title={t('title')}>
        {t('lead')}
      </SheetHead>
      <CardIndex isManager={isManager} />
      {/* Two columns of their own: a card that grows moves only those below it. */}
      <div className="integration-column">
        <WhatsAppCard />
        {isManager ? <WebhooksCard /> : null}
        {isManager ? <ApiCard /> : null}
      </div>
      <div className="integration-column">
        {isManager ? <IncomingCard /> : null}
        <RecipesCard />
        <MovingCard />
      </div>
      {isManager ? <UpstreamCard /> : null}
    </main>
  )
}
