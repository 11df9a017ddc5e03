import { Fragment, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { membersQuery, rulesQuery, teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { OrgTeam } from '#shared/orgs/members.ts'
import { ColumnHeads } from '../column-heads.tsx'
import { contentAccessQuery } from '../queries.ts'
import { RowsSkeleton } from '../rows-skeleton.tsx'

const TeamDialog = lazyDialog(() => import('./dialog.tsx'))
const TeamMembersDialog = lazyDialog(() => import('./members-dialog.tsx'))
const RemoveTeamDialog = lazyDialog(() => import('./remove-dialog.tsx'))

/** Faces that stand beside the count, and names below it. */
const shownFaces = 5
const shownNames = 3

type Open = { readonly dialog: 'members' | 'edit' | 'remove'; readonly id: string }

/** Says who sees the conversations of a team. */
function TeamPrivacy({ manages }: { manages: boolean }) {
  const { t } = useTranslation('admin')
  const { slug } = useOrg()
  const { teams, conversations } = useAnswer(contentAccessQuery(slug))
  return (
    <p className="lead">
      {t(`teams.seenBy.${teams ? 'team' : conversations ? 'tags' : 'everybody'}`)}{' '}
      {manages ? t('teams.seenByChange', { where: t('content.open') }) : null}
    </p>
  )
}

/** Says to whom a team's conversations go by themselves, with the way to change it. */
function TeamRule({ team }: { team: string }) {
  const { t } = useTranslation('admin')
  const { slug } = useOrg()
  const { organization, teams } = useAnswer(rulesQuery(slug))
  const rule = teams.find(({ id }) => id === team)?.rule ?? organization
  return (
    <Link className="link" to={paths.settingsOf(slug, 'attention')}>
      {t(`teams.ways.${rule?.way ?? 'off'}`)}
    </Link>
  )
}

function TeamTable({ manages }: { manages: boolean }) {
  const { t } = useTranslation('admin')
  const { slug, role } = useOrg()
  const setsRules = roleCan(effectiveRole(role), 'org:update')
  const readsStats = roleCan(effectiveRole(role), 'stats:read')
  const [open, setOpen] = useState<Open>()
  const { items } = useAnswer(teamsQuery(slug))
  const members = useAnswer(membersQuery(slug)).items
  const close = () => setOpen(undefined)
  const chosen = items.find(team => team.id === open?.id)
  if (!items.length)
    return (
      <Empty icon="person" says={t('teams.none')}>
        {t(manages ? 'teams.noneWhy' : 'teams.noneYet')}
      </Empty>
    )
  const inTeams = new Set(items.flatMap(({ memberIds }) => memberIds))
  const teamless = members.filter(({ userId }) => !inTeams.has(userId)).length
  const menuOf = (team: OrgTeam) => (
    <RowMenu
      label={t('actionsOf', { name: team.name })}
      items={() => (
        <>
          <MenuItem onClick={() => setOpen({ dialog: 'members', id: team.id })}>{t('teams.see')}</MenuItem>
          {manages ? (
            <>
              <MenuItem onClick={() => setOpen({ dialog: 'edit', id: team.id })}>{t('teams.edit')}</MenuItem>
              <MenuItem danger onClick={() => setOpen({ dialog: 'remove', id: team.id })}>
                {t('teams.remove')}
              </MenuItem>
            </>
          ) : null}
        </>
      )}
    />
  )
  return (
    <>
      <div className="table-scroll">
        <table className="table admin-teams-table">
          <ColumnHeads
            of={[
              t('name'),
              t('teams.description'),
              t('teams.members'),
              ...(setsRules ? [t('teams.rule')] : []),
              ...(readsStats ? [t('teams.chats')] : []),
            ]}
          />
          <tbody>
            {items.map(team => {
              const people = members.filter(({ userId }) => team.memberIds.includes(userId))
              const unnamed = people.length - shownNames
              return (
                <tr key={team.id}>
                  <td className="admin-name">
                    <bdi>{team.name}</bdi>
                  </td>
                  <td>{team.description || '—'}</td>
                  <td>
                    <span className="admin-faces line">
                      {people.slice(0, shownFaces).map(({ userId, name }) => (
                        <Avatar key={userId} name={name} of={userId} />
                      ))}
                      <span>{t('teams.count', { count: team.memberIds.length })}</span>
                    </span>
                    {people.length ? (
                      <small className="admin-names">
                        {people.slice(0, shownNames).map(({ userId, name }, index) => (
                          <Fragment key={userId}>
                            {index ? ', ' : ''}
                            <bdi>{name}</bdi>
                          </Fragment>
                        ))}
                        {unnamed > 0 ? ` ${t('teams.others', { count: unnamed })}` : ''}
                      </small>
                    ) : null}
                  </td>
                  {setsRules ? (
                    <td data-label={t('teams.rule')}>
                      <TeamRule team={team.id} />
                    </td>
                  ) : null}
                  {readsStats ? (
                    <td data-label={t('teams.chats')}>
                      <Link
                        className="link"
                        to={`${paths.statsConversations(slug)}?${new URLSearchParams({ show: 'unattended', team: team.id })}`}
                      >
                        {t('teams.waiting')}
                        <span className="sr-only">
                          : <bdi>{team.name}</bdi>
                        </span>
                      </Link>
                    </td>
                  ) : null}
                  <td className="admin-actions">{menuOf(team)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <p className="field-hint">
        {t('teams.total', { count: items.length })}
        {teamless ? ` · ${t('teams.teamless', { count: teamless })}` : ''}
      </p>
      {chosen && open?.dialog === 'members' ? (
        <TeamMembersDialog team={chosen} manages={manages} onClose={close} />
      ) : null}
      {chosen && open?.dialog === 'edit' ? <TeamDialog team={chosen} onClose={close} /> : null}
      {chosen && open?.dialog === 'remove' ? <RemoveTeamDialog team={chosen} onClose={close} /> : null}
    </>
  )
}

export function TeamsPanel() {
  const { t } = useTranslation('admin')
  const { role } = useOrg()
  const [isCreating, setCreating] = useState(false)
  const manages = roleCan(effectiveRole(role), 'member:manage')
  return (
    <section className="card" aria-labelledby="teams">
      <div className="admin-head">
        <h2 id="teams">{t('tabs.teams')}</h2>
        {manages ? (
          <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
            {t('teams.create')}
          </button>
        ) : null}
      </div>
      <Suspense fallback={<RowsSkeleton />}>
        <TeamPrivacy manages={manages} />
        <TeamTable manages={manages} />
      </Suspense>
      {isCreating ? <TeamDialog onClose={() => setCreating(false)} /> : null}
    </section>
  )
}
