import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { membersQuery, teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { MembersPanel } from './members/panel.tsx'
import { contentAccessQuery, memberPagesQuery, searchOf, showsTeams } from './queries.ts'
import { TeamsPanel } from './teams/panel.tsx'

export const loader = (args: LoaderFunctionArgs) => {
  const { org = '' } = args.params
  const query = new URL(args.request.url).searchParams
  return showsTeams(query)
    ? start(args, teamsQuery(org), membersQuery(org), contentAccessQuery(org))
    : start(args, teamsQuery(org), memberPagesQuery(org, searchOf(query)))
}

/** `/org/{slug}`: the organization's members, or with `?tab=teams` its teams. */
export default function PeoplePage() {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const [query] = useSearchParams()
  const areTeams = showsTeams(query)
  return (
    <>
      <title>{`${t(areTeams ? 'tabs.teams' : 'tabs.members')} · ${org.name} · ${PRODUCT_NAME}`}</title>
      {areTeams ? <TeamsPanel /> : <MembersPanel />}
    </>
  )
}
