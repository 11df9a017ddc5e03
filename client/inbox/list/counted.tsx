import { useTranslation } from 'react-i18next'
import { shortCount } from '#client/ui/text/short-count.ts'
import type { ListPartCount } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'

/** A count, with reserved space until it is loaded. `saysNone`: 0 is shown. */
export const Counted = ({ part, saysNone = false }: { part: ListPartCount | undefined; saysNone?: boolean }) => {
  const language = useTranslation().i18n.language as Language
  return (
    <span className="list-count">
      {part && (saysNone || part.count > 0) ? shortCount(part.count, language, part.more) : null}
    </span>
  )
}
