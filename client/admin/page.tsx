import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { start } from '../app/queries.ts'
import { useOrg } from '../shell/viewer.ts'
import { MembersPanel } from './members-panel.tsx'
import { type AdminTab, adminTabs, OrganizationCard } from './organization-card.tsx'
import { memberPagesQuery, organizationQuery, searchOf, teamsQuery } from './queries.ts'
import { TeamsPanel } from './teams-panel.tsx'
import './admin.css'

/** `?tab=teams`; default: members. */
const tabOf = (query: URLSearchParams): AdminTab => adminTabs.find(tab => tab === query.get('tab')) ?? 'members'

export const loader = (args: LoaderFunctionArgs) => {
  const { org = '' } = args.params
  const query = new URL(args.request.url).searchParams
  const people = tabOf(query) === 'teams' ? [] : [memberPagesQuery(org, searchOf(query))]
  return start(args, organizationQuery(org), teamsQuery(org), ...people)
}

/** `/org/{slug}`: the organization, its members and its teams. */
export default function AdminPage() {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const [query] = useSearchParams()
  const tab = tabOf(query)
  return (
    <main className="sheet">
      <title>{`${t(`tabs.${tab}`)} · ${org.name} · ${PRODUCT_NAME}`}</title>
      <OrganizationCard tab={tab} />
      {tab === 'teams' ? <TeamsPanel /> : <MembersPanel />}
    </main>
  )
}
