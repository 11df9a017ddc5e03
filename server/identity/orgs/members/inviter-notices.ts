import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notice, Notify } from '#server/platform/events/notify.ts'
import { roleCan, rolesWith } from '#shared/kernel/permissions.ts'
import { findMemberRole } from './store.ts'

type Heard = 'member.joined' | 'invitation.renewalAsked'

const noticeOf = (event: EventOf<Heard>): Notice => {
  const { data } = event
  return 'email' in data
    ? { words: { key: 'invitationAsked', params: { email: data.email, org: data.organization } } }
    : { words: { key: 'invitationAccepted', params: { name: data.name, org: data.organization } } }
}

/** Notifies the inviter of what became of an invitation; if they may no longer invite, those who may. */
export const createInviterNotices = ({
  notify,
  notifyRoles,
}: Pick<Notify, 'notify' | 'notifyRoles'>): TransactionListener<Heard> => ({
  name: 'inviter notices',
  on: ['member.joined', 'invitation.renewalAsked'],
  async handle(write, events) {
    for (const event of events) {
      const { inviterId } = event.data
      const role = await findMemberRole(write.db, write.orgId, inviterId)
      const notice = noticeOf(event)
      if (role !== undefined && roleCan(role, 'member:manage')) await notify(write, { ...notice, userIds: [inviterId] })
      else await notifyRoles(write, rolesWith('member:manage'), notice)
    }
  },
})
