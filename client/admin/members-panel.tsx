import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnswer } from '#client/use-answer.ts'
import type { OrgMember } from '#shared/members.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import { SentInvitations } from '../orgs/sent-invitations.tsx'
import { useOrg, useViewer } from '../shell/viewer.ts'
import { Avatar } from '../ui/avatar.tsx'
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { RowMenu } from '../ui/row-menu.tsx'
import { membersQuery } from './queries.ts'
import { RoleChip } from './role-chip.tsx'
import { RowsSkeleton } from './rows-skeleton.tsx'

const EditMemberDialog = lazyDialog(() => import('./edit-member-dialog.tsx'))
const RemoveMemberDialog = lazyDialog(() => import('./remove-member-dialog.tsx'))
const ContentAccessDialog = lazyDialog(() => import('./content-access-dialog.tsx'))
const InviteDialog = lazyDialog(() => import('./invite-dialog.tsx'))

type Open = { readonly dialog: 'content' | 'edit' | 'remove'; readonly member: OrgMember }

function Row({ member, open }: { member: OrgMember; open?: (open: Open) => void }) {
  const { t } = useTranslation('admin')
  const viewer = useViewer()
  const mine = effectiveRole(useOrg().role)
  const isSelf = member.userId === viewer.user.id
  // Only an owner touches owners.
  const mayChange = mine === 'owner' || member.roleId !== 'owner'
  return (
    <tr>
      <td>
        <span className="admin-person">
          <Avatar name={member.name} of={member.userId} />
          <span className="admin-name">{member.name}</span>
          {isSelf ? <span className="field-hint">{t('you')}</span> : null}
        </span>
      </td>
      <td>{member.email}</td>
      <td>
        <RoleChip role={member.roleId} label={member.rol} />
      </td>
      {open ? (
        <td className="admin-actions">
          <RowMenu
            label={t('actionsOf', { name: member.name })}
            items={() => (
              <>
                {mayChange ? (
                  <MenuItem onClick={() => open({ dialog: 'edit', member })}>{t('edit.title')}</MenuItem>
                ) : null}
                <MenuItem onClick={() => open({ dialog: 'content', member })}>{t('content.open')}</MenuItem>
                {mayChange && !isSelf ? (
                  <MenuItem danger onClick={() => open({ dialog: 'remove', member })}>
                    {t('remove.open')}
                  </MenuItem>
                ) : null}
              </>
            )}
          />
        </td>
      ) : null}
    </tr>
  )
}

function MemberTable({ manages }: { manages: boolean }) {
  const { t } = useTranslation('admin')
  const { slug } = useOrg()
  const [open, setOpen] = useState<Open>()
  const { items, total } = useAnswer(membersQuery(slug))
  const close = () => setOpen(undefined)
  return (
    <>
      <div className="table-scroll">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('name')}</th>
              <th scope="col">{t('email')}</th>
              <th scope="col">{t('role')}</th>
              {manages ? (
                <th scope="col">
                  <span className="sr-only">{t('actions')}</span>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {items.map(member => (
              <Row key={member.userId} member={member} open={manages ? setOpen : undefined} />
            ))}
          </tbody>
        </table>
      </div>
      {open?.dialog === 'content' ? <ContentAccessDialog member={open.member} onClose={close} /> : null}
      {open?.dialog === 'edit' ? <EditMemberDialog member={open.member} onClose={close} /> : null}
      {open?.dialog === 'remove' ? <RemoveMemberDialog member={open.member} onClose={close} /> : null}
      {total > items.length ? <p className="field-hint">{t('first', { shown: items.length, total })}</p> : null}
    </>
  )
}

/** The people of the organization, and who was asked in. */
export function MembersPanel() {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const [isInviting, setInviting] = useState(false)
  const manages = roleCan(effectiveRole(org.role), 'member:manage')
  return (
    <section className="card" aria-labelledby="members">
      <div className="admin-head">
        <h2 id="members">{t('members')}</h2>
        {manages ? (
          <button type="button" className="button button-primary" onClick={() => setInviting(true)}>
            {t('invite.open')}
          </button>
        ) : null}
      </div>
      <Suspense fallback={<RowsSkeleton />}>
        <MemberTable manages={manages} />
        {manages ? <SentInvitations org={org} /> : null}
      </Suspense>
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </section>
  )
}
