import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'set'> = {
  icon: 'M8 4H7a2 2 0 0 0-2 2v4l-2 2 2 2v4a2 2 0 0 0 2 2h1M16 4h1a2 2 0 0 1 2 2v4l2 2-2 2v4a2 2 0 0 1-2 2h-1M9.500 10h5M9.500 14h5',
  tone: 'decides',
  says({ contact, variable, value }, t) {
    if (contact) return t(`says.contact.${contact}`, { value: value || '…' })
    return variable ? t('says.set', { name: variable, value: value || '…' }) : ''
  },
}
export default look
