import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { membersQuery, teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { OrgTeam } from '#shared/orgs/members.ts'
import { ColumnHeads } from '../column-heads.tsx'
import { RowsSkeleton } from '../rows-skeleton.tsx'

const TeamDialog = lazyDialog(() => import('./dialog.tsx'))
const TeamMembersDialog = lazyDialog(() => import('./members-dialog.tsx'))
const RemoveTeamDialog = lazyDialog(() => import('./remove-dialog.tsx'))

/** Faces that stand beside the count. */
const shownFaces = 5

type Open = { readonly dialog: 'members' | 'edit' | 'remove'; readonly id: string }

function TeamTable({ manages }: { manages: boolean }) {
  const { t } = useTranslation('admin')
  const { slug } = useOrg()
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
        <table className="table">
          <ColumnHeads of={[t('name'), t('teams.description'), t('teams.members')]} />
          <tbody>
            {items.map(team => (
              <tr key={team.id}>
                <td className="admin-name">
                  <bdi>{team.name}</bdi>
                </td>
                <td>{team.description || '—'}</td>
                <td>
                  <span className="admin-faces line">
                    {members
                      .filter(({ userId }) => team.memberIds.includes(userId))
                      .slice(0, shownFaces)
                      .map(({ userId, name }) => (
                        <Avatar key={userId} name={name} of={userId} />
                      ))}
                    <span>{t('teams.count', { count: team.memberIds.length })}</span>
                  </span>
                </td>
                <td className="admin-actions">{menuOf(team)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
        <TeamTable manages={manages} />
      </Suspense>
      {isCreating ? <TeamDialog onClose={() => setCreating(false)} /> : null}
    </section>
  )
}
