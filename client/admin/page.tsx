import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoaderFunctionArgs } from 'react-router'
import type { OrgMember } from '#shared/members.ts'
import { effectiveRole, type OrgRole, roleCan } from '#shared/permissions.ts'
import { PRODUCT_NAME } from '#shared/product.ts'
import { longDate } from '#shared/time.ts'
import { useFacts } from '../facts.ts'
import { queryFor, start } from '../queries.ts'
import { SentInvitations } from '../sent-invitations.tsx'
import { useOrg } from '../shell/viewer.ts'
import { Logo } from '../ui/logo.tsx'
import './admin.css'

const organizationQuery = (org: string) => queryFor(org, 'members.getOrganization', {})
const membersQuery = (org: string) => queryFor(org, 'members.listMembers', {})

export const loader = (args: LoaderFunctionArgs) => {
  const { org = '' } = args.params
  return start(args, organizationQuery(org), membersQuery(org))
}

const roleChips = {
  owner: 'chip-orange',
  admin: 'chip-red',
  member: 'chip-blue',
  developer: 'chip-green',
  viewer: 'chip-violet',
  billing: 'chip-amber',
} as const satisfies Record<OrgRole, string>

const EditMemberDialog = lazy(() => import('./edit-member-dialog.tsx'))

const InviteDialog = lazy(() => import('./invite-dialog.tsx'))

const skeletonRows = 4

function OrganizationCard() {
  const { t, i18n } = useTranslation('admin')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const { data: organization } = useSuspenseQuery(organizationQuery(slug))
  return (
    <section className="card admin-org" aria-labelledby="org-name">
      <Logo name={organization.name} image={organization.logo} />
      <div>
        <h1 id="org-name">{organization.name}</h1>
        <p>
          <span className="field-hint">{t('slug')}</span> {organization.slug}
        </p>
        <p>
          <span className="field-hint">{t('created')}</span>{' '}
          {longDate(organization.createdAt, i18n.language === 'en' ? 'en' : 'es', timeZone)}
        </p>
      </div>
    </section>
  )
}

const CardSkeleton = () => (
  <div className="card admin-org" aria-hidden="true">
    <span className="logo" />
    <div>
      <span className="skeleton admin-line admin-line-title" />
      <span className="skeleton admin-line" />
      <span className="skeleton admin-line" />
    </div>
  </div>
)

function MemberRows() {
  const { t } = useTranslation('admin')
  const { slug, role } = useOrg()
  const [edited, setEdited] = useState<OrgMember>()
  const mine = effectiveRole(role)
  const manages = roleCan(mine, 'member:manage')
  const { items, total } = useSuspenseQuery(membersQuery(slug)).data
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
              <tr key={member.userId}>
                <td>{member.name}</td>
                <td>{member.email}</td>
                <td>
                  <span className={`chip ${roleChips[effectiveRole(member.roleId)]}`}>{member.rol}</span>
                </td>
                {manages ? (
                  <td className="admin-actions">
                    {mine === 'owner' || member.roleId !== 'owner' ? (
                      <button
                        type="button"
                        className="button button-quiet"
                        aria-label={t('edit.of', { name: member.name })}
                        onClick={() => setEdited(member)}
                      >
                        {t('edit.open')}
                      </button>
                    ) : null}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {edited ? (
        <Suspense>
          <EditMemberDialog member={edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      ) : null}
      {total > items.length ? <p className="field-hint">{t('first', { shown: items.length, total })}</p> : null}
    </>
  )
}

const RowsSkeleton = ({ label }: { label: string }) => (
  <div role="status">
    <span className="field-hint">{label}</span>
    {Array.from({ length: skeletonRows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical and never moved
      <span className="skeleton admin-row" key={row} />
    ))}
  </div>
)

/** `/org/{slug}`: the organization and its people. */
export default function AdminPage() {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const [isInviting, setInviting] = useState(false)
  const manages = roleCan(effectiveRole(org.role), 'member:manage')
  return (
    <main className="sheet">
      <title>{`${org.name} · ${PRODUCT_NAME}`}</title>
      <Suspense fallback={<CardSkeleton />}>
        <OrganizationCard />
      </Suspense>
      <section className="card" aria-labelledby="members">
        <div className="admin-head">
          <h2 id="members">{t('members')}</h2>
          {manages ? (
            <button type="button" className="button button-primary" onClick={() => setInviting(true)}>
              {t('invite.open')}
            </button>
          ) : null}
        </div>
        <Suspense fallback={<RowsSkeleton label={t('loading')} />}>
          <MemberRows />
          {manages ? <SentInvitations org={org.slug} /> : null}
        </Suspense>
        {isInviting ? (
          <Suspense>
            <InviteDialog onClose={() => setInviting(false)} />
          </Suspense>
        ) : null}
      </section>
    </main>
  )
}
