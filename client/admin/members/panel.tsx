import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useAddressPart } from '#client/app/address/use-address-part.ts'
import { useFollowedSearch } from '#client/app/address/use-followed-search.ts'
import { useFacts } from '#client/app/facts.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { SentInvitations } from '#client/orgs/sent-invitations.tsx'
import { teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { useEarlyInput } from '#client/ui/controls/early-input.ts'
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
import { ColumnHeads } from '../column-heads.tsx'
import { useOpenedByAddress } from '../opened-by-address.ts'
import { memberPagesQuery, searchOf } from '../queries.ts'
import { RowsSkeleton } from '../rows-skeleton.tsx'
import { RoleChip } from './role-chip.tsx'

const EditMemberDialog = lazyDialog(() => import('./edit-dialog.tsx'))
const RemoveMemberDialog = lazyDialog(() => import('./remove-dialog.tsx'))
const ContentAccessDialog = lazyDialog(() => import('./content-access-dialog.tsx'))
const InviteDialog = lazyDialog(() => import('./invite-dialog.tsx'))

/** With more members than this, the list can be searched. */
const seenAtOnce = 7
const searchAfterMs = 250

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
      <td className="admin-role">
        <RoleChip role={member.roleId} label={member.rol} />
      </td>
      <td className={teams.length ? 'admin-of-teams' : 'admin-of-teams admin-no-teams'}>
        <bdi>{teams.join(', ') || '—'}</bdi>
      </td>
      {open ? (
        <>
          <td className="admin-seen" suppressHydrationWarning>
            {member.lastSeenAt ? seen(member.lastSeenAt) : t('signedOut')}
          </td>
          <td
            data-label={t('secondFactor.title')}
            className={member.hasSecondFactor ? 'admin-second-factor' : 'admin-second-factor admin-without'}
          >
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

/** The search words, which go into the address while they are typed. */
function MemberSearch({ search }: { search: string }) {
  const { t } = useTranslation('admin')
  const [, put] = useAddressPart()
  /** Undefined: nothing is being typed; the address's search is shown. */
  const [typed, setTyped] = useState<string>()
  const noteSent = useFollowedSearch(search, () => setTyped(undefined))
  const find = useEffectEvent(() => {
    if (typed === undefined || typed.trim() === search) return
    noteSent(typed.trim())
    put('search', typed.trim())
  })
  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(find, searchAfterMs)
    return () => clearTimeout(timer)
  }, [typed])
  const field = useRef<HTMLInputElement>(null)
  useEarlyInput(field, setTyped)
  return (
    <search>
      <form
        onSubmit={event => {
          event.preventDefault()
          find()
        }}
      >
        <div className="field">
          <input
            ref={field}
            type="search"
            name="search"
            dir="auto"
            autoComplete="off"
            maxLength={100}
            value={typed ?? search}
            aria-label={t('search')}
            placeholder={t('search')}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
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
      {search || total > seenAtOnce ? <MemberSearch search={search} /> : null}
      {items.length ? null : <Empty icon="person" says={t('nobody')} />}
      <div className="table-scroll" hidden={!items.length}>
        <table
          className="table admin-people-table"
          data-second-factor={items.some(({ hasSecondFactor }) => hasSecondFactor) || undefined}
        >
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
