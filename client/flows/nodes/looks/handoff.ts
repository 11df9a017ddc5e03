import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'handoff'> = {
  icon: 'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM2.500 20c.8-4 3.200-6 6.500-6 1.500 0 2.800.4 3.800 1.200M14 18h7m-3-3 3 3-3 3',
  tone: 'person',
  says({ userId, teamId }, t, names) {
    const name = userId ? names.members.get(userId) : teamId ? names.teams.get(teamId) : undefined
    return name ? t('says.handoffTo', { name }) : t('says.handoff')
  },
}
export default look
