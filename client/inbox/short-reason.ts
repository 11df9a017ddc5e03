import type { InboxT } from './words.ts'

const reasonOf: Readonly<
  Record<
    string,
    | 'window'
    | 'unreachable'
    | 'held'
    | 'optedOut'
    | 'limit'
    | 'file'
    | 'connection'
    | 'payment'
    | 'locked'
    | 'template'
    | 'cancelled'
  >
> = {
  470: 'window',
  131047: 'window',
  131026: 'unreachable',
  131049: 'held',
  131050: 'optedOut',
  4: 'limit',
  80007: 'limit',
  130429: 'limit',
  131048: 'limit',
  131056: 'limit',
  131052: 'file',
  131053: 'file',
  10: 'connection',
  190: 'connection',
  200: 'connection',
  131042: 'payment',
  368: 'locked',
  131031: 'locked',
  132000: 'template',
  132001: 'template',
  132012: 'template',
  132015: 'template',
  132016: 'template',
  CANCELLED: 'cancelled',
}

/** That it was not sent, and why in as few words as a row has room for; the whole story stands in the chat. */
export const shortReason = (code: string | undefined, t: InboxT): string => {
  const reason = code === undefined ? undefined : reasonOf[code]
  return reason ? t('row.failed', { reason: t(`row.why.${reason}`) }) : t('status.failed')
}
