import { type FormEvent, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { useAnswer } from '#client/app/use-answer.ts'
import { useSuspensePages } from '#client/app/use-paged-list.ts'
import { SentInvitations } from '#client/orgs/sent-invitations.tsx'
import { teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { toLanguage } from '#shared/kernel/language.ts'
import { inviteQuery } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { clockTime, dayWord, shortDate } from '#shared/kernel/time.ts'
import type { OrgMember } from '#shared/orgs/members.ts'
import { ColumnHeads } from './column-heads.tsx'
import { useOpenedByAddress } from './opened-by-address.ts'
import { memberPagesQuery, searchOf } from './queries.ts'
import { RoleChip } from './role-chip.tsx'
import { RowsSkeleton } from './rows-skeleton.tsx'

const EditMemberDialog = lazyDialog(() => import('./edit-member-dialog.tsx'))
const RemoveMemberDialog = lazyDialog(() => import('./remove-member-dialog.tsx'))
const ContentAccessDialog = lazyDialog(() => import('./content-access-dialog.tsx'))
const InviteDialog = lazyDialog(() => import('./invite-dialog.tsx'))

/** With more members than this, the list can be searched. */
const seenAtOnce = 7

type Open = { readonly dialog: 'content' | 'edit' | 'remove'; readonly member: OrgMember }

interface RowProps {
  readonly member: OrgMember
  /** Names of the member's teams. */
  readonly teams: readonly string[]
  readonly open?: ((open: Open) => void) | undefined
}

function Row({ member, teams, open }: RowProps) {
  const { t, i18n } = useTranslation('admin')
  const { now, timeZone } = useFacts()
  const viewer = useViewer()
  const mine = effectiveRole(useOrg().role)
  const isSelf = member.userId === viewer.user.id
  // Only owners may change owners.
  const mayChange = mine === 'owner' || member.roleId !== 'owner'
  const seen = (at: string) => {
    const word = dayWord(at, now, timeZone)
    return word
      ? t(`when.${word}`, { time: clockTime(at, timeZone) })
      : shortDate(at, toLanguage(i18n.language) ?? 'es', timeZone)
  }
  return (
    <tr>
      <td>
        <span className="admin-person line">
          <Avatar name={member.name} of={member.userId} />
          <span className="admin-name" dir="auto">
            {member.name}
          </span>
          {isSelf ? <span className="field-hint">{t('you')}</span> : null}
        </span>
        <small className="admin-mail-below">{member.email}</small>
      </td>
      <td className="admin-mail">{member.email}</td>
      <td>
        <RoleChip role={member.roleId} label={member.rol} />
      </td>
      <td data-label={t('tabs.teams')} className={teams.length ? undefined : 'admin-no-teams'}>
        <bdi>{teams.join(', ') || '—'}</bdi>
      </td>
      {open ? (
        <>
          <td data-label={t('lastSeen')} suppressHydrationWarning>
            {member.lastSeenAt ? seen(member.lastSeenAt) : t('signedOut')}
          </td>
          <td data-label={t('secondFactor.title')}>
            {t(member.hasSecondFactor ? 'secondFactor.on' : 'secondFactor.off')}
          </td>
        </>
      ) : null}
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

/** The search words, in the address. */
function MemberSearch({ search }: { search: string }) {
  const { t } = useTranslation('admin')
  const [, setQuery] = useSearchParams()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wanted = String(new FormData(event.currentTarget).get('search') ?? '').trim()
    setQuery(wanted ? { search: wanted } : {}, { preventScrollReset: true, replace: true })
  }
  return (
    <search>
      <form className="admin-search wrap" onSubmit={submit}>
        <div className="field">
          <input
            type="search"
            name="search"
            maxLength={100}
            defaultValue={search}
            aria-label={t('search')}
            placeholder={t('search')}
          />
        </div>
        <button type="submit" className="button">
          {t('find')}
        </button>
      </form>
    </search>
  )
}

function MemberTable({ manages }: { manages: boolean }) {
  const { t } = useTranslation('admin')
  const { slug } = useOrg()
  const [query] = useSearchParams()
  const search = searchOf(query)
  const [open, setOpen] = useState<Open>()
  const list = useSuspensePages(memberPagesQuery(slug, search))
  const teams = useAnswer(teamsQuery(slug)).items
  const teamsOf = (userId: string) =>
    teams.filter(({ memberIds }) => memberIds.includes(userId)).map(({ name }) => name)
  const items = list.data.pages.flatMap(page => page.items)
  const total = list.data.pages.at(-1)?.total ?? 0
  const close = () => setOpen(undefined)
  return (
    <>
      {search || total > seenAtOnce ? <MemberSearch key={search} search={search} /> : null}
      {items.length ? null : <Empty icon="person" says={t('nobody')} />}
      <div className="table-scroll" hidden={!items.length}>
        <table className="table admin-people-table">
          <ColumnHeads
            of={[
              t('name'),
              t('email'),
              t('role'),
              t('tabs.teams'),
              ...(manages ? [t('lastSeen'), t('secondFactor.title')] : []),
            ]}
            withActions={manages}
          />
          <tbody>
            {items.map(member => (
              <Row
                key={member.userId}
                member={member}
                teams={teamsOf(member.userId)}
                open={manages ? setOpen : undefined}
              />
            ))}
          </tbody>
        </table>
      </div>
      {open?.dialog === 'content' ? <ContentAccessDialog member={open.member} onClose={close} /> : null}
      {open?.dialog === 'edit' ? <EditMemberDialog member={open.member} onClose={close} /> : null}
      {open?.dialog === 'remove' ? <RemoveMemberDialog member={open.member} onClose={close} /> : null}
      {total > items.length ? <p className="field-hint">{t('first', { shown: items.length, total })}</p> : null}
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
    </>
  )
}

/** Members and pending invitations. */
export function MembersPanel() {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const [isInviting, setInviting] = useOpenedByAddress(inviteQuery)
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
      {manages && isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </section>
  )
}
