import { useTranslation } from 'react-i18next'
import { shortCount } from '#client/ui/text/short-count.ts'
import type { LaneCount } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'

/** A count, with reserved space until it is loaded. `saysNone`: 0 is shown. */
export const Counted = ({ lane, saysNone = false }: { lane: LaneCount | undefined; saysNone?: boolean }) => {
  const language = useTranslation().i18n.language as Language
  return (
    <span className="lane-count">
      {lane && (saysNone || lane.count > 0) ? shortCount(lane.count, language, lane.more) : null}
    </span>
  )
}
