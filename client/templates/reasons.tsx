import { useTranslation } from 'react-i18next'
import { rejectionReasons } from '#shared/simulator/api.ts'
import type { Template } from '#shared/templates/api.ts'

type Reason = (typeof rejectionReasons)[number]
/** Meta has further reasons, and adds new ones. */
export const isKnownReason = (word: string): word is Reason => (rejectionReasons as readonly string[]).includes(word)

const pauses = ['FIRST_PAUSE', 'SECOND_PAUSE', 'DISABLED'] as const
const isKnownPause = (word: string): word is (typeof pauses)[number] => (pauses as readonly string[]).includes(word)

/** Why it is not approved, in few words. Undefined: nothing to say. */
export const useReasonText = () => {
  const { t } = useTranslation('templates')
  return ({
    status,
    rejectedReason,
    note,
  }: Pick<Template, 'status' | 'rejectedReason' | 'note'>): string | undefined => {
    if (status === 'REJECTED' && rejectedReason && rejectedReason !== 'NONE')
      return isKnownReason(rejectedReason) ? t(`reason.${rejectedReason}`) : rejectedReason
    if (!note) return undefined
    return isKnownPause(note) ? t(`pause.${note}`) : note
  }
}
